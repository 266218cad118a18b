"""A daemon that is killed or told to stop while it works, and sources that must not be read."""

from __future__ import annotations

import signal
import time
from collections.abc import Callable, Sequence
from datetime import timedelta
from functools import partial
from typing import Any

from sqlalchemy import Row, select, update

from morningdeck.app import system_clock
from morningdeck.store.queue.protocol import SqlJobStore
from morningdeck.store.tables.news import items, sources
from morningdeck.work import LOSSES_ALLOWED, Stage
from tests.faults.audit import Account, recovered
from tests.faults.daemon import SHORT_VISITS
from tests.faults.newsroom import Newsroom, finish
from tests.faults.scene import Scene

QUEUED = 500
PATIENCE_SECONDS = 20


def _count(room: Newsroom, *statuses: str) -> int:
    query = select(items.c.id).where(items.c.status.in_(statuses))
    with room.database.read() as connection:
        return len(connection.execute(query).all())


def _sources(room: Newsroom) -> Sequence[Row[Any]]:
    with room.database.read() as connection:
        return connection.execute(select(sources)).all()


def test_h2_what_was_queued_at_a_kill_is_resumed_at_once(
    sqlite_scene: Scene, tell: Callable[[object], None]
) -> None:
    room = sqlite_scene.room(feeds=20)
    room.feeds.publish(30)
    sqlite_scene.daemon(processing__enabled=False).command("run", "--once", "--no-web")
    one = sqlite_scene.daemon()
    one.start().wait_for_event("job_finished", stage="processing")
    one.kill()
    (begun,) = one.events("started")
    # more than it ever claims ahead by itself
    store = SqlJobStore(room.database, {}, lease=timedelta(minutes=10))
    store.claim(Stage.PROCESSING, QUEUED, f"{begun['node']}:killed", system_clock())
    queued = _count(room, "PENDING")
    assert queued >= QUEUED
    back = one.start().wait_for_event("job_finished", stage="processing")
    account = finish(room, one)
    tell(f"{account} / {queued} were queued, resumed after {back:.1f} s")
    assert (account.lost, account.duplicated, account.dead) == (0, 0, 0)
    assert account.recovered >= queued
    assert back < 30


def test_a_source_that_kills_its_daemon_rests_after_the_third_time(sqlite_scene: Scene) -> None:
    room = sqlite_scene.room(feeds=1)
    room.feeds.hold()
    one = sqlite_scene.daemon(**SHORT_VISITS, logging__level="DEBUG")
    for deaths in range(1, LOSSES_ALLOWED + 1):
        one.start().wait_for(partial(asked, room, deaths))
        one.kill()
    one.start().wait_for_event("own_work_taken_back", stage="fetch")
    assert one.stop() == 0
    (source,) = _sources(room)
    assert source.last_error == "its worker was lost 3 times in a row"
    assert source.due_at > system_clock() + timedelta(minutes=1)
    assert one.history("job_put_off", stage="fetch")  # in between


def asked(room: Newsroom, times: int) -> bool:
    return room.feeds.requests.total() >= times


def test_h6_only_what_is_due_and_wanted_is_fetched(
    sqlite_scene: Scene, tell: Callable[[object], None]
) -> None:
    room = sqlite_scene.room(feeds=250)
    room.feeds.publish(1)
    now, hers = system_clock(), room.subscriptions
    groups = [room.source_ids[start : start + 50] for start in range(0, 250, 50)]
    paused, unread, failing, early, due = groups
    for source_id in paused:
        hers.pause(room.user_id, source_id)
    for source_id in unread:
        hers.remove(room.user_id, source_id)
    later = {"due_at": now + timedelta(hours=1)}
    with room.database.write() as connection:
        connection.execute(
            update(sources).where(sources.c.id.in_(failing)).values(failures=5, **later)
        )
        connection.execute(update(sources).where(sources.c.id.in_(early)).values(**later))
    one = sqlite_scene.daemon()
    one.command("run", "--once", "--no-web")
    with room.database.read() as connection:
        fetched = connection.scalars(select(sources.c.id).where(sources.c.attempts > 0)).all()
    tell(
        Account(
            attempted=len(due),
            done=len(set(fetched) & set(due)),
            lost=len(set(due) - set(fetched)),
            duplicated=room.feeds.requests.total() - len(due),
            recovered=recovered(one),
            dead=_count(room, "ERROR"),
        )
    )
    assert set(fetched) == set(due)
    assert sorted(room.feeds.requests.values()) == [1] * 50


def test_h13_a_source_paused_during_its_fetch_stays_paused(sqlite_scene: Scene) -> None:
    room = sqlite_scene.room(feeds=2)
    room.feeds.publish(1)
    room.feeds.hold()
    one = sqlite_scene.daemon().start()
    one.wait_for(lambda: room.feeds.requests.total() == 2)
    paused, other = (room.subscriptions.show(room.user_id, number) for number in room.source_ids)
    one.command("source", "pause", str(paused.id))
    room.feeds.let_go()
    one.wait_for(lambda: len(one.events("job_finished", stage="fetch")) == 2)
    room.fetch_all()
    one.wait_for(lambda: room.feeds.requests[_feed(other.url)] == 2)
    assert one.stop() == 0
    assert room.feeds.requests[_feed(paused.url)] == 1
    view = room.subscriptions.show(room.user_id, paused.id)
    assert (view.paused, view.items) == (True, 1)


def _feed(url: str) -> int:
    return int(url.rpartition("/")[2])


def test_h17_a_stop_finishes_what_runs_and_gives_the_rest_back(
    scene: Scene, tell: Callable[[object], None]
) -> None:
    room = scene.room(feeds=40)
    room.feeds.publish(5)
    room.feeds.hold()
    one = scene.daemon(shutdown_seconds=PATIENCE_SECONDS).start()
    one.wait_for(lambda: room.feeds.requests.total() == 4)
    one.signal(signal.SIGTERM)
    told = time.monotonic()
    one.wait_for_event("stopping")
    room.feeds.let_go()
    code = one.ended()
    seconds = time.monotonic() - told
    rows = _sources(room)
    begun = [row for row in rows if row.attempts]
    given_back = sum(row.status == "IDLE" and not row.attempts for row in rows)
    account = Account(
        attempted=len(rows),
        done=sum(row.last_success_at is not None for row in rows),
        lost=len(rows) - len(begun) - given_back,
        duplicated=room.feeds.requests.total() - len(begun),
        recovered=recovered(one),
        dead=_count(room, "ERROR"),
    )
    tell(f"{account} / {given_back} given back, stopped in {seconds:.1f} s")
    assert (code, len(begun), given_back) == (0, 4, 36)
    assert {(row.status, row.claimed_by, row.failures, row.losses) for row in rows} == {
        ("IDLE", None, 0, 0)
    }
    assert all(row.last_success_at for row in begun)
    assert _count(room, "ERROR", "PENDING", "PROCESSING") == 0
    assert seconds < PATIENCE_SECONDS


def test_h17_a_worker_that_hangs_is_cut_off_when_patience_ends(
    sqlite_scene: Scene, tell: Callable[[object], None]
) -> None:
    room = sqlite_scene.room(feeds=1)
    room.feeds.publish(3)
    room.feeds.hold()
    one = sqlite_scene.daemon(shutdown_seconds=1, **SHORT_VISITS).start()
    one.wait_for(room.feeds.requests.total)
    told = time.monotonic()
    assert one.stop() == 0
    seconds = time.monotonic() - told
    assert one.events("work_cut_off")
    (source,) = _sources(room)
    assert (source.status, source.claimed_by, source.failures) == ("IDLE", None, 0)
    room.feeds.let_go()
    one.start()
    account = finish(room, one)
    tell(f"{account} / cut off after {seconds:.1f} s of 1 s")
    assert (account.lost, account.duplicated, account.dead, account.recovered) == (0, 0, 0, 0)


def test_h17_a_second_signal_ends_at_once(
    sqlite_scene: Scene, tell: Callable[[object], None]
) -> None:
    room = sqlite_scene.room(feeds=1)
    room.feeds.hold()
    one = sqlite_scene.daemon(shutdown_seconds=60).start()
    one.wait_for(room.feeds.requests.total)
    one.signal(signal.SIGTERM)
    one.wait_for_event("stopping")
    told = time.monotonic()
    one.signal(signal.SIGTERM)
    code = one.ended()
    seconds = time.monotonic() - told
    tell(f"ended {seconds:.2f} s after the second signal")
    assert code == 128 + signal.SIGTERM
    assert seconds < 10
