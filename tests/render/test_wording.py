from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime

import pytest

from morningdeck import wording
from morningdeck.languages import LANGUAGES
from morningdeck.model.sending import Report
from tests.render.editions import EVERY


def test_the_subject_is_the_top_story_and_counts_the_others(report: Report) -> None:
    short = replace(report.items[0], title="Batteries carry Texas")
    items = (short, *report.items[1:])
    assert wording.subject(replace(report, items=items)) == "Batteries carry Texas (+7)"
    assert wording.subject(replace(report, items=items[:1])) == "Batteries carry Texas"
    assert wording.subject(replace(report, items=items), "A top") == "A top (+7)"


def test_a_weekly_subject_says_so(report: Report) -> None:
    weekly = replace(report, weekly=True, language="de")
    assert wording.subject(weekly) == "Die Woche: Skerry Bank sends first power ashore… (+7)"


def test_the_subject_of_what_a_search_finds_says_which_search(report: Report) -> None:
    found = replace(report, slot="at-once:2026-11-18/1", briefing_title="Quay 9")
    assert wording.subject(found) == "Quay 9: Skerry Bank sends first power ashore through… (+7)"
    long = replace(found, briefing_title="A search with a name that has no end")
    assert wording.subject(long).startswith("A search with a name…: Skerry")
    assert len(wording.subject(long)) <= 60


def test_a_quiet_day_names_its_date(report: Report) -> None:
    quiet = replace(report, items=())
    assert wording.subject(quiet) == "Energy & harbour: a quiet day, 18 November"
    assert wording.overview(quiet).startswith("Nothing new was on your subject.")


@pytest.mark.parametrize("name", EVERY)
def test_no_subject_is_longer_than_a_list_of_mails_shows(name: str) -> None:
    assert 0 < len(EVERY[name].subject) <= 60


def test_a_subject_stays_short_whatever_the_titles_are(report: Report) -> None:
    endless = replace(report.items[0], title="word " * 1000)
    assert len(wording.subject(replace(report, items=(endless,) * 2000))) <= 60
    quiet = replace(report, items=(), briefing_title="word " * 1000, language="pt", weekly=True)
    assert len(wording.subject(quiet)) <= 60
    assert "word" in wording.subject(quiet)


def test_without_a_model_the_overview_says_how_much_there_is(report: Report) -> None:
    assert wording.overview(report) == "8 stories from 5 papers, 1 minute"
    assert wording.overview(replace(report, language="de")) == "8 Meldungen aus 5 Quellen, 1 Minute"
    alone = replace(report, items=report.items[3:4])
    assert wording.overview(alone) == "1 story from 1 paper, 1 minute"


def test_long_summaries_take_longer_to_read(report: Report) -> None:
    lead = replace(report.items[0], summary="Eight words that say what has happened here. " * 50)
    assert wording.minutes_of(replace(report, items=(lead,))) == 2


def test_the_stories_of_each_section_take_their_time(report: Report) -> None:
    story = replace(report.items[0], summary="Eight words that say what has happened here. " * 5)
    parts = [replace(story, section=f"Part {n // 3}", position=n) for n in range(15)]
    at_first = [replace(one, section="") for one in parts]

    assert wording.minutes_of(replace(report, items=tuple(parts))) == 4
    assert wording.minutes_of(replace(report, items=tuple(at_first))) == 2


def test_other_languages_read_as_english(report: Report) -> None:
    assert wording.overview(replace(report, language="pl")) == wording.overview(report)
    assert wording.overview(replace(report, language=None)) == wording.overview(report)


@pytest.mark.parametrize(
    ("language", "day", "week"),
    [
        ("en", "Wednesday 18 November", "12–18 Nov"),
        ("de-AT", "Mittwoch, 18. November", "12.–18. Nov."),
        ("fr", "mercredi 18 novembre", "12–18 nov."),
        ("es", "miércoles, 18 de noviembre", "12–18 de noviembre"),
        ("it_IT", "mercoledì 18 novembre", "12–18 nov"),
        ("nl", "woensdag 18 november", "12–18 nov"),
        ("pt-BR", "quarta-feira, 18 de novembro", "12\u2009–\u200918 de nov."),
    ],
)
def test_the_date_is_written_in_the_briefings_language(
    report: Report, language: str, day: str, week: str
) -> None:
    assert wording.long_date(replace(report, language=language)) == day
    assert wording.long_date(replace(report, language=language, weekly=True)) == week


@pytest.mark.parametrize("slot", ["2026-11-18", "2026-11-18/18:00"])
def test_a_report_made_after_midnight_keeps_the_day_of_its_slot(report: Report, slot: str) -> None:
    late = replace(report, slot=slot, generated_at=datetime(2026, 11, 19, 2, 0, tzinfo=UTC))
    assert wording.long_date(late) == "Wednesday 18 November"


def test_a_manual_report_has_the_date_in_its_own_zone(report: Report) -> None:
    manual = replace(report, slot="manual:3", timezone="Pacific/Auckland")
    evening = replace(manual, generated_at=datetime(2026, 11, 18, 20, 0, tzinfo=UTC))
    assert wording.long_date(evening) == "Thursday 19 November"


@pytest.mark.parametrize(
    ("at", "moment", "since"),
    [
        (datetime(2026, 11, 18, 5, 0, tzinfo=UTC), "06:00", "Since 06:00:"),
        (
            datetime(2026, 11, 17, 22, 30, tzinfo=UTC),
            "Tuesday 17 November, 23:30",
            "Since yesterday:",
        ),
        (
            datetime(2026, 11, 15, 22, 30, tzinfo=UTC),
            "Sunday 15 November, 23:30",
            "Since 15 November:",
        ),
    ],
)
def test_times_are_the_readers(report: Report, at: datetime, moment: str, since: str) -> None:
    assert wording.moment(report, at) == moment
    assert wording.since_when(report, at) == since


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_language_says_all_of_a_week(language: str) -> None:
    weekly = worded_week(language)
    assert weekly.subject.endswith("(+7)")
    assert any(sign.isdigit() for sign in weekly.overview)


def worded_week(language: str) -> Report:
    return wording.worded(replace(EVERY["weekly"], language=language))
