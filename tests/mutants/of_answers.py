"""Mutants of what a model is asked, and of what is believed of its answers."""

from __future__ import annotations

from tests.mutants.mutant import Mutant

READING = "morningdeck/endpoint/reading.py"
PAYING = "morningdeck/endpoint/paying.py"
GROUNDING = "morningdeck/enrichers/grounding.py"
ANSWERS = "morningdeck/enrichers/answers.py"
ENRICHER = "morningdeck/enrichers/openai.py"
OVERVIEW = "morningdeck/enrichers/overview.py"
PROCESS = "morningdeck/process.py"

FORMS = "tests/endpoint/test_reading.py"
ASKING = "tests/endpoint/test_openai_model.py"
SUPPORT = "tests/enrichers/test_grounding.py"
INJECTION = "tests/enrichers/test_injection.py"
ITEMS = "tests/enrichers/test_openai.py"
HEADS = "tests/enrichers/test_overview.py"
WAITING = "tests/test_process.py"

OF_ANSWERS = (
    Mutant(
        READING, "min(max(value, least), most)", "value", FORMS, "test_a_number_stays_in_its_range"
    ),
    Mutant(
        READING,
        'raise ValueError("not one of those that were named")',
        "return value",
        FORMS,
        "test_what_was_not_named_is_no_answer",
    ),
    Mutant(
        PAYING,
        "until = self._breaker.failed(admission, error.retry_after, error.kind)",
        "until = None",
        ASKING,
        "test_nobody_asks_a_held_endpoint_before_its_time",
    ),
    Mutant(
        PAYING,
        "if not self._places.acquire(timeout=self._patience_seconds):",
        "if self._places.acquire(timeout=0) and self._places.release():",
        ASKING,
        "test_no_more_ask_at_the_same_time_than_may",
    ),
    Mutant(
        GROUNDING,
        "            and self.has_numbers(sentence)\n",
        "",
        SUPPORT,
        "test_what_it_does_not_say_is_not",
    ),
    Mutant(
        GROUNDING,
        "            and self.has_names(sentence)\n",
        "",
        SUPPORT,
        "test_what_it_does_not_say_is_not",
    ),
    Mutant(
        GROUNDING,
        "not is_harmful(sentence)\n",
        "True\n",
        SUPPORT,
        "test_what_it_does_not_say_is_not",
    ),
    Mutant(
        GROUNDING,
        "return alike and negates(sentence) != ",
        "return alike and negates(sentence) is ",
        SUPPORT,
        "test_what_the_article_says_is_supported",
    ),
    Mutant(
        ANSWERS,
        "if not self._may_say(reason, wish):",
        "if not reason:",
        INJECTION,
        "test_no_address_and_no_markup_comes_out_of_a_model",
    ),
    Mutant(
        ENRICHER,
        "groupby(criteria, lambda one: one.user_id)",
        "groupby(criteria, lambda one: 0)",
        ITEMS,
        "test_nobody_s_wishes_stand_beside_another_s",
    ),
    Mutant(
        ENRICHER,
        "all(score.value < self._prefilter",
        "any(score.value < self._prefilter",
        ITEMS,
        "test_a_model_is_spared_what_is_off_the_subject_of_all",
    ),
    Mutant(
        OVERVIEW,
        "if cited and supported and",
        "if cited and",
        HEADS,
        "test_what_the_items_do_not_say_is_left_out",
    ),
    Mutant(
        PROCESS,
        "return slot - BEFORE_A_SLOT",
        "return slot",
        WAITING,
        "test_no_briefing_waits_for_a_model",
    ),
)
