"""Mutants of saved searches: what is told twice, never, to the wrong reader, or at a wrong time."""

from __future__ import annotations

from tests.mutants.mutant import Mutant

MARKS = "morningdeck/store/expressions/alerts.py"
ALERTS = "morningdeck/store/rows/alerts.py"
FOUND = "morningdeck/store/rows/found.py"
SAVED = "morningdeck/store/views/saved_searches.py"
VERB = "morningdeck/brief.py"
MEANT = "morningdeck/actions/search.py"
TESTS = "tests/store/test_saved_searches.py"
TOLD = "tests/store/test_search_alerts.py"
MEANING = "tests/actions/test_by_meaning.py"

OF_ALERTS = (
    Mutant(
        MARKS,
        "case((items.c.enriched_by.is_(None), _LAST), else_=items.c.searches_before)",
        "_LAST",
        TESTS,
        "test_what_comes_is_found_and_what_was_there_never",
    ),
    Mutant(
        "morningdeck/alerting.py",
        "(one.searches_before or 0) >= search.id",
        "search",
        TESTS,
        "test_what_is_done_and_not_looked_at_was_there_before_a_later_search",
    ),
    Mutant(
        SAVED,
        "self._database.hold_writers(connection, items)",
        "pass",
        TESTS,
        "test_a_search_that_is_saved_meanwhile_sees_what_commits_later",
    ),
    Mutant(
        ALERTS,
        "tuple_(items.c.id, items.c.alert_mark).in_(marks)",
        "items.c.id.in_([one.id for one in looked_at])",
        TESTS,
        "test_an_item_that_changes_while_it_is_looked_at_is_looked_at_again",
    ),
    Mutant(
        ALERTS,
        "and search_id in kept",
        "",
        TESTS,
        "test_a_search_that_is_removed_while_others_look_is_no_trouble",
    ),
    Mutant(
        ALERTS,
        'briefings.c.status == "ACTIVE",',
        "",
        TOLD,
        "test_what_is_found_while_a_mail_is_written_goes_with_the_next",
    ),
    Mutant(
        ALERTS,
        "saved_searches.c.briefing_id.is_not(None), users.c.enabled",
        "saved_searches.c.briefing_id.is_not(None)",
        TOLD,
        "test_who_is_disabled_is_told_nothing",
    ),
    Mutant(
        MARKS,
        "~subscriptions.c.paused,",
        "",
        TOLD,
        "test_a_paused_source_alerts_when_it_is_resumed",
    ),
    Mutant(
        MARKS,
        "items.c.first_seen_at > since,",
        "",
        TOLD,
        "test_what_came_too_long_ago_is_no_news",
    ),
    Mutant(
        "morningdeck/store/results/written.py",
        "_mark_found(connection, written.found, report.id)",
        "pass",
        TOLD,
        "test_a_find_goes_out_at_once_and_once",
    ),
    Mutant(
        FOUND,
        "if number >= most:",
        "if number > most:",
        TOLD,
        "test_more_than_so_many_a_day_wait_for_the_next_and_go_together",
    ),
    Mutant(
        FOUND,
        "if left is not None:",
        "if False:",
        TOLD,
        "test_a_mail_that_was_cut_off_is_written_once",
    ),
    Mutant(
        VERB,
        "if not quiet(minute, timezone)",
        "",
        TOLD,
        "test_quiet_hours_put_a_mail_off_until_they_are_over",
    ),
    Mutant(
        "morningdeck/store/views/users.py",
        'timezone=values["timezone"]',
        "timezone=briefings.c.timezone",
        TOLD,
        "test_the_day_of_a_limit_is_its_readers",
    ),
    Mutant(
        "morningdeck/selection.py",
        "if story in told:",
        "if False:",
        TOLD,
        "test_one_story_has_one_place_and_one_mail_tells_nothing_twice",
    ),
    Mutant(
        "morningdeck/edition.py",
        "if story_of(one) not in told]",
        "]",
        TOLD,
        "test_what_a_search_tells_has_no_place_elsewhere",
    ),
    Mutant(
        "morningdeck/store/expressions/briefings.py",
        "briefings.c.section_of.is_(None), ~briefings.c.at_once",
        "briefings.c.section_of.is_(None)",
        TOLD,
        "test_what_tells_of_a_search_is_no_briefing_to_its_reader",
    ),
    Mutant(
        "morningdeck/store/notices/troubles.py",
        "change(connection, search_hits, search_hits.c.report_id == report_id, report_id=None)",
        "pass",
        TOLD,
        "test_what_a_report_told_that_reached_nobody_comes_again",
    ),
    Mutant(
        "morningdeck/store/notices/troubles.py",
        ".where(~reports.c.slot.startswith(AT_ONCE_SLOT))",
        "",
        TOLD,
        "test_a_mail_that_all_refuse_is_not_written_again_by_itself",
    ),
    Mutant(
        SAVED,
        "check_briefing(connection, user_id, briefing_id)",
        "pass",
        TESTS,
        "test_nobody_is_told_of_what_only_others_read",
    ),
    Mutant(
        MEANT,
        "if item_id in kept",
        "",
        MEANING,
        "test_nobody_finds_what_only_others_read",
    ),
    Mutant(
        MEANT,
        "limits(query.asked.asks)",
        "query.asked.asks",
        MEANING,
        "test_it_finds_what_is_near_without_the_words",
    ),
    Mutant(
        "morningdeck/asked/meant.py",
        "AllOf() if AllOf() in kept else AnyOf(kept)",
        "AnyOf(kept)",
        "tests/asked/test_meant.py",
        "test_plain_words_tell_the_subject_and_all_else_limits",
    ),
    Mutant(
        "morningdeck/asked/parse.py",
        'f"{text} "',
        "text",
        TOLD,
        "test_the_last_word_of_a_saved_search_is_a_whole_one",
    ),
)
