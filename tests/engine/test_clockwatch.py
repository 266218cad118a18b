"""The clock was set, or it only drifts."""

from __future__ import annotations

from datetime import timedelta

import pytest

from morningdeck.engine.engine import JUMP_SECONDS, ClockWatch
from tests.conftest import NOW


class Clocks:
    """The machine's clock and the database's, which may be set, beside one that cannot."""

    def __init__(self) -> None:
        self.wall = NOW.timestamp()
        self.database = NOW
        self.monotonic = 1000.0
        self.jumps = 0

    def jumped(self) -> None:
        self.jumps += 1

    def pass_(
        self, seconds: float, *, set_by: float = 0, database_set_by: float | None = None
    ) -> None:
        self.monotonic += seconds
        self.wall += seconds + set_by
        database = set_by if database_set_by is None else database_set_by
        self.database += timedelta(seconds=seconds + database)


@pytest.fixture
def clocks() -> Clocks:
    return Clocks()


@pytest.fixture
def watch(clocks: Clocks) -> ClockWatch:
    return ClockWatch(
        lambda: clocks.database,
        clocks.jumped,
        wall=lambda: clocks.wall,
        monotonic=lambda: clocks.monotonic,
    )


@pytest.mark.parametrize("set_by", [3600, -3600, JUMP_SECONDS + 1, -JUMP_SECONDS - 1])
def test_each_jump_is_told_once(clocks: Clocks, watch: ClockWatch, set_by: float) -> None:
    clocks.pass_(60, set_by=set_by)

    watch.look()
    watch.look()
    assert clocks.jumps == 1

    clocks.pass_(60, set_by=-set_by)
    watch.look()
    assert clocks.jumps == 2


@pytest.mark.parametrize(("machine", "database"), [(-3600, 0), (0, -3600), (3600, -3600)])
def test_one_of_the_two_clocks_is_enough(
    clocks: Clocks, watch: ClockWatch, machine: float, database: float
) -> None:
    clocks.pass_(60, set_by=machine, database_set_by=database)

    watch.look()

    assert clocks.jumps == 1


def test_time_that_only_passes_is_no_jump(clocks: Clocks, watch: ClockWatch) -> None:
    clocks.pass_(86_400)
    watch.look()

    assert clocks.jumps == 0


def test_slow_drift_never_adds_up_to_a_jump(clocks: Clocks, watch: ClockWatch) -> None:
    for _ in range(100):
        clocks.pass_(5, set_by=JUMP_SECONDS / 10)
        watch.look()

    assert clocks.jumps == 0
