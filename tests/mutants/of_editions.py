"""Mutants of what a briefing shows, and when it comes."""

from __future__ import annotations

from tests.mutants.mutant import Mutant

SELECTION = "morningdeck/selection.py"
EDITION = "morningdeck/edition.py"
SCHEDULE = "morningdeck/schedule.py"
TOLD = "morningdeck/store/rows/told.py"
ROWS = "morningdeck/store/rows/briefings.py"
WRITTEN = "morningdeck/store/results/written.py"
CHOICE = "tests/test_selection.py"
WEEKLIES = "tests/store/test_weeklies.py"
EDITIONS = "tests/store/test_editions.py"
SLOTS = "tests/test_schedule.py"

OF_EDITIONS = (
    Mutant(
        SELECTION,
        "len(sources) == 1 and taken",
        "taken",
        CHOICE,
        "test_a_cap_never_keeps_out_what_another_paper_tells_too",
    ),
    Mutant(
        SELECTION,
        "(taken[one], one != candidate.source_id, one)",
        "(one != candidate.source_id, one)",
        CHOICE,
        "test_a_story_counts_against_its_teller_with_most_room",
    ),
    Mutant(
        SELECTION,
        " and candidate.score == first.score",
        "",
        CHOICE,
        "test_a_story_is_told_by_whom_its_summary_is_of",
    ),
    Mutant(
        SELECTION,
        "not candidate.story_shown or bool(candidate.update)",
        "not candidate.story_shown",
        CHOICE,
        "test_a_story_that_was_told_comes_back_with_what_is_new",
    ),
    Mutant(
        EDITION,
        " or candidate.first_seen_at <= told.at",
        "",
        EDITIONS,
        "test_other_words_for_it_or_an_old_article_are_no_update",
    ),
    Mutant(
        EDITION,
        "new = [one for one in candidates if not one.told]",
        "new = list(candidates)",
        WEEKLIES,
        "test_a_weekly_tells_what_dailies_had_no_place_for_and_marks_what_they_told",
    ),
    Mutant(
        TOLD,
        "set(briefing.recipients) <= set(recipients)",
        "True",
        WEEKLIES,
        "test_a_daily_for_others_has_told_its_readers_nothing",
    ),
    Mutant(
        ROWS,
        " or row.item_id in itself",
        "",
        WEEKLIES,
        "test_what_was_shown_is_never_shown_again_even_if_its_mark_is_lost",
    ),
    Mutant(
        WRITTEN,
        "by_wish = item_scores.c.briefing_id == wish_id",
        "by_wish = item_scores.c.briefing_id == item_scores.c.briefing_id",
        WEEKLIES,
        "test_a_weekly_tells_what_dailies_had_no_place_for_and_marks_what_they_told",
    ),
    Mutant(
        SCHEDULE,
        "if due > after and not _is_past(name, last_slot):",
        "if due >= after and not _is_past(name, last_slot):",
        SLOTS,
        "test_times_that_a_gap_makes_one_instant_are_one_slot",
    ),
)
