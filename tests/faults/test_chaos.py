"""Killed again and again at random moments, in every phase: nothing lost, nothing twice."""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path

from tests.faults.audit import is_whole
from tests.faults.newsroom import Newsroom, dead_work_back, finish, some_moment
from tests.faults.scene import Scene

ENTRIES, LONG_ENTRIES = 100, 40
"""In each of 50 feeds: 5,000 items in all, and 2,000 in each of the runs of the long tier, which
are for other moments of the kills, not for more of the same.
"""
BRIEFINGS, LONG_BRIEFINGS = 200, 50
BACK_SECONDS = 5.0
"""How soon a restarted daemon should finish its first job; a busy machine may take longer."""


def _stir(room: Newsroom, entries: int, number: int) -> None:
    room.feeds.publish(entries)
    room.fetch_all()
    room.brief_all(planned=number % 3 == 0)


def test_a_daemon_killed_at_random_moments_loses_and_repeats_nothing(
    scene: Scene, tmp_path: Path, kills: int, seed: int, long: bool, tell: Callable[[object], None]
) -> None:
    entries, briefings = (LONG_ENTRIES, LONG_BRIEFINGS) if long else (ENTRIES, BRIEFINGS)
    room = scene.room(feeds=50)
    room.add_briefings(briefings)
    one = scene.daemon(recovery__interval_seconds=5)
    chance = random.Random(seed)
    back = []
    for number in range(kills):
        share = entries * (number + 1) // kills - entries * number // kills
        _stir(room, share, number)
        one.start()
        back.append(one.wait_for_event("job_finished"))
        some_moment(one, chance)
        one.kill()
    one.start()
    one.wait_for_event("started")
    dead = dead_work_back(room, one)
    account = finish(room, one)
    code = one.stop()
    worst = f"back after {max(back):.1f} s at worst"
    tell(f"seed {seed}, {kills} kills: {account} / came back {dead} / {worst}")
    assert (account.lost, account.duplicated, account.dead, code) == (0, 0, 0, 0)
    assert max(back) < 6 * BACK_SECONDS
    if room.database.exclusive:
        assert is_whole(tmp_path / "morningdeck.db")
