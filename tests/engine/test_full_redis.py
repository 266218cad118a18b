"""A Redis that may not grow any more, and evicts nothing."""

from __future__ import annotations

import pytest
from structlog.typing import EventDict

from morningdeck.engine.celery_queue import CeleryQueue
from morningdeck.engine.celery_runner import Inboxes
from morningdeck.work import Stage
from tests.engine.test_celery_queue import KEEP
from tests.servers.brokers import broker
from tests.waiting import until

pytestmark = pytest.mark.xdist_group("broker-messages")
STAGE = Stage.PROCESSING


def test_it_is_named_what_keeps_messages_out_and_all_goes_on_when_there_is_room_again(
    logged: list[EventDict],
) -> None:
    told: list[str | None] = []
    with broker("redis") as own:
        queue = CeleryQueue(STAGE, 10, own.connect, lambda cap: 0, keep=KEEP, tell=told.append)
        inboxes, taken = Inboxes(own.connect, STAGE), list[int | None]()
        assert queue.enqueue_all((1, 2)) == 2
        with own.connect() as connection:
            redis = connection.default_channel.client
            redis.config_set("maxmemory", "1mb")

            assert queue.enqueue_all((3, 4)) == 0

            redis.config_set("maxmemory", "0")
        assert queue.enqueue_all((5,)) == 1

        def all_taken() -> bool:
            taken.append(inboxes.take(0.1))
            return {1, 2, 5} <= set(taken)

        until(all_taken)
        inboxes.leave()
        queue.close()

    (first, why, last) = told
    assert (first, last) == (None, None)
    assert why is not None
    assert why.startswith("OutOfMemoryError")
