"""Commands for what went wrong, and commands beside a daemon that does the same."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from signal import SIGINT

import pytest
from sqlalchemy import select, update

from morningdeck.app import system_clock
from morningdeck.store.tables.news import items, sources
from tests.faults.newsroom import Newsroom, finish
from tests.faults.scene import Scene
from tests.waiting import until

BUSY = 1
ROUNDS = 3


def test_dead_letters_are_listed_retried_and_purged(
    scene: Scene, tell: Callable[[object], None]
) -> None:
    room = scene.room(feeds=1)
    room.feeds.publish(5)
    one = scene.daemon(processing__enabled=False)
    one.command("run", "--once", "--no-web")
    _die(room, last_error="it was poison")
    letters = one.command("queue", "dead")
    assert len(letters) == 5
    assert {letter["error"] for letter in letters} == {"it was poison"}
    assert one.command("queue", "retry", str(letters[0]["id"])) == {"retried": 1}
    assert one.command("queue", "retry", "--all") == {"retried": 4}
    two = scene.daemon()
    two.command("run", "--once", "--no-web")
    account = room.account(two)
    tell(account)
    assert (account.lost, account.dead) == (0, 0)
    _die(room, started_at=system_clock() - timedelta(days=15))
    assert one.command("queue", "purge", "--older-than", "20d") == {"purged": 0}
    assert one.command("queue", "purge", "--older-than", "14d") == {"purged": 5}
    assert one.command("queue", "dead") == []
    assert "nothing" in one.command("queue", "retry", "1", code=1)


def _die(room: Newsroom, **values: object) -> None:
    dead = update(items).values(status="ERROR", processed_at=None, **values)
    with room.database.write() as connection:
        connection.execute(dead)


def test_a_briefing_run_by_hand_and_by_the_daemon_at_once_is_told_once(
    scene: Scene, tell: Callable[[object], None]
) -> None:
    room = scene.room(feeds=4)
    (briefing_id,) = room.add_briefings(1)
    one = scene.daemon().start()
    one.wait_for_event("started")
    codes = []
    for number in range(ROUNDS):
        room.feeds.publish(2)
        room.fetch_all()
        one.wait_for(room.finished, pause_seconds=0.1)
        hands = [one.begin_command("briefing", "run", str(briefing_id)) for _ in range(2)]
        room.brief_all(planned=number % 2 == 0)
        for hand in hands:
            hand.communicate(timeout=60)
            codes.append(hand.returncode)
    account = finish(room, one)
    tell(f"{account} / {codes.count(BUSY)} of {len(codes)} commands found it busy")
    assert (account.lost, account.duplicated) == (0, 0)
    assert set(codes) <= {0, BUSY}


def test_a_briefing_run_by_hand_waits_for_what_a_daemon_is_just_reading(
    scene: Scene, tell: Callable[[object], None]
) -> None:
    room = scene.room(feeds=4)
    (briefing_id,) = room.add_briefings(1)
    room.feeds.publish(100)
    one = scene.daemon().start()
    one.wait_for_event("started")

    run = one.command("briefing", "run", str(briefing_id))
    report = one.command("report", "show", str(run["report"]))

    account = finish(room, one)
    tell(account)
    assert (account.lost, account.duplicated) == (0, 0)
    assert (run["unscored"], run["unread_sources"]) == (0, 0)
    assert report["weighed"] == len(room.feeds.guids())


@pytest.mark.parametrize(("wait", "code"), [("2", 0), ("600", 130)], ids=["time", "Ctrl-C"])
def test_a_briefing_run_by_hand_does_not_stay_with_what_never_answers(
    scene: Scene, wait: str, code: int
) -> None:
    room = scene.room(feeds=4)
    (briefing_id,) = room.add_briefings(1)
    room.feeds.publish(1)
    room.feeds.hold()
    one = scene.daemon(http__timeout_seconds=1000)

    run = one.begin_command("briefing", "run", str(briefing_id), "--wait", wait)
    if code:
        until(lambda: sum(room.feeds.requests.values()) == 4)
        run.send_signal(SIGINT)
    _, error = run.communicate(timeout=60)

    assert (run.returncode, error) == (code, b"")
    with room.database.read() as connection:
        rows = connection.execute(select(sources.c.status, sources.c.losses).distinct()).all()
    assert rows == [("IDLE", 0)]
