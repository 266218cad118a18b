"""The database goes away, is full, or is held by somebody else: the daemon waits and goes on."""

from __future__ import annotations

import os
import resource
import sqlite3
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path

from morningdeck.errors import TransientError
from tests.faults.audit import bugs, failures, is_whole
from tests.faults.daemon import Daemon
from tests.faults.newsroom import Newsroom, finish
from tests.faults.scene import Scene
from tests.servers.postgresql import PostgresServer
from tests.waiting import until

QUICK = {"recovery__lease_seconds": 9, "recovery__interval_seconds": 1}
BACK_SECONDS = 10
DISK_BYTES = 24 * 2**20
FILE_BYTES = 2**19
"""Less than the database has, more than its log needs."""


def _reachable(room: Newsroom) -> bool:
    try:
        room.finished()
    except TransientError:
        return False
    return True


def test_daemons_outlive_a_database_that_is_restarted_or_stopped(
    own_server: PostgresServer,
    tmp_path: Path,
    open_room: Callable[..., Newsroom],
    daemon: Callable[..., Daemon],
    cuts: int,
    long: bool,
    tell: Callable[[object], None],
) -> None:
    url, away_seconds = own_server.url(), 60 if long else 10
    room = open_room(url, feeds=20)
    room.add_briefings(20)
    outbox = str(tmp_path / "outbox")
    two = [
        daemon(tmp_path / name, url, delivery__folder=outbox, **QUICK) for name in ("one", "other")
    ]
    for one in two:
        one.start().wait_for_event("started")
    back, failed = [], 0
    for number in range(cuts):
        room.feeds.publish(3)
        room.fetch_all()
        _wait_for_jobs(two, 6)
        own_server.down("immediate" if number % 3 == 1 else "fast")
        time.sleep(away_seconds if number % 3 == 2 else 0)
        own_server.up()
        up = time.monotonic()
        _wait_for_jobs(two, 1)
        back.append(time.monotonic() - up)
        for one in two:
            one.wait_for(partial(_told, one, len(back)))
        until(partial(_reachable, room))
        failed += failures(room.database)
    account = finish(room, *two)
    away = [[len(one.events(f"database_{name}")) for name in ("away", "back")] for one in two]
    unexpected = bugs(*two)
    tell(
        f"{account} / back after {max(back):.1f} s at worst / away and back told {away}"
        f" / failures {failed}, {unexpected}"
    )
    assert [one.stop() for one in two] == [0, 0]
    assert (account.lost, account.duplicated, account.dead) == (0, 0, 0)
    assert (failed, unexpected) == (0, {})
    assert away == [[cuts, cuts]] * 2
    assert max(back) < 6 * BACK_SECONDS


def _wait_for_jobs(crew: list[Daemon], more: int) -> None:
    """Until they have done so many more jobs together."""

    def done() -> int:
        return sum(len(one.events("job_finished")) for one in crew)

    enough = done() + more
    crew[0].wait_for(lambda: done() >= enough)


def _told(one: Daemon, times: int) -> bool:
    return len(one.events("database_back")) >= times


@contextmanager
def _small_disk(folder: Path) -> Iterator[Path]:
    """A disk of its own for root; for others a folder (see `_full`)."""
    folder.mkdir()
    if os.geteuid():
        yield folder
        return
    options = f"size={DISK_BYTES}"
    subprocess.run(["mount", "-t", "tmpfs", "-o", options, "tmpfs", folder], check=True)
    try:
        yield folder
    finally:
        subprocess.run(["umount", "--lazy", folder], check=True)


@contextmanager
def _full(disk: Path, one: Daemon) -> Iterator[None]:
    """Nothing more can be written: the disk is full, or no large file may grow."""
    if os.geteuid():
        pid, (_, most) = one.process.pid, resource.getrlimit(resource.RLIMIT_FSIZE)
        resource.prlimit(pid, resource.RLIMIT_FSIZE, (FILE_BYTES, most))
        yield
        resource.prlimit(pid, resource.RLIMIT_FSIZE, (most, most))
        return
    ballast = disk / "ballast"
    with ballast.open("wb", buffering=0) as file:
        try:
            while file.write(bytes(4096)):
                pass
        except OSError:
            pass
    yield
    ballast.unlink()


def test_a_full_disk_loses_nothing(
    tmp_path: Path,
    open_room: Callable[..., Newsroom],
    daemon: Callable[..., Daemon],
    tell: Callable[[object], None],
) -> None:
    with _small_disk(tmp_path / "disk") as disk:
        url = f"sqlite:///{disk / 'morningdeck.db'}"
        room = open_room(url, feeds=20)
        one = daemon(tmp_path / "logs", url, data_dir=str(disk)).start()
        one.wait_for(room.finished, pause_seconds=0.2)
        room.feeds.publish(20)
        room.feeds.hold()
        room.fetch_all()
        one.wait_for(lambda: room.feeds.requests.total() >= 22)
        with _full(disk, one):
            room.feeds.let_go()
            one.wait_for_event("database_away")
            time.sleep(3)  # that is how long it stays full
        freed = time.monotonic()
        one.wait_for_event("database_back")
        back = time.monotonic() - freed
        account = finish(room, one)
        away = len(one.events("database_away"))
        assert one.stop() == 0
        tell(f"{account} / back after {back:.1f} s / away told {away} times")
        assert (account.lost, account.duplicated, account.dead) == (0, 0, 0)
        # 20 feeds meet it, some twice; what little fits in by chance ends an outage for a moment
        assert away <= 10
        assert is_whole(disk / "morningdeck.db")


def test_a_database_that_another_program_holds_is_waited_for(
    sqlite_scene: Scene, tmp_path: Path, long: bool, tell: Callable[[object], None]
) -> None:
    room = sqlite_scene.room(feeds=20)
    room.feeds.publish(10)
    one = sqlite_scene.daemon().start()
    one.wait_for_event("job_finished")
    held = sqlite3.connect(tmp_path / "morningdeck.db", isolation_level=None)
    held.execute("PRAGMA busy_timeout = 30000")
    held.execute("BEGIN IMMEDIATE")
    time.sleep(40 if long else 5)  # that is how long it is held
    held.execute("ROLLBACK")
    held.close()
    account = finish(room, one)
    assert one.stop() == 0
    away = len(one.events("database_away"))
    tell(f"{account} / away told {away} times")
    assert (account.lost, account.duplicated, account.dead) == (0, 0, 0)
