"""What goes through a real broker, and what becomes of it when somebody or the broker dies."""

from __future__ import annotations

import json
import socket
from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import pytest
from kombu import Connection, Queue
from redis import Redis
from structlog.typing import EventDict

from morningdeck.engine.brokers import queue_of
from morningdeck.engine.celery_queue import CeleryQueue, Trouble
from morningdeck.engine.celery_runner import Inbox
from morningdeck.work import Stage
from tests.engine.conftest import named
from tests.servers.brokers import UP_SECONDS, Broker, broker
from tests.waiting import until

pytestmark = pytest.mark.xdist_group("broker-messages")
STAGE = Stage.PROCESSING
KEEP = timedelta(minutes=10)


@pytest.fixture(params=["redis", "rabbitmq", "sqs"])
def server(request: pytest.FixtureRequest) -> Broker:
    found: Broker = request.getfixturevalue(f"{request.param}_broker")
    found.empty(queue_of(STAGE))
    return found


@pytest.fixture
def queue(server: Broker) -> Iterator[CeleryQueue]:
    made = CeleryQueue(STAGE, 1000, server.connect, lambda cap: 0, keep=KEEP)
    yield made
    made.close()


@pytest.fixture
def inboxes(server: Broker) -> Iterator[list[Inbox]]:
    made = [Inbox(server.connect, STAGE, Trouble(STAGE)) for _ in range(2)]
    yield made
    for one in made:
        one.close()


def next_of(inbox: Inbox) -> int:
    found: list[int] = []

    def look() -> bool:
        if (job_id := inbox.take(0.2)) is not None:
            found.append(job_id)
        return bool(found)

    until(look, UP_SECONDS)
    return found[0]


def waits_in(connection: Connection) -> Any:
    return Queue(queue_of(STAGE), channel=connection.default_channel).get(no_ack=False)


def test_a_message_has_the_stage_and_the_id_and_nothing_else(
    server: Broker, queue: CeleryQueue
) -> None:
    assert queue.enqueue(17)

    with server.connect() as connection:
        message = waits_in(connection)
        message.ack()
    body: str = message.body
    assert json.loads(body) == [[17], {}, {}]
    assert message.headers == {"task": "morningdeck.processing", "id": "processing-17"}


def test_many_at_once_arrive_each_once(
    server: Broker, queue: CeleryQueue, inboxes: list[Inbox]
) -> None:
    ids = tuple(range(1, 31))

    assert queue.enqueue_all(ids) == len(ids)

    assert tuple(sorted(next_of(inboxes[0]) for _ in ids)) == ids


@pytest.mark.parametrize("waits", [False, True], ids=["asked for", "handed over"])
def test_what_a_worker_has_taken_comes_to_nobody_else(
    server: Broker, queue: CeleryQueue, inboxes: list[Inbox], waits: bool
) -> None:
    if waits:
        assert inboxes[0].take(0.05) is None  # from here on it is told
    assert queue.enqueue(1)
    assert next_of(inboxes[0]) == 1
    inboxes[0].close()  # as if it had died: what is not acknowledged goes back

    assert inboxes[1].take(0.3) is None
    with server.connect() as connection:
        assert waits_in(connection) is None


def test_nothing_waits_behind_a_long_job_while_another_process_is_free(
    queue: CeleryQueue, inboxes: list[Inbox]
) -> None:
    busy, free = inboxes
    assert busy.take(0.05) is None  # from here on it is told
    assert queue.enqueue(1)
    assert next_of(busy) == 1

    assert queue.enqueue(2)

    assert next_of(free) == 2


def test_a_message_through_redis_does_not_take_a_new_client(
    redis_broker: Broker, monkeypatch: pytest.MonkeyPatch
) -> None:
    redis_broker.empty(queue_of(STAGE))
    made, make = [], Redis.__init__

    def counting(client: Redis, **options: Any) -> None:
        made.append(client)
        make(client, **options)

    monkeypatch.setattr(Redis, "__init__", counting)
    queue = CeleryQueue(STAGE, 1000, redis_broker.connect, lambda cap: 0, keep=KEEP)
    inbox = Inbox(redis_broker.connect, STAGE, Trouble(STAGE))

    for job_id in range(1, 21):
        assert queue.enqueue(job_id)
        assert next_of(inbox) == job_id

    queue.close()
    inbox.close()
    assert len(made) <= 4


def test_what_is_no_message_of_ours_is_taken_away_and_named(
    server: Broker, queue: CeleryQueue, inboxes: list[Inbox], logged: list[EventDict]
) -> None:
    with server.connect() as connection:
        producer = connection.Producer()
        strange: tuple[object, ...] = (
            *("{", [[]], {"id": 7}, [["x"], {}, {}], None),
            *([[float("inf")], {}, {}], [[10**19], {}, {}]),
        )
        for body in strange:
            producer.publish(body, routing_key=queue_of(STAGE), serializer="json")
    assert queue.enqueue(5)

    assert next_of(inboxes[0]) == 5

    assert len(named(logged, "message_not_understood")) == len(strange)


# ---- a broker that is in trouble


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Amazon's servers are neither stopped nor frozen by anybody we know: moto in the long tier."""
    if "own_broker" in metafunc.fixturenames:
        kinds = ("redis", "rabbitmq", *(["sqs"] if metafunc.config.getoption("--long") else []))
        metafunc.parametrize("own_broker", kinds, indirect=True, scope="module")


@pytest.fixture(scope="module")
def own_broker(request: pytest.FixtureRequest) -> Iterator[Broker]:
    """One that may be stopped, frozen or wiped."""
    with broker(request.param) as server:
        yield server


@pytest.fixture
def line(own_broker: Broker) -> Iterator[tuple[CeleryQueue, Inbox]]:
    connect = own_broker.connect
    queue = CeleryQueue(STAGE, 1000, connect, lambda cap: 0, keep=KEEP)
    inbox = Inbox(connect, STAGE, Trouble(STAGE))
    yield queue, inbox
    queue.close()
    inbox.close()


def test_both_sides_find_their_way_back_to_a_broker_that_was_started_again(
    own_broker: Broker, line: tuple[CeleryQueue, Inbox], logged: list[EventDict]
) -> None:
    queue, inbox = line
    assert queue.enqueue(1)
    assert next_of(inbox) == 1
    assert inbox.take(0.05) is None
    own_broker.down()
    assert not queue.enqueue(2)
    assert not queue.enqueue(3)
    assert inbox.take(0.05) is None
    own_broker.up()

    until(lambda: queue.enqueue(4))
    assert next_of(inbox) == 4

    assert {event["log_level"] for event in named(logged, "broker_away")} == {"warning"}
    assert len(named(logged, "broker_away")) == len(named(logged, "broker_back")) == 2
    assert "guest" not in str(logged)
    assert "cret" not in str(logged)


def test_whoever_hangs_up_sets_no_time_limit_for_the_sockets_of_others(
    server: Broker, queue: CeleryQueue, monkeypatch: pytest.MonkeyPatch
) -> None:
    limits: set[float | None] = set()
    monkeypatch.setattr(socket, "setdefaulttimeout", limits.add)
    inbox = Inbox(server.connect, STAGE, Trouble(STAGE))
    assert queue.enqueue(1)
    assert next_of(inbox) == 1

    inbox.close()
    queue.close()

    assert limits <= {None}


def test_a_queue_that_is_gone_is_noticed_and_made_again(
    own_broker: Broker, line: tuple[CeleryQueue, Inbox]
) -> None:
    queue, inbox = line
    assert queue.enqueue(1)
    assert next_of(inbox) == 1
    with own_broker.connect() as connection:
        Queue(queue_of(STAGE), channel=connection.default_channel).delete()

    until(lambda: queue.enqueue_all((2, 3)))
    assert [next_of(inbox), next_of(inbox)] == [2, 3]


def test_nobody_waits_long_for_a_broker_that_is_frozen(
    own_broker: Broker, line: tuple[CeleryQueue, Inbox]
) -> None:
    queue, inbox = line
    until(lambda: queue.enqueue(1), UP_SECONDS)
    assert next_of(inbox) == 1

    with own_broker.frozen():
        assert not queue.enqueue(2)

    # each try may wait five seconds for each of a few answers, of a broker that is busy waking up
    until(lambda: queue.enqueue(3), UP_SECONDS)
    until(lambda: next_of(inbox) == 3, UP_SECONDS)  # what it had not read when it froze may come
