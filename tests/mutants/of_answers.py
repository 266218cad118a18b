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
LETTER_SPLIT = "morningdeck/sources/letter_split.py"
CHOSEN = "morningdeck/parsing/chosen_stories.py"

FORMS = "tests/endpoint/test_reading.py"
TROUBLE = "tests/endpoint/test_trouble.py"
SUPPORT = "tests/enrichers/test_grounding.py"
INJECTION = "tests/enrichers/test_injection.py"
ITEMS = "tests/enrichers/test_openai.py"
HEADS = "tests/enrichers/test_overview.py"
WAITING = "tests/test_process.py"
FAITHFUL = "morningdeck/enrichers/faithful.py"
TRANSLATION = "morningdeck/enrichers/translation.py"
ORIGINALS = "tests/enrichers/test_faithful.py"
TRANSLATED = "tests/enrichers/test_translation.py"
LETTERS = "tests/sources/test_letter_split.py"
NUMBERS = "tests/parsing/test_chosen_stories.py"

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
        TROUBLE,
        "test_nobody_asks_a_held_endpoint_before_its_time",
    ),
    Mutant(
        PAYING,
        "if not self._places.acquire(timeout=self._patience_seconds):",
        "if self._places.acquire(timeout=0) and self._places.release():",
        TROUBLE,
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
        "all(score.value < limit",
        "any(score.value < limit",
        ITEMS,
        "test_a_model_is_spared_what_is_off_the_subject_of_all",
    ),
    Mutant(
        OVERVIEW,
        "if supported and _is_new",
        "if _is_new",
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
    Mutant(
        LETTER_SPLIT,
        "and 2 * len(titles & set(headlines)) >= len(headlines)",
        "",
        LETTERS,
        "test_a_model_may_not_merge_what_looks_have_parted",
    ),
    Mutant(
        CHOSEN,
        "if link is not None and title <= link <= last:",
        "if link is not None:",
        NUMBERS,
        "test_a_link_of_another_story_is_not_its_own",
    ),
    Mutant(
        FAITHFUL,
        "            and self._has_names(told, text)\n",
        "",
        ORIGINALS,
        "test_what_adds_or_changes_or_drops_is_none",
    ),
    Mutant(
        TRANSLATION,
        "if not all(original.is_told_by(",
        "if not any(original.is_told_by(",
        TRANSLATED,
        "test_what_a_model_cannot_translate_stays_as_it_is",
    ),
)
