"""A dispatcher works when woken, when it is due, and never misses a call."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator

import pytest
from structlog.typing import EventDict

from morningdeck.engine.loop import Dispatcher
from morningdeck.errors import TransientError
from tests.engine.conftest import named
from tests.engine.process import NEVER
from tests.waiting import LIMIT_SECONDS, until

Work = Callable[[], float | None]
Build = Callable[..., Dispatcher]


@pytest.fixture
def build() -> Iterator[Build]:
    built: list[Dispatcher] = []

    def build(
        work: Work, *, every: float = NEVER, gather: float = 0.0, hung: float = LIMIT_SECONDS
    ) -> Dispatcher:
        chosen = {"every_seconds": every, "gather_seconds": gather, "hung_seconds": hung}
        built.append(Dispatcher("test", work, **chosen))
        return built[-1]

    yield build
    for dispatcher in built:
        dispatcher.stop()
        assert dispatcher.join(LIMIT_SECONDS)


class Rounds:
    """Work that counts its rounds, and does in each what it is told to."""

    def __init__(self, *doing: Callable[[], float | None]) -> None:
        self.count = 0
        self._doing = list(doing)

    def __call__(self) -> float | None:
        self.count += 1
        return self._doing.pop(0)() if self._doing else None


def raising(error: Exception) -> Work:
    def work() -> float | None:
        raise error

    return work


def test_the_first_round_is_at_once(build: Build) -> None:
    rounds = Rounds()
    build(rounds).start()

    until(lambda: rounds.count == 1)


def test_every_wake_up_is_followed_by_a_round_that_begins_after_it(build: Build) -> None:
    class Requests:
        made = granted = 0

        def grant(self) -> None:
            self.granted = self.made

    requests = Requests()
    dispatcher = build(requests.grant)
    dispatcher.start()

    for number in range(500):
        requests.made += 1
        dispatcher.wake()
        if number % 3:  # else the next comes while a round is under way
            until(lambda: requests.granted == requests.made)
    until(lambda: requests.granted == 500)


def test_a_wake_up_during_the_work_causes_one_more_round(build: Build) -> None:
    entered, leave = threading.Event(), threading.Event()

    def slowly() -> None:
        entered.set()
        assert leave.wait(LIMIT_SECONDS)

    rounds = Rounds(slowly)
    dispatcher = build(rounds)
    dispatcher.start()
    assert entered.wait(LIMIT_SECONDS)

    for _ in range(5):
        dispatcher.wake()
    leave.set()

    until(lambda: rounds.count == 2)
    until(lambda: not dispatcher.in_round)
    assert rounds.count == 2


def test_without_a_call_it_works_at_the_latest_every_so_often(build: Build) -> None:
    rounds = Rounds()
    build(rounds, every=0.005).start()

    until(lambda: rounds.count >= 4)


def test_it_comes_back_when_the_work_said_there_is_more(build: Build) -> None:
    rounds = Rounds(lambda: 0.0, lambda: 0.01)
    dispatcher = build(rounds)
    dispatcher.start()

    until(lambda: rounds.count == 3)


def test_calls_that_come_together_are_served_by_one_round(build: Build) -> None:
    rounds = Rounds()
    dispatcher = build(rounds, gather=0.1)
    dispatcher.start()
    until(lambda: rounds.count == 1)

    for _ in range(20):
        dispatcher.wake()

    until(lambda: rounds.count == 2)


def test_an_outage_is_logged_when_it_begins_and_when_it_ends(
    build: Build, logged: list[EventDict]
) -> None:
    away = raising(TransientError("database: away"))
    dispatcher = build(Rounds(away, away, away))
    dispatcher.start()

    def back() -> bool:
        dispatcher.wake()
        return bool(named(logged, "dispatcher_back"))

    until(back)

    assert [event["event"] for event in logged] == ["dispatcher_waits", "dispatcher_back"]


def test_it_outlives_a_bug(build: Build, logged: list[EventDict]) -> None:
    rounds = Rounds(raising(RuntimeError("a bug")))
    dispatcher = build(rounds)
    dispatcher.start()
    until(lambda: named(logged, "dispatcher_bug"))

    dispatcher.wake()

    until(lambda: rounds.count == 2)


def test_after_a_stop_there_is_no_round(build: Build) -> None:
    rounds = Rounds()
    dispatcher = build(rounds)
    dispatcher.start()
    until(lambda: rounds.count == 1)

    dispatcher.stop()

    assert dispatcher.join(LIMIT_SECONDS)
    dispatcher.wake()
    assert rounds.count == 1


def test_joining_gives_up_on_a_round_that_hangs(build: Build) -> None:
    leave = threading.Event()
    rounds = Rounds(lambda: leave.wait(LIMIT_SECONDS) and None)
    dispatcher = build(rounds)
    dispatcher.start()
    until(lambda: rounds.count == 1)
    dispatcher.stop()

    assert not dispatcher.join(0.02)
    leave.set()


def test_a_round_that_hangs_is_no_beat_and_one_that_rests_is(build: Build) -> None:
    began, go_on = threading.Event(), threading.Event()

    def hang() -> None:
        began.set()
        go_on.wait(LIMIT_SECONDS)

    dispatcher = build(hang, hung=0.05)
    assert not dispatcher.is_beating
    dispatcher.start()
    assert began.wait(LIMIT_SECONDS)
    until(lambda: not dispatcher.is_beating)
    go_on.set()

    until(lambda: dispatcher.is_beating)
