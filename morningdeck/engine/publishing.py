"""Messages on their way into a broker: many at a time, and only what is in there counts.

Redis is given them in one trip, Amazon ten in each. RabbitMQ says of each that it has it, in its
own time: all are sent before the first answer is waited for.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from datetime import timedelta
from functools import partial
from typing import Any

from kombu import Connection, Producer, Queue
from kombu.exceptions import KombuError

from morningdeck.engine.brokers import ANSWER_SECONDS, queue_of, task_of
from morningdeck.work import Stage

TRANSIENT = 1
"""RabbitMQ need not write messages to its disk: what it forgets is found by its lease."""


AT_ONCE = 10
"""So many messages Amazon takes in one request."""


class Publisher:
    def __init__(self, stage: Stage, queue: Queue, *, keep: timedelta) -> None:
        self._stage = stage
        if hasattr(queue.channel, "sqs"):
            queue.channel.create_publish_batch = partial(AmazonBatch, queue.channel)
        self._producer = Producer(queue.channel)
        self._confirms = Confirms(queue.channel) if hasattr(queue.channel, "events") else None
        self._publish = partial(
            self._producer.publish,
            routing_key=queue_of(stage),
            content_type="application/json",
            content_encoding="utf-8",
            delivery_mode=TRANSIENT,
            expiration=keep.total_seconds(),
            mandatory=True,
            timeout=ANSWER_SECONDS,
        )

    def send(self, connection: Connection, ids: Sequence[int]) -> None:
        """Return once the broker has all of them; what is raised means that it may have some."""
        with self._producer.batch():
            for job_id in ids:
                if self._confirms is not None:
                    self._confirms.expect()
                headers = {"task": task_of(self._stage), "id": f"{self._stage.value}-{job_id}"}
                self._publish(f"[[{job_id}], {{}}, {{}}]", headers=headers)
        if self._confirms is not None:
            self._confirms.wait(connection)


class Confirms:
    """What RabbitMQ says of the messages that were published on a channel, each by its number."""

    def __init__(self, channel: Any) -> None:
        self._sent = 0
        self._open: set[int] = set()
        self._refused: list[object] = []
        channel.confirm_select()
        channel.events["basic_ack"].add(self._has)
        channel.events["basic_nack"].add(lambda *what: self._refused.append(what))
        # nobody would miss it otherwise: it is confirmed as well
        channel.events["basic_return"].add(lambda *what: self._refused.append(what))

    def expect(self) -> None:
        """Before the next is sent: what is said of one may be heard while others are sent."""
        self._sent += 1
        self._open.add(self._sent)

    def _has(self, number: int, and_before: bool) -> None:
        if and_before:
            self._open = {later for later in self._open if later > number}
        else:
            self._open.discard(number)

    def wait(self, connection: Connection) -> None:
        """Until it has said that it has all that were sent."""
        patience = time.monotonic() + ANSWER_SECONDS
        while self._open and not self._refused:
            connection.drain_events(timeout=max(0.001, patience - time.monotonic()))
        if self._refused:
            raise KombuError("RabbitMQ has not taken it: its queue may be gone")


class AmazonBatch:
    """What Kombu has for Redis: messages are gathered until they are flushed."""

    def __init__(self, channel: Any, max_size: int) -> None:
        self.channel = channel
        self._client = channel.sqs()
        self._gathered: list[dict[str, str]] = []

    def publish(self, message: object, **options: Any) -> None:
        """Kombu makes of it what Amazon is sent, and sends it to us."""
        self.channel.sqs = lambda queue=None: self
        try:
            self.channel.basic_publish(message, **options)
        finally:
            del self.channel.sqs

    def send_message(self, **message: str) -> None:
        self._gathered.append(message)

    def flush(self) -> None:
        for first in range(0, len(self._gathered), AT_ONCE):
            some = self._gathered[first : first + AT_ONCE]
            entries = [
                {"Id": str(number), "MessageBody": one["MessageBody"]}
                for number, one in enumerate(some)
            ]
            answer = self._client.send_message_batch(QueueUrl=some[0]["QueueUrl"], Entries=entries)
            if answer.get("Failed"):
                raise KombuError(f"Amazon has not taken {len(answer['Failed'])} messages")

    def discard(self) -> None:
        self._gathered.clear()

    def close(self) -> None:
        """Nothing is open."""
