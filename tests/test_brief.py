"""The briefing verb: which slot a run stands for, what it writes, what it only records."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import replace
from datetime import date, datetime, timedelta

import pytest

from morningdeck.brief import brief, owed, preview_report
from morningdeck.errors import PermanentError
from morningdeck.model.alerting import Found
from morningdeck.model.sending import (
    Briefing,
    Envelope,
    Movement,
    Plan,
    Rendered,
    Report,
    Teller,
    ToldBefore,
    Undelivered,
    Untold,
    Written,
)
from morningdeck.model.weighing import Candidate
from morningdeck.work import Done, Failed, Job, Outcome, Postponed, Stage
from tests.conftest import NOW
from tests.test_selection import candidate

DAY = timedelta(days=1)
DAILY = Plan(7, 0, "UTC")
WEEKLY = Plan(7, 0, "UTC", weekday=2)
BRIEFING = Briefing(
    id=5,
    user_id=1,
    title="Morning",
    plan=DAILY,
    recipients=(),
    channels=("folder",),
    max_items=10,
    min_score=0,
    per_source=3,
    language=None,
    quiet_note=False,
    next_run_at=NOW,
    manual=False,
    user_email="ada@example.org",
)


class ShelfOfBriefings:
    """The port `BriefingRows` with one briefing; keeps what was opened."""

    def __init__(self, briefing: Briefing | None, *candidates: Candidate) -> None:
        self.briefing = briefing
        self.told_by: dict[int, dict[int, Teller]] = {}
        self.told_daily: set[tuple[int | None, int | None]] = set()
        self.written: set[str | None] = set()
        self.opened: list[str | None] = []
        self.asked_since: list[datetime] = []
        self.hits: tuple[Found, ...] = ()
        self.at_once_id: int | None = 78
        self._candidates = candidates

    def load(self, briefing_id: int) -> Briefing | None:
        return self.briefing if self.briefing and self.briefing.id == briefing_id else None

    def candidates(self, briefing: Briefing, since: datetime) -> tuple[Candidate, ...]:
        self.asked_since.append(since)
        return self._candidates

    def found(self, briefing: Briefing, since: datetime) -> tuple[Found, ...]:
        return self.hits

    def open_at_once(self, briefing: Briefing, day: date, most: int) -> int | None:
        self.opened.append(f"{day} of {most}")
        return self.at_once_id

    def open_report(self, briefing_id: int, slot: str | None) -> int | None:
        self.opened.append(slot)
        return None if slot in self.written else 77

    def tellers(
        self, user_id: int, story_ids: Collection[int]
    ) -> Mapping[int, Mapping[int, Teller]]:
        return {story: self.told_by[story] for story in story_ids if story in self.told_by}

    def minutes(self, item_ids: Collection[int]) -> Mapping[int, int]:
        return {1: 4}

    def told_before(
        self, briefing: Briefing, story_ids: Collection[int]
    ) -> Mapping[int, ToldBefore]:
        return {}

    def told_by_dailies(
        self, briefing: Briefing, since: datetime
    ) -> Collection[tuple[int | None, int | None]]:
        return self.told_daily

    def topics(self, user_id: int) -> Mapping[int, Movement]:
        return {}

    def undelivered(self, briefing: Briefing) -> tuple[Undelivered, ...]:
        return ()

    def has_reports(self, briefing_id: int) -> bool:
        return bool(self.written)

    def untold(self, user_id: int) -> tuple[Untold, ...]:
        told = Untold(5, "The budget is spent")
        return (told,) if self.briefing and user_id == self.briefing.user_id else ()

    def broken_sources(self, briefing_id: int) -> tuple[str, ...]:
        return ("Broken",)


class PlainWriter:
    """The port `ReportWriter`, in one line."""

    def render(self, report: Report) -> Rendered:
        return Rendered(report.subject, "text", "page")

    def envelopes(
        self, briefing: Briefing, report: Report, rendered: Rendered
    ) -> tuple[Envelope, ...]:
        return (Envelope("folder", "folder", "<1@x>", b"bytes"),)


def outcome(shelf: ShelfOfBriefings, now: datetime = NOW) -> Outcome:
    job = Job(Stage.BRIEFING, 5, 1)
    return brief(job, briefings=shelf, writer=PlainWriter(), clock=lambda: now)


def written(shelf: ShelfOfBriefings, now: datetime = NOW) -> Written:
    found = outcome(shelf, now)
    assert isinstance(found, Done)
    assert isinstance(found.result, Written)
    assert found.due_at == found.result.next_run_at
    return found.result


@pytest.mark.parametrize(
    ("recipients", "told"),
    [
        ((), True),
        (("ada@example.org",), True),
        (("ada@example.org", "bob@example.org"), False),
        (("https://hooks.example/team",), False),
    ],
)
def test_links_that_may_be_their_readers_own_are_for_one_reader(
    recipients: tuple[str, ...], told: bool
) -> None:
    letter = {"url": "https://letters.example/7?u=ada", "private": True, "story_id": 3}
    shelf = ShelfOfBriefings(
        replace(BRIEFING, recipients=recipients),
        candidate(1, 90, **letter),
        candidate(2, 80, url="https://paper.example/wind"),
    )
    also = Teller("Letter", "https://other.example/8?u=ada", private=True)
    shelf.told_by = {3: {7: also, 8: Teller("Paper", "https://paper.example/sea")}}

    first, second = preview_report(shelf.load(5) or BRIEFING, briefings=shelf, now=NOW).items

    own = (first.url is not None, first.also_in[0].url is not None)
    assert own == (told, told)
    assert (second.url, first.also_in[1].url) == (
        "https://paper.example/wind",
        "https://paper.example/sea",
    )


def test_no_place_has_a_name_and_password_in_its_link() -> None:
    shelf = ShelfOfBriefings(
        BRIEFING,
        candidate(1, 90, url="https://ada:hunter2@paper.example:8443/a?b=c@d", story_id=3),
        candidate(2, 80, url="http://[broken"),
        candidate(3, 70, url="mailto:ada@paper.example"),
    )
    shelf.told_by = {3: {7: Teller("Paper", "http://ada:hunter2@other.example/")}}

    places = preview_report(BRIEFING, briefings=shelf, now=NOW).items

    assert [place.url for place in places] == [
        "https://paper.example:8443/a?b=c@d",
        "http://[broken",
        "mailto:ada@paper.example",
    ]
    assert places[0].also_in == (Teller("Paper", "http://other.example/"),)


# ---- which slot


def test_a_run_in_time_writes_its_slot_and_plans_the_next() -> None:
    result = written(ShelfOfBriefings(BRIEFING, candidate(1)))

    assert result.slot == "2026-11-18"
    assert (result.missed, result.next_run_at) == ((), NOW + DAY)
    assert result.report is not None


def test_a_run_that_comes_too_early_waits_for_its_time() -> None:
    early = NOW - timedelta(seconds=1)

    assert outcome(ShelfOfBriefings(BRIEFING), early) == Postponed(NOW)


def test_a_daily_run_is_made_up_for_twelve_hours_and_not_a_second_longer() -> None:
    late = NOW + timedelta(hours=12)

    assert owed(BRIEFING, late).writes
    assert owed(BRIEFING, late).next_run_at == NOW + DAY
    missed = owed(BRIEFING, late + timedelta(seconds=1))
    assert (missed.writes, missed.missed) == (False, ("2026-11-18",))


def test_a_weekly_run_is_made_up_for_two_days_and_not_a_second_longer() -> None:
    weekly = replace(BRIEFING, plan=WEEKLY)
    late = NOW + timedelta(hours=48)

    assert (owed(weekly, late).writes, owed(weekly, late).slot) == (True, "2026-W47")
    missed = owed(weekly, late + timedelta(seconds=1))
    assert (missed.writes, missed.missed) == (False, ("2026-W47",))
    assert missed.next_run_at == NOW + 7 * DAY


def test_after_days_away_only_the_last_slot_is_written() -> None:
    result = written(ShelfOfBriefings(BRIEFING), NOW + 3 * DAY + timedelta(hours=1))

    assert result.missed == ("2026-11-18", "2026-11-19", "2026-11-20")
    assert (result.slot, result.next_run_at) == ("2026-11-21", NOW + 4 * DAY)


def test_what_is_too_late_is_only_recorded() -> None:
    shelf = ShelfOfBriefings(BRIEFING, candidate(1))
    result = written(shelf, NOW + timedelta(hours=13))

    assert (result.report, result.weighed, shelf.opened) == (None, (), [])
    assert result.missed == ("2026-11-18",)


def test_a_slot_that_was_written_already_is_not_written_again() -> None:
    shelf = ShelfOfBriefings(BRIEFING, candidate(1))
    shelf.written.add("2026-11-18")
    result = written(shelf)

    assert (result.report, result.envelopes) == (None, ())
    assert (result.slot, result.next_run_at) == ("2026-11-18", NOW + DAY)


def test_a_manual_run_leaves_the_plan_alone() -> None:
    tomorrow = replace(BRIEFING, manual=True, next_run_at=NOW + DAY)
    shelf = ShelfOfBriefings(tomorrow, candidate(1))
    result = written(shelf)

    assert shelf.opened == [None]
    assert (result.slot, result.missed, result.next_run_at) == (None, (), NOW + DAY)
    assert result.report is not None


def test_a_briefing_that_is_gone_is_no_error_for_ever() -> None:
    found = outcome(ShelfOfBriefings(None))

    assert isinstance(found, Failed)
    assert found.permanent


# ---- what it says


def test_every_candidate_counts_as_weighed_chosen_or_not() -> None:
    strict = replace(BRIEFING, min_score=60, max_items=1)
    shelf = ShelfOfBriefings(strict, candidate(1, 90), candidate(2, 80), candidate(3, 10))
    result = written(shelf)

    assert result.weighed == ((5, 1), (5, 2), (5, 3))
    assert result.report is not None
    assert [item.item_id for item in result.report.items] == [1]
    assert (result.report.weighed, result.report.subject) == (3, "Item 1")


def test_a_snapshot_names_the_other_sources_that_tell_its_story() -> None:
    shelf = ShelfOfBriefings(BRIEFING, candidate(1, story_id=7, source_id=3), candidate(2))
    post, times = Teller("Post", "https://post.example/7"), Teller("Times")
    own, again = Teller("News"), Teller("Post", "https://post.example/7?feed=sports")
    shelf.told_by[7] = {3: Teller("News"), 4: post, 5: times, 6: again, 8: own}
    result = written(shelf)

    assert result.report is not None
    assert [(item.position, item.also_in) for item in result.report.items] == [
        (1, ()),
        (2, (post, times)),
    ]
    assert result.report.broken_sources == ("Broken",)


def test_candidates_go_back_a_week_or_ten_days() -> None:
    daily = ShelfOfBriefings(BRIEFING)
    weekly = ShelfOfBriefings(replace(BRIEFING, plan=WEEKLY))
    written(daily)
    written(weekly)

    assert daily.asked_since == [NOW - 7 * DAY]
    assert weekly.asked_since == [NOW - 10 * DAY]


def test_an_empty_day_sends_nothing_unless_a_note_is_wanted() -> None:
    silent = written(ShelfOfBriefings(BRIEFING))
    noted = written(ShelfOfBriefings(replace(BRIEFING, quiet_note=True)))

    assert (silent.envelopes, len(noted.envelopes)) == ((), 1)
    assert silent.report is not None
    assert silent.report.items == ()


def test_news_that_would_go_to_nobody_is_not_swallowed() -> None:
    class Nobody(PlainWriter):
        def envelopes(
            self, briefing: Briefing, report: Report, rendered: Rendered
        ) -> tuple[Envelope, ...]:
            return ()

    def run(*candidates: Candidate) -> Outcome:
        shelf = ShelfOfBriefings(BRIEFING, *candidates)
        job = Job(Stage.BRIEFING, 5, 1)
        return brief(job, briefings=shelf, writer=Nobody(), clock=lambda: NOW)

    assert isinstance(run(), Done)
    with pytest.raises(PermanentError, match="it goes to nobody: folder needs an address"):
        run(candidate(1))


def test_a_preview_is_what_would_be_sent_and_opens_nothing() -> None:
    shelf = ShelfOfBriefings(BRIEFING, candidate(1), candidate(2))
    report = preview_report(BRIEFING, briefings=shelf, now=NOW)

    assert [item.item_id for item in report.items] == [2, 1]
    assert (report.slot, report.subject, shelf.opened) == ("preview", "Item 2 (+1)", [])


# ---- what else its user must know


def test_notices_go_along_but_for_quiet_hours() -> None:
    shelf = ShelfOfBriefings(BRIEFING, candidate(1))
    job = Job(Stage.BRIEFING, BRIEFING.id, 1)
    found = brief(
        job,
        briefings=shelf,
        writer=PlainWriter(),
        clock=lambda: NOW,
        quiet=lambda at, timezone: (at, timezone) == (NOW, "UTC"),
    )

    report = written(shelf).report
    assert report is not None
    assert [one.text for one in report.untold] == ["The budget is spent"]
    assert isinstance(found, Done)
    assert isinstance(found.result, Written)
    assert found.result.report is not None
    assert found.result.report.untold == ()


def test_a_mail_that_others_read_too_has_no_notices() -> None:
    two = replace(BRIEFING, recipients=("ada@example.org", "bob@example.org"))

    report = written(ShelfOfBriefings(two, candidate(1))).report

    assert report is not None
    assert report.untold == ()
