"""The briefings of a user."""

from __future__ import annotations

from datetime import timedelta

import pytest

from morningdeck.errors import ConfigError, ConflictError, NotFoundError
from morningdeck.model.sending import Plan
from morningdeck.model.wanting import BriefingChanges, NewBriefing
from morningdeck.store.database.connect import Database
from morningdeck.store.tables.briefs import briefings as rows
from morningdeck.store.tables.news import items
from morningdeck.store.views.briefings import Briefings
from tests.conftest import NOW
from tests.factories import DAILY, Stock

TOMORROW = NOW + timedelta(days=1)


@pytest.fixture
def briefings(database: Database) -> Briefings:
    return Briefings(database)


def test_a_briefing_is_shown_as_it_was_wanted(briefings: Briefings, stock: Stock, ada: int) -> None:
    wanted = NewBriefing(
        title=" Week ",
        criteria="ships",
        plan=Plan(7, 5, "Asia/Tokyo", weekday=4),
        channels=("smtp", "folder"),
        recipients=("ada@example.org",),
        max_items=5,
        min_score=40,
        quiet_note=True,
        language="fr",
    )

    view = briefings.add(ada, wanted, now=NOW, next_run_at=TOMORROW)

    assert (view.title, view.frequency, view.weekday) == ("Week", "WEEKLY", "friday")
    assert (view.local_time, view.timezone, view.next_run_at) == ("07:05", "Asia/Tokyo", TOMORROW)
    assert (view.recipients, view.channels) == (("ada@example.org",), ("smtp", "folder"))
    assert (view.max_items, view.min_score, view.quiet_days) == (5, 40, "note")
    assert (view.status, view.paused, view.all_sources) == ("ACTIVE", False, True)
    assert briefings.show(ada, view.id) == view
    assert stock.row(rows, view.id).due_at == TOMORROW


@pytest.mark.parametrize(
    "flaw",
    [
        {"title": " "},
        {"criteria": ""},
        {"plan": Plan(8, 0, "Mars/Olympus")},
        {"recipients": ("ada@example.org", "nobody")},
        {"ping": "https://[ping.example/x"},
        {"ping": "https://ping.example:x/1"},
    ],
)
def test_a_flaw_is_refused_when_it_is_saved(
    briefings: Briefings, ada: int, flaw: dict[str, object]
) -> None:
    values = {"title": "A", "criteria": "b", "plan": DAILY, "channels": ("folder",), **flaw}

    with pytest.raises(ConfigError):
        briefings.add(ada, NewBriefing(**values), now=NOW, next_run_at=TOMORROW)  # type: ignore[arg-type]

    assert briefings.list(ada) == ()


def test_who_is_named_twice_is_a_recipient_once(
    briefings: Briefings, stock: Stock, ada: int
) -> None:
    hooks = ("https://x.example/Hook", "https://x.example/hook")
    twice = ("ada@example.org", "bob@example.org", " ada@EXAMPLE.org", "Ada@example.org", *hooks)
    once = ("ada@example.org", "bob@example.org")

    added = stock.briefing(ada, recipients=twice + hooks, channels=("smtp", "smtp"))
    stored = stock.row(rows, added)
    assert stored.recipients == (*once, *hooks)
    assert stored.channels == ("smtp",)

    view = briefings.edit(
        ada, added, BriefingChanges(recipients=twice[:4]), now=NOW, next_run_at=None
    )
    assert view.recipients == once


def test_named_sources_are_taken_and_no_others(
    briefings: Briefings, stock: Stock, ada: int
) -> None:
    one, two = stock.source(ada, "https://a.example/"), stock.source(ada, "https://b.example/")
    stock.source(ada, "https://c.example/")

    briefing = stock.briefing(ada, source_ids=(two, one))

    view = briefings.show(ada, briefing)
    assert (view.all_sources, view.source_ids) == (False, (one, two))


def test_a_source_of_somebody_else_cannot_be_named(
    briefings: Briefings, stock: Stock, ada: int, bob: int
) -> None:
    his = stock.source(bob)

    with pytest.raises(NotFoundError, match=f"no source {his}"):
        stock.briefing(ada, source_ids=(his,))

    assert briefings.list(ada) == ()


def test_a_new_briefing_asks_for_scores_from_its_own_sources(
    stock: Stock, ada: int, bob: int
) -> None:
    mine, other = stock.source(ada, "https://a.example/"), stock.source(ada, "https://b.example/")
    his = stock.source(bob, "https://c.example/")
    found = [stock.item(source) for source in (mine, other, his)]

    stock.briefing(ada, source_ids=(mine,))
    assert [stock.row(items, one).rescore for one in found] == [True, False, False]

    stock.briefing(ada)
    assert [stock.row(items, one).rescore for one in found] == [True, True, False]


def test_a_briefing_that_is_resumed_owes_nothing_for_the_time_between(
    briefings: Briefings, stock: Stock, ada: int
) -> None:
    briefing = stock.briefing(ada)
    later = NOW + timedelta(days=9)

    assert briefings.pause(ada, briefing).paused
    view = briefings.resume(ada, briefing, now=NOW, next_run_at=later)

    assert (view.paused, view.next_run_at) == (False, later)
    assert stock.row(rows, briefing).due_at == later


def test_what_is_removed_is_gone_with_its_reports(
    briefings: Briefings, stock: Stock, ada: int
) -> None:
    briefing, kept = stock.briefing(ada), stock.briefing(ada)
    stock.report(briefing)

    briefings.remove(ada, briefing)

    assert [view.id for view in briefings.list(ada)] == [kept]


def test_the_briefings_of_others_are_not_there(
    briefings: Briefings, stock: Stock, ada: int, bob: int
) -> None:
    briefing = stock.briefing(ada)
    calls = (
        lambda: briefings.show(bob, briefing),
        lambda: briefings.pause(bob, briefing),
        lambda: briefings.resume(bob, briefing, now=NOW, next_run_at=TOMORROW),
        lambda: briefings.remove(bob, briefing),
    )

    for call in calls:
        with pytest.raises(NotFoundError, match=f"no briefing {briefing}"):
            call()
    assert briefings.list(bob) == ()


def test_lists_start_with_the_newest(briefings: Briefings, stock: Stock, ada: int) -> None:
    ids = [stock.briefing(ada, title=str(number)) for number in range(3)]

    assert [view.id for view in briefings.list(ada, limit=2)] == [ids[2], ids[1]]


def test_a_plan_does_not_change_under_a_run(briefings: Briefings, stock: Stock, ada: int) -> None:
    """Its run would put the next one where the old plan has it."""
    briefing = stock.briefing(ada)
    stock.set(rows, briefing, status="PROCESSING")
    changes = BriefingChanges(title="New", plan=DAILY)

    with pytest.raises(ConflictError, match="being written just now"):
        briefings.edit(ada, briefing, changes, now=NOW, next_run_at=TOMORROW)

    assert briefings.show(ada, briefing).title == "Morning"


def test_a_run_by_hand_that_is_owed_stays_due_whatever_the_plan(
    briefings: Briefings, stock: Stock, ada: int
) -> None:
    briefing = stock.briefing(ada)
    stock.set(rows, briefing, run_requested_at=NOW, due_at=NOW)

    changes = BriefingChanges(plan=DAILY)
    view = briefings.edit(ada, briefing, changes, now=NOW, next_run_at=TOMORROW)

    assert view.next_run_at == TOMORROW
    assert stock.row(rows, briefing).due_at == NOW
