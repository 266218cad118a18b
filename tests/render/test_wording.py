from __future__ import annotations

import re
from dataclasses import replace
from datetime import UTC, datetime

import pytest

from morningdeck import wording
from morningdeck.model.sending import Report

LANGUAGES = ("en", "de", "fr", "es", "it", "nl")


def test_the_subject_leads_with_the_top_story_and_counts_the_others(report: Report) -> None:
    assert wording.subject(report) == "Energy & grid: Batteries carry Texas (+2)"


def test_a_weekly_subject_says_so(report: Report) -> None:
    weekly = replace(report, weekly=True, language="de")
    assert wording.subject(weekly) == "Energy & grid, die Woche: Batteries carry Texas (+2)"


def test_a_quiet_day_names_its_date(report: Report) -> None:
    quiet = replace(report, items=())
    assert wording.subject(quiet) == "Energy & grid: a quiet day, Wednesday 18 November"
    assert wording.overview(quiet).startswith("Nothing new was relevant enough")


def test_a_subject_stays_short_whatever_the_title(report: Report) -> None:
    endless = replace(report.items[0], title="word " * 1000)
    assert len(wording.subject(replace(report, items=(endless,)))) < 110


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("weekly", [False, True])
def test_every_sentence_of_an_overview_cites_items(
    report: Report, language: str, weekly: bool
) -> None:
    text = wording.overview(replace(report, language=language, weekly=weekly))
    sentences = re.split(r"(?<=\])\.(?: |$)", text)[:-1]
    assert len(sentences) == 3
    assert all(re.search(r"\[[123]\]", sentence) for sentence in sentences)


def test_the_overview_names_the_topics_that_stories_share(report: Report) -> None:
    assert wording.overview(report).endswith("Recurring themes: Storage [1], [3].")


def test_one_story_makes_one_sentence(report: Report) -> None:
    alone = replace(report, items=report.items[:1])
    assert wording.overview(alone) == "Leading today: “Batteries carry Texas” [1]."


def test_other_languages_read_as_english(report: Report) -> None:
    assert wording.overview(replace(report, language="pl")) == wording.overview(report)
    assert wording.overview(replace(report, language=None)) == wording.overview(report)


@pytest.mark.parametrize(
    ("language", "expected"),
    [
        ("en", "Wednesday 18 November"),
        ("de-AT", "Mittwoch, 18. November"),
        ("fr", "mercredi 18 novembre"),
        ("es", "miércoles, 18 de noviembre"),
        ("it_IT", "mercoledì 18 novembre"),
        ("nl", "woensdag 18 november"),
    ],
)
def test_the_date_is_written_in_the_briefings_language(
    report: Report, language: str, expected: str
) -> None:
    assert wording.long_date(replace(report, language=language)) == expected


def test_a_report_made_after_midnight_keeps_the_day_of_its_slot(report: Report) -> None:
    late = replace(report, generated_at=datetime(2026, 11, 19, 2, 0, tzinfo=UTC))
    assert wording.long_date(late) == "Wednesday 18 November"


def test_a_manual_report_has_the_date_in_its_own_zone(report: Report) -> None:
    manual = replace(report, slot="manual:3", timezone="Pacific/Auckland")
    evening = replace(manual, generated_at=datetime(2026, 11, 18, 20, 0, tzinfo=UTC))
    assert wording.long_date(evening) == "Thursday 19 November"


@pytest.mark.parametrize(
    ("published_at", "expected"),
    [
        (datetime(2026, 11, 18, 5, 0, tzinfo=UTC), "06:00"),
        (datetime(2026, 11, 17, 22, 30, tzinfo=UTC), "17 November, 23:30"),
        (datetime(2019, 3, 1, 12, 0, tzinfo=UTC), "1 March 2019"),
        (datetime.max.replace(tzinfo=UTC), ""),
        (None, ""),
    ],
)
def test_the_time_of_a_story_is_the_readers(
    report: Report, published_at: datetime | None, expected: str
) -> None:
    assert wording.moment(report, published_at) == expected
