"""Statements of many callers that one commit carries, and whoever waits for the disk with it."""

from __future__ import annotations

import signal
import threading
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial

import pytest

from morningdeck.errors import DatabaseBusyError
from morningdeck.store.database.group_commit import (
    GatheredWrites,
    PendingWrite,
)
from tests.waiting import until


class HeldDisk:
    """Commits what it is given, the first time only when it is let go."""

    def __init__(self) -> None:
        self.batches: list[int] = []
        self.reached = threading.Event()
        self.let_go = threading.Event()

    def commit(self, writes: Sequence[PendingWrite]) -> None:
        self.batches.append(len(writes))
        self.reached.set()
        assert self.let_go.wait(10)


def test_statements_that_come_during_a_commit_share_the_next() -> None:
    disk = HeldDisk()
    gathered = GatheredWrites(disk.commit, lambda: None)

    with ThreadPoolExecutor(5) as threads:
        first = threads.submit(gathered.run, "", {})
        assert disk.reached.wait(10)
        others = [threads.submit(gathered.run, "", {}) for _ in range(4)]
        until(lambda: gathered.waiting == 4)
        assert not first.done()
        disk.let_go.set()
        assert [one.result(10) for one in others] == [[]] * 4

    assert disk.batches == [1, 4]


def test_an_interrupted_commit_is_trouble_that_passes_to_those_it_carried() -> None:
    reached, let_go = threading.Event(), threading.Event()

    def commit(writes: Sequence[PendingWrite]) -> None:
        reached.set()
        assert let_go.wait(10)
        if len(writes) > 1:
            raise KeyboardInterrupt

    gathered = GatheredWrites(commit, lambda: None)
    with ThreadPoolExecutor(3) as threads:
        first = threads.submit(gathered.run, "", {})
        assert reached.wait(10)
        others = [threads.submit(gathered.run, "", {}) for _ in range(2)]
        until(lambda: gathered.waiting == 2)
        let_go.set()
        errors = sorted(type(one.exception(10)).__name__ for one in others)

    assert first.exception() is None
    assert errors == [DatabaseBusyError.__name__, "KeyboardInterrupt"]


class Disk:
    """Safe only when it is let go; commits at once."""

    def __init__(self, error: OSError | None = None) -> None:
        self.batches: list[int] = []
        self.reached, self.let_go = threading.Event(), threading.Event()
        self._error = error

    def commit(self, writes: Sequence[PendingWrite]) -> None:
        self.batches.append(len(writes))

    def make_safe(self) -> None:
        self.reached.set()
        assert self.let_go.wait(10)
        if self._error is not None:
            raise self._error


def test_who_need_not_last_waits_for_no_disk_and_others_go_on_meanwhile() -> None:
    disk = Disk()
    gathered = GatheredWrites(disk.commit, disk.make_safe)
    with ThreadPoolExecutor(2) as threads:
        lasting = threads.submit(gathered.run, "", {})
        assert disk.reached.wait(10)

        assert gathered.run("", {}, lasting=False) == []
        assert not lasting.done()

        disk.let_go.set()
        assert lasting.result(10) == []
    assert disk.batches == [1, 1]


@pytest.mark.parametrize("error", [None, OSError("no disk")])
def test_one_of_those_that_must_last_waits_for_the_disk_for_all(error: OSError | None) -> None:
    held, disk = HeldDisk(), Disk(error)
    gathered = GatheredWrites(held.commit, disk.make_safe)
    disk.let_go.set()
    with ThreadPoolExecutor(5) as threads:
        first = threads.submit(gathered.run, "", {}, lasting=False)
        assert held.reached.wait(10)
        others = []
        for number, lasting in enumerate((False, True, True), 1):
            others.append(threads.submit(gathered.run, "", {}, lasting=lasting))
            until(partial(_is_waiting, gathered, number))
        held.let_go.set()

        assert first.result(10) == others[0].result(10) == []
        assert [one.exception(10) for one in others[1:]] == [error, error]
    assert held.batches == [1, 3]


def _is_waiting(gathered: GatheredWrites, count: int) -> bool:
    return gathered.waiting == count


def test_who_is_interrupted_while_it_waits_leaves_nobody_waiting() -> None:
    disk, main = HeldDisk(), threading.get_ident()
    gathered = GatheredWrites(disk.commit, lambda: None)

    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    def strike() -> None:
        until(lambda: gathered.waiting == 1)
        signal.pthread_kill(main, signal.SIGUSR1)
        threading.Timer(0.2, disk.let_go.set).start()

    before = signal.signal(signal.SIGUSR1, interrupt)
    try:
        with ThreadPoolExecutor(2) as threads:
            first = threads.submit(gathered.run, "", {})
            assert disk.reached.wait(10)
            threads.submit(strike)
            with pytest.raises(KeyboardInterrupt):
                gathered.run("", {})
            assert first.result(10) == threads.submit(gathered.run, "", {}).result(10) == []
    finally:
        signal.signal(signal.SIGUSR1, before)
