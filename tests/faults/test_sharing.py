"""Several daemons on one PostgreSQL: they share the work, and cover for each other."""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest
from sqlalchemy import Table, func, select

from morningdeck.store.tables.briefs import deliveries
from morningdeck.store.tables.news import sources
from tests.faults.daemon import SHORT_VISITS, Daemon
from tests.faults.feeds import SHARED_ENTRY
from tests.faults.newsroom import Newsroom, dead_work_back, finish, some_moment
from tests.faults.scene import Scene

LEASE_SECONDS = 3
SHORT_LEASE = {"recovery__lease_seconds": LEASE_SECONDS, "recovery__interval_seconds": 1}
SMALL_BATCHES = {
    "fetch__batch": 4,
    "processing__batch": 8,
    "briefing__batch": 4,
}


@pytest.fixture
def staff(
    postgres_url: str, tmp_path: Path, daemon: Callable[..., Daemon]
) -> Callable[..., list[Daemon]]:
    """Daemons with data folders of their own, as on machines of their own."""

    def make(count: int, **settings: object) -> list[Daemon]:
        outbox = str(tmp_path / "outbox")
        return [
            daemon(tmp_path / str(number), postgres_url, delivery__folder=outbox, **settings)
            for number in range(count)
        ]

    return make


def test_h18_two_daemons_share_the_work_and_do_each_job_once(
    postgres_scene: Scene, staff: Callable[..., list[Daemon]], tell: Callable[[object], None]
) -> None:
    room = postgres_scene.room(feeds=40)
    room.add_briefings(20)
    two = staff(2, **SMALL_BATCHES)
    for one in two:
        one.start()
    for one in two:
        one.wait_for_event("started")
    two[0].wait_for(room.finished)
    room.feeds.publish(SHARED_ENTRY - 1)  # no story has to wait for its first item
    account = finish(room, *two)
    shares = [len(one.events("job_finished", stage="processing", status="DONE")) for one in two]
    tell(f"{account} / shares {shares}")
    assert [one.stop() for one in two] == [0, 0]
    assert (account.lost, account.duplicated, account.dead, account.recovered) == (0, 0, 0, 0)
    assert _attempts(room, deliveries) == {1}
    assert sum(shares) == account.attempted  # each once, though some may have been postponed
    assert not [event for one in two for event in one.events("job_finished", status="refused")]
    assert min(shares) > 0


def _attempts(room: Newsroom, table: Table) -> set[int]:
    with room.database.read() as connection:
        return set(connection.scalars(select(table.c.attempts)))


def test_what_a_paused_daemon_held_is_done_by_another_and_its_results_are_refused(
    postgres_scene: Scene, staff: Callable[..., list[Daemon]], tell: Callable[[object], None]
) -> None:
    room = postgres_scene.room(feeds=8)
    room.feeds.publish(5)
    room.feeds.hold()
    sleeper, other = staff(2, **SHORT_LEASE, **SHORT_VISITS)
    sleeper.start().wait_for(lambda: room.feeds.requests.total() == 4)
    sleeper.pause()
    other.start().wait_for_event("lost_work_recovered", stage="fetch")
    room.feeds.let_go()
    other.wait_for(room.finished, pause_seconds=0.2)
    sleeper.resume()
    sleeper.wait_for(lambda: len(sleeper.events("job_finished", status="refused")) >= 4)
    account = finish(room, other, sleeper)
    refused = len(sleeper.events("job_finished", status="refused"))
    tell(f"{account} / {refused} refused of the one that slept")
    assert (account.lost, account.duplicated, account.dead) == (0, 0, 0)
    with room.database.read() as connection:
        assert connection.scalar(select(func.max(sources.c.losses))) == 0


@pytest.mark.parametrize("count", [2, 3])
def test_daemons_killed_and_paused_at_random_cover_for_each_other(
    postgres_scene: Scene,
    count: int,
    staff: Callable[..., list[Daemon]],
    long: bool,
    tell: Callable[[object], None],
) -> None:
    room = postgres_scene.room(feeds=20)
    room.add_briefings(20)
    crew, chance = staff(count, **SHORT_LEASE, **SMALL_BATCHES), random.Random()
    for one in crew:
        one.start()
    rounds = 60 if long else 6
    for number in range(rounds):
        room.feeds.publish(3)
        room.fetch_all()
        room.brief_all(planned=number % 3 == 0)
        victim = chance.choice(crew)
        some_moment(victim, chance)
        if chance.random() < 0.5:
            victim.kill()
            victim.start()
        else:
            _sleep_through_its_lease(victim, [one for one in crew if one is not victim])
    for one in crew:
        one.wait_for_event("started")
    dead = dead_work_back(room, crew[0])
    account = finish(room, *crew)
    refused = sum(len(one.history("job_finished", status="refused")) for one in crew)
    tell(f"{account} / came back {dead} / {refused} refused, {rounds} rounds")
    assert [one.stop() for one in crew] == [0] * count
    assert (account.lost, account.duplicated, account.dead) == (0, 0, 0)


def _sleep_through_its_lease(victim: Daemon, others: Sequence[Daemon]) -> None:
    """Until another took its work over, if it held any."""

    def taken_over() -> int:
        return sum(len(one.events("lost_work_recovered")) for one in others)

    before, patience = taken_over(), time.monotonic() + LEASE_SECONDS + 2
    victim.pause()
    others[0].wait_for(lambda: taken_over() > before or time.monotonic() > patience)
    victim.resume()
