"""A daemon that is told to stop while its database hangs: it ends at its time all the same."""

from __future__ import annotations

import os
import signal
import sqlite3
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, closing, contextmanager, suppress
from pathlib import Path

import pytest

from tests.faults.daemon import PROGRAM, Daemon
from tests.faults.newsroom import Newsroom
from tests.faults.scene import Scene
from tests.servers.postgresql import PostgresServer
from tests.waiting import until

PATIENCE_SECONDS = 2
LIMIT_SECONDS = 30
"""Far more than the patience, and less than a held lock is waited for."""


@contextmanager
def _stopped(server: PostgresServer) -> Iterator[None]:
    server.down("immediate")
    try:
        yield
    finally:
        server.up()


@pytest.mark.parametrize("trouble", [_stopped, PostgresServer.frozen])
def test_a_stop_ends_in_time_when_postgresql_is_stopped_or_frozen(
    own_server: PostgresServer,
    tmp_path: Path,
    open_room: Callable[..., Newsroom],
    daemon: Callable[..., Daemon],
    trouble: Callable[[PostgresServer], AbstractContextManager[None]],
) -> None:
    url = own_server.url()
    room = open_room(url, feeds=20)
    room.feeds.publish(20)
    one = daemon(tmp_path, url, shutdown_seconds=PATIENCE_SECONDS).start()
    one.wait_for_event("job_finished", stage="processing")
    with trouble(own_server):
        one.signal(signal.SIGTERM)
        assert one.ended(LIMIT_SECONDS) == 0


def test_a_stop_ends_in_time_when_another_program_holds_sqlite(
    sqlite_scene: Scene, tmp_path: Path
) -> None:
    room = sqlite_scene.room(feeds=20)
    room.feeds.publish(20)
    one = sqlite_scene.daemon(shutdown_seconds=PATIENCE_SECONDS).start()
    one.wait_for_event("job_finished", stage="processing")
    path = tmp_path / "morningdeck.db"
    with closing(sqlite3.connect(path, timeout=30, isolation_level=None)) as held:
        held.execute("BEGIN IMMEDIATE")
        one.signal(signal.SIGTERM)
        assert one.ended(LIMIT_SECONDS) == 0


def test_a_second_signal_ends_at_once_although_even_the_first_one_finds_it_hanging(
    own_server: PostgresServer,
    tmp_path: Path,
    open_room: Callable[..., Newsroom],
    daemon: Callable[..., Daemon],
) -> None:
    url = own_server.url()
    room = open_room(url, feeds=1)
    room.feeds.hold()
    one = daemon(tmp_path, url, shutdown_seconds=3600).start("--once")
    one.wait_for(room.feeds.requests.total)
    with own_server.frozen():
        time.sleep(1)  # by then its main thread has asked whether anything is left to do
        one.signal(signal.SIGTERM)
        time.sleep(1)  # two signals at once are one
        one.signal(signal.SIGTERM)
        assert one.ended(LIMIT_SECONDS) == 128 + signal.SIGTERM


def test_a_stop_ends_in_time_when_nobody_reads_the_log(
    sqlite_url: str, tmp_path: Path, daemon: Callable[..., Daemon]
) -> None:
    one = daemon(tmp_path, sqlite_url, shutdown_seconds=PATIENCE_SECONDS)
    with (
        _full_pipe() as log,
        subprocess.Popen([*PROGRAM, "run"], env=one.environment, stdout=log, stderr=log) as process,
    ):
        try:
            until(lambda: one.command("status")["daemon"]["running"], LIMIT_SECONDS)
            process.terminate()
            assert process.wait(LIMIT_SECONDS) == 0
        finally:
            process.kill()


@contextmanager
def _full_pipe() -> Iterator[int]:
    """Whoever writes into it waits for ever."""
    reads, writes = os.pipe()
    os.set_blocking(writes, False)
    with suppress(BlockingIOError):
        while True:
            os.write(writes, bytes(4096))
    os.set_blocking(writes, True)
    try:
        yield writes
    finally:
        os.close(reads)
        os.close(writes)
