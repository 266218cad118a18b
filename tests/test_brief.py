"""The briefing verb: which slot a run stands for, what it writes, what it only records."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import replace
from datetime import datetime, timedelta

import pytest

from morningdeck.brief import brief, owed, preview_report
from morningdeck.errors import PermanentError
from morningdeck.model.sending import Briefing, Candidate, Envelope, Plan, Rendered, Report, Written
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
        self.tellers: dict[int, tuple[tuple[int, str], ...]] = {}
        self.written: set[str | None] = set()
        self.opened: list[str | None] = []
        self.asked_since: list[datetime] = []
        self._candidates = candidates

    def load(self, briefing_id: int) -> Briefing | None:
        return self.briefing if self.briefing and self.briefing.id == briefing_id else None

    def candidates(self, briefing: Briefing, since: datetime) -> tuple[Candidate, ...]:
        self.asked_since.append(since)
        return self._candidates

    def open_report(self, briefing_id: int, slot: str | None) -> int | None:
        self.opened.append(slot)
        return None if slot in self.written else 77

    def also_in(
        self, user_id: int, story_ids: Collection[int]
    ) -> Mapping[int, tuple[tuple[int, str], ...]]:
        return {story: self.tellers[story] for story in story_ids if story in self.tellers}

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

    assert result.weighed == (1, 2, 3)
    assert result.report is not None
    assert [item.item_id for item in result.report.items] == [1]
    assert (result.report.weighed, result.report.subject) == (3, "Morning: Item 1")


def test_a_snapshot_names_the_other_sources_that_tell_its_story() -> None:
    shelf = ShelfOfBriefings(BRIEFING, candidate(1, story_id=7, source_id=3), candidate(2))
    shelf.tellers[7] = ((3, "News"), (4, "Post"), (5, "Times"))
    result = written(shelf)

    assert result.report is not None
    assert [(item.position, item.also_in) for item in result.report.items] == [
        (1, ()),
        (2, ("Post", "Times")),
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
    assert (report.slot, report.subject, shelf.opened) == ("preview", "Morning: Item 2 (+1)", [])
