"""Celery's own worker: it works as ours does, or it does not begin."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path

import pytest

from morningdeck.engine.brokers import queue_of, task_of
from morningdeck.engine.celery_queue import CeleryQueue
from morningdeck.store.database.connect import open_database
from morningdeck.store.queue.incarnations import Incarnations
from morningdeck.work import Stage
from tests.engine.conftest import real_clock
from tests.engine.test_celery_queue import KEEP
from tests.faults.daemon import Daemon
from tests.servers.brokers import Broker
from tests.store.test_signals import listening

pytestmark = pytest.mark.xdist_group("broker-apps")
STAGE = Stage.PROCESSING
CELERY = (sys.executable, "-m", "celery")
WORDS = ("-A", "morningdeck.celery", "worker", "-Q", STAGE.value, "-c", "1")
LEASE = timedelta(minutes=1)
NOBODY = "postgresql://nobody@127.0.0.1:1/none"


def publish(server: Broker) -> None:
    queue = CeleryQueue(STAGE, 10, server.connect, lambda cap: 0, keep=KEEP)
    assert queue.enqueue(1)
    queue.close()


def celery_worker(tmp_path: Path, url: str, server: Broker, pool: str = "threads") -> Daemon:
    where = {"queue__backend": "celery", "queue__broker_url": server.url}
    return Daemon(tmp_path, url, program=CELERY, words=(*WORDS, "--pool", pool), **where)


def no_folder(daemon: Daemon) -> None:
    daemon.environment["MORNINGDECK_DATA_DIR"] = str(Path(__file__) / "no folder")


def no_database(daemon: Daemon) -> None:
    daemon.environment["DATABASE_URL"] = NOBODY


@pytest.mark.parametrize(
    ("spoil", "pool"),
    [(no_database, "threads"), (no_folder, "threads"), (lambda daemon: None, "solo")],
    ids=["no database", "no folder", "not in threads"],
)
def test_one_that_cannot_begin_ends_and_takes_no_message(
    redis_broker: Broker,
    postgres_url: str,
    tmp_path: Path,
    spoil: Callable[[Daemon], None],
    pool: str,
) -> None:
    redis_broker.empty(queue_of(STAGE))
    publish(redis_broker)
    where = {"queue__backend": "celery", "queue__broker_url": redis_broker.url}
    worker = Daemon(tmp_path, postgres_url, program=CELERY, words=(*WORDS, "--pool", pool), **where)
    spoil(worker)
    try:
        assert worker.start().ended() == 1
        said = worker.events("worker_cannot_begin", level="critical")
    except subprocess.TimeoutExpired:
        pytest.fail("it stays")
    finally:
        worker.cut()

    assert redis_broker.holds(queue_of(STAGE)) == 1
    assert len(said) == 1


def our_worker(tmp_path: Path, url: str, server: Broker) -> Daemon:
    where = {"queue__backend": "celery", "queue__broker_url": server.url}
    return Daemon(tmp_path, url, words=("worker", "--queues", STAGE.value), **where)


@pytest.mark.parametrize("begin", [celery_worker, our_worker])
def test_the_queues_that_it_takes_from_are_known_and_it_listens_to_no_signals(
    redis_broker: Broker, postgres_url: str, tmp_path: Path, begin: Callable[..., Daemon]
) -> None:
    redis_broker.empty(queue_of(STAGE))
    database = open_database(postgres_url)
    incarnations = Incarnations(database, lease=LEASE)
    worker = begin(tmp_path, postgres_url, redis_broker)
    try:
        worker.start().wait_for(lambda: incarnations.workers(real_clock()))
        assert incarnations.workers(real_clock()) == (frozenset([STAGE.value]),)
        publish(redis_broker)
        worker.wait_for(lambda: redis_broker.holds(queue_of(STAGE)) == 0)  # it hears signals now
        assert listening(database) == 0
        assert worker.stop() == 0
        assert incarnations.workers(real_clock()) == ()
    finally:
        worker.cut()
        database.close()


def test_of_messages_it_says_no_more_than_their_jobs_do(
    redis_broker: Broker, postgres_url: str, tmp_path: Path
) -> None:
    redis_broker.empty(queue_of(STAGE))
    publish(redis_broker)
    worker = celery_worker(tmp_path, postgres_url, redis_broker)
    try:
        worker.start().wait_for(lambda: redis_broker.holds(queue_of(STAGE)) == 0)
        assert worker.stop() == 0
        assert [one for one in worker.events() if one["event"].startswith("Task ")] == []
    finally:
        worker.cut()


def test_what_names_no_id_of_ours_is_taken_away_and_named(
    redis_broker: Broker, postgres_url: str, tmp_path: Path
) -> None:
    redis_broker.empty(queue_of(STAGE))
    strange: tuple[object, ...] = ("x", 2**70, -1, 1.5, None, [7])
    with redis_broker.connect() as connection:
        producer = connection.Producer()
        for number, named in enumerate(strange):
            headers = {"task": task_of(STAGE), "id": f"strange-{number}"}
            body = [[named], {}, {}]
            producer.publish(body, routing_key=queue_of(STAGE), serializer="json", headers=headers)
    worker = celery_worker(tmp_path, postgres_url, redis_broker)
    try:
        worker.start().wait_for(
            lambda: len(worker.events("message_not_understood")) == len(strange)
        )
        assert worker.stop() == 0
        assert worker.events(level="error") == []
    finally:
        worker.cut()
