"""What RabbitMQ has, and what it has not: told by its answers alone, in whatever way they come."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable

import pytest
from kombu.exceptions import KombuError

from morningdeck.engine.publishing import Confirms

Say = Callable[["Rabbit"], None]


class Rabbit:
    """A channel and its connection: each time it is listened to, it says the next thing."""

    def __init__(self, *says: Say) -> None:
        self.events: dict[str, set[Callable[..., object]]] = defaultdict(set)
        self.says = list(says)
        self.confirms = False

    def confirm_select(self) -> None:
        self.confirms = True

    def drain_events(self, *, timeout: float) -> None:
        if not self.says:
            raise TimeoutError
        self.says.pop(0)(self)

    def say(self, name: str, *what: object) -> None:
        for hear in self.events[name]:
            hear(*what)


def has(number: int, *, and_before: bool = False) -> Say:
    return lambda rabbit: rabbit.say("basic_ack", number, and_before)


def sent(rabbit: Rabbit, count: int) -> Confirms:
    confirms = Confirms(rabbit)
    assert rabbit.confirms
    for _ in range(count):
        confirms.expect()
    return confirms


@pytest.mark.parametrize(
    "says",
    [(has(1), has(2), has(3)), (has(2), has(3, and_before=True)), (has(3), has(1), has(2))],
    ids=["one by one", "several at once", "in any order"],
)
def test_it_waits_until_rabbitmq_has_all(says: tuple[Say, ...]) -> None:
    rabbit = Rabbit(*says, has(99))
    confirms = sent(rabbit, 3)

    confirms.wait(rabbit)

    assert len(rabbit.says) == 1


def test_what_is_said_while_more_is_sent_counts() -> None:
    rabbit = Rabbit()
    confirms = sent(rabbit, 1)
    rabbit.say("basic_ack", 1, False)

    confirms.wait(rabbit)


@pytest.mark.parametrize("trouble", ["basic_nack", "basic_return"])
def test_what_is_refused_or_comes_back_was_not_taken(trouble: str) -> None:
    rabbit = Rabbit(has(1), lambda rabbit: rabbit.say(trouble, 2, False), has(2))
    confirms = sent(rabbit, 2)

    with pytest.raises(KombuError):
        confirms.wait(rabbit)


def test_silence_is_no_answer() -> None:
    rabbit = Rabbit(has(1))
    confirms = sent(rabbit, 2)

    with pytest.raises(TimeoutError):
        confirms.wait(rabbit)
