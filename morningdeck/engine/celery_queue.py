"""A queue and its workers over a broker: Redis, RabbitMQ or Amazon SQS, reached by Celery's Kombu.

    CeleryQueue.enqueue(ids) --> message: the stage's task, the id --> Inbox.take --> run(id)

Celery's workers understand the same messages (see `celery_app`). A message is acknowledged
when a worker takes it: the claim in the database sees to it that what is lost is found, and
the start that what comes twice is done once. So a broker need not be trusted with anything.

Each queue and each thread that works has a connection of its own. Whatever
goes wrong with it, it is dropped, and another is made the next time.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from datetime import timedelta
from functools import cache, partial
from typing import Any, Generic, TypeVar

from kombu import Connection, Queue

from morningdeck.discreet import said
from morningdeck.engine.brokers import (
    ANSWER_SECONDS,
    queue_of,
    tls_options,
    transport_options,
)
from morningdeck.engine.publishing import Publisher
from morningdeck.logs import log
from morningdeck.work import Stage

WHY_CHARACTERS = 200

Connect = Callable[[], Connection]
HearTrouble = Callable[[str | None], None]
"""Hears what is wrong with the broker, and None when it is well again."""


def connecting(url: str, **options: Any) -> Connect:
    """Makes connections to this broker, each when it is first used."""
    options = transport_options(url, **options)
    return partial(
        Connection,
        url,
        ssl=tls_options(url),
        connect_timeout=ANSWER_SECONDS,
        heartbeat=0,
        transport_options=options,
    )


class BrokerAwayError(Exception):
    """It was not reached, or did not do what was asked; why is logged already."""


class Trouble:
    """What is wrong with a broker, as all who use it see it: told when it begins and ends."""

    def __init__(self, stage: Stage, tell: HearTrouble = lambda trouble: None) -> None:
        self._stage = stage
        self._tell = tell
        self._lasts: bool | None = None
        """None until the first use: another process may have told of trouble."""
        self._lock = threading.Lock()

    def begins(self, error: Exception) -> None:
        first = error.__cause__ or error  # of a batch Kombu says only that it has failed
        why = said(f"{type(first).__name__}: {first}", WHY_CHARACTERS)
        if self._turn(True):
            log.warning("broker_away", stage=self._stage.value, error=why)
            self._tell(why)

    def is_over(self) -> None:
        lasted = self._lasts
        if lasted is not False and self._turn(False):
            if lasted:
                log.info("broker_back", stage=self._stage.value)
            self._tell(None)

    def _turn(self, lasts: bool) -> bool:
        """Whether that is new."""
        with self._lock:
            changed, self._lasts = self._lasts is not lasts, lasts
        return changed


Part = TypeVar("Part")


class BrokerLine(Generic[Part]):
    """One connection to the broker with the queue of a stage on it, and what is `made` of it; both
    when they are needed.
    """

    def __init__(
        self,
        connect: Connect,
        stage: Stage,
        make: Callable[[Queue], Part],
        trouble: Trouble,
    ) -> None:
        self._connect = connect
        self._stage = stage
        self._make = make
        self._trouble = trouble
        self._open: tuple[Connection, Part] | None = None

    @contextmanager
    def using(self) -> Iterator[tuple[Connection, Part]]:
        """Whatever is raised meanwhile ends the connection and leaves as BrokerAwayError."""
        try:
            if self._open is None:
                self._open = self._made()
            yield self._open
        except Exception as error:  # of any of the libraries between us and the broker
            self.drop()
            self._trouble.begins(error)
            raise BrokerAwayError from error
        self._trouble.is_over()

    def _made(self) -> tuple[Connection, Part]:
        connection = self._connect()
        try:
            queue = Queue(queue_of(self._stage), channel=_thrifty(connection.default_channel))
            queue.declare()
            return connection, self._make(queue)
        except BaseException:
            _collect(connection)
            raise

    def drop(self) -> None:
        if self._open is not None:
            connection, self._open = self._open[0], None
            _collect(connection)


def _thrifty(channel: Any) -> Any:
    """Kombu makes a client of Redis anew for each message, which costs more than sending it."""
    if hasattr(channel, "Client"):
        channel.Client = cache(channel.Client)
    return channel


def _collect(connection: Connection) -> None:
    """Close it, broken or not. Its sockets have their time limit: one that is given here is set for
    all sockets of the process, and stays there if two threads close theirs at once.
    """
    with suppress(Exception):
        connection.collect()


class CeleryQueue:
    """The port `JobQueue`: `queued` counts in the database, up to a cap, what all feeders have put
    in and no worker has begun.
    """

    def __init__(
        self,
        stage: Stage,
        capacity: int,
        connect: Connect,
        queued: Callable[[int], int],
        *,
        keep: timedelta,
        tell: HearTrouble = lambda trouble: None,
    ) -> None:
        """After the time to `keep` it, a message is of no use any more."""
        self.capacity = capacity
        self._queued = queued
        self._room = 0
        """Since it was counted last."""
        make = partial(Publisher, stage, keep=keep)
        self._line = BrokerLine(connect, stage, make, Trouble(stage, tell))

    def enqueue(self, job_id: int) -> bool:
        """False where it is full, or the broker did not take it within a few seconds."""
        return self.enqueue_all((job_id,)) == 1

    def enqueue_all(self, ids: Sequence[int]) -> int:
        """Of those for which there is room, either all are taken for certain or none."""
        if self._room < len(ids):
            self.size()
        taken = ids[: max(0, self._room)]
        if not taken:
            return 0
        self._room -= len(taken)
        try:
            with self._line.using() as (connection, publisher):
                publisher.send(connection, taken)
        except BrokerAwayError:
            return 0
        return len(taken)

    def can_accept(self) -> bool:
        return self.size() < self.capacity

    def size(self) -> int:
        size = self._queued(self.capacity)
        self._room = self.capacity - size
        return size

    def withdraw(self) -> tuple[int, ...]:
        """Nothing: workers elsewhere may take it."""
        return ()

    def close(self) -> None:
        self._line.drop()
