"""The threads that serve a broker's queue, each with a connection of its own."""

from __future__ import annotations

import json
import random
import socket
import threading
from collections.abc import Callable
from contextlib import suppress
from functools import partial

from kombu import Connection, Consumer, Message, Queue

from morningdeck.engine.brokers import id_in
from morningdeck.engine.celery_queue import (
    BrokerAwayError,
    BrokerLine,
    Connect,
    Trouble,
)
from morningdeck.engine.memory_queue import POLL_SECONDS, ThreadRunner
from morningdeck.work import Stage

FIRST_REST_SECONDS, LONGEST_REST_SECONDS = 0.1, 5.0
LISTENERS = 2
"""Threads of a stage that wait for messages at the same time."""


class Inbox:
    """Where one thread takes ids from, by a connection of its own.

    While there are messages, each is asked for: nothing is ever fetched ahead, which would wait
    here behind a long job. Where there is none, the broker hands over the next one.
    """

    def __init__(self, connect: Connect, stage: Stage, trouble: Trouble) -> None:
        self._stage = stage
        self._line = BrokerLine(connect, stage, self._consumer, trouble)
        self._closed = threading.Event()
        self._arrived: list[Message] = []
        self._waiting = False
        """The broker will hand over the next message."""
        self._rest = 0.0

    def _consumer(self, queue: Queue) -> Consumer:
        self._waiting = False
        self._arrived.clear()
        return Consumer(
            queue.channel, [queue], on_message=self._arrived.append, prefetch_count=1, no_ack=False
        )

    def close(self) -> None:
        """What was handed over and not taken goes back."""
        self._closed.set()
        self._line.drop()

    def take(self, seconds: float) -> int | None:
        """The next id; None when none came in that time."""
        try:
            with self._line.using() as (connection, consumer):
                message = self._next(connection, consumer, seconds)
        except BrokerAwayError:
            self._rest = min(max(2 * self._rest, FIRST_REST_SECONDS), LONGEST_REST_SECONDS)
            self._closed.wait(self._rest * (1 + random.random()))
            return None
        self._rest = 0.0
        return None if message is None else self._id_in(message)

    def _next(self, connection: Connection, consumer: Consumer, seconds: float) -> Message | None:
        """The next message, acknowledged."""
        if not self._waiting:
            polls = connection.transport.driver_type == "sqs"  # each question waits for an answer
            message = consumer.queues[0].get(no_ack=not polls)
            if message is not None or polls:
                if polls and message is not None:
                    message.ack()
                return message
            consumer.consume()
            self._waiting = True
        with suppress(socket.timeout):
            connection.drain_events(timeout=seconds)
        if not self._arrived:
            return None
        consumer.cancel()  # before the acknowledgement, with which the next one would come
        self._waiting = False
        message = self._arrived.pop()
        message.ack()
        return message

    def _id_in(self, message: Message) -> int | None:
        try:
            named = json.loads(message.body)[0][0]
        except (ValueError, TypeError, LookupError):
            named = None
        return id_in(named, self._stage)


class Inboxes:
    """One for each thread of a runner, which asks for its own; few listen at a time.

    More would only get in each other's way. Whoever listens goes on until something comes: a
    message that was handed over must not wait for a thread that does something else.
    """

    def __init__(self, connect: Connect, stage: Stage) -> None:
        self._make = partial(Inbox, connect, stage, Trouble(stage))
        self._of_thread = threading.local()
        self._listeners = threading.Semaphore(LISTENERS)
        self._counting = threading.Lock()
        self._taken = 0

    def take(self, seconds: float) -> int | None:
        """The next id, to be `done` with later; None when none came in that time."""
        mine = self._of_thread
        if not hasattr(mine, "inbox"):
            mine.inbox, mine.listens = self._make(), False
        mine.listens = mine.listens or self._listeners.acquire(timeout=seconds)
        job_id: int | None = mine.inbox.take(seconds) if mine.listens else None
        if job_id is not None:
            with self._counting:
                self._taken += 1
            self._listen_no_more()
        return job_id

    def _listen_no_more(self) -> None:
        if self._of_thread.listens:
            self._of_thread.listens = False
            self._listeners.release()

    def done(self) -> None:
        with self._counting:
            self._taken -= 1

    def taken(self) -> int:
        return self._taken

    def leave(self) -> None:
        """This thread takes nothing any more: the broker must hand nothing over to it."""
        mine = self._of_thread
        if hasattr(mine, "inbox"):
            mine.inbox.close()
            self._listen_no_more()
            del mine.inbox


class CeleryRunner(ThreadRunner):
    """The port `Runner`: the threads of this process that serve a broker's queue."""

    def __init__(
        self, connect: Connect, stage: Stage, *, workers: int, poll_seconds: float = POLL_SECONDS
    ) -> None:
        self._inboxes = Inboxes(connect, stage)
        super().__init__(stage.value, self._inboxes, workers=workers, poll_seconds=poll_seconds)

    def _serve(self, run: Callable[[int], None], freed: Callable[[], None]) -> None:
        """Not only when all have ended: a long job may go on while others leave."""
        try:
            super()._serve(run, freed)
        finally:
            self._inboxes.leave()
