"""Daemons and workers with a broker in between, when somebody dies or is told twice."""

from __future__ import annotations

import random
import signal
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from datetime import timedelta

import pytest
from sqlalchemy import func, select

from morningdeck.engine.celery_queue import CeleryQueue
from morningdeck.store.queue.stages import STAGES
from morningdeck.store.tables.news import items
from morningdeck.work import Stage
from tests.faults.audit import Account, bugs
from tests.faults.crew import ALL, CARRIED, KINDS, LEASE_SECONDS, SHORT_LEASE, Crew
from tests.faults.feeds import SHARED_ENTRY
from tests.faults.newsroom import Newsroom, dead_work_back, finish, some_moment
from tests.faults.scene import Scene
from tests.servers.brokers import Broker, broker

pytestmark = pytest.mark.xdist_group("broker-faults")
BROKER_LEASE_SECONDS = 7 * LEASE_SECONDS


def test_workers_that_are_told_to_stop_at_work_leave_nothing_undone_or_done_again(
    postgres_scene: Scene,
    redis_broker: Broker,
    crew: Callable[..., Crew],
    tell: Callable[[object], None],
) -> None:
    room = postgres_scene.room(feeds=12)
    room.feeds.publish(SHARED_ENTRY - 1)
    three = crew(redis_broker, 1, ALL, ALL).start()
    stopped = three.workers[0]
    for _ in range(2):
        enough = len(stopped.events("job_finished", stage="processing")) + 3
        room.feeds.publish(SHARED_ENTRY if room.feeds.published else 0)
        room.fetch_all()
        stopped.wait_for(
            lambda: len(stopped.events("job_finished", stage="processing")) >= enough  # noqa: B023
        )
        assert stopped.stop() == 0
        assert not stopped.events("work_cut_off")
        stopped.start().wait_for_event("started")

    account = finish(room, *three.all)

    tell(f"{account} / shares {three.shares()}")
    assert three.stop() == {0}
    assert (account.lost, account.duplicated, account.dead, account.recovered) == (0, 0, 0, 0)
    assert three.refused() == 0
    assert not bugs(*three.all)


def test_a_second_signal_ends_a_worker_at_once_and_its_lease_gives_the_work_back(
    postgres_scene: Scene, redis_broker: Broker, crew: Callable[..., Crew]
) -> None:
    room = postgres_scene.room(feeds=2)
    room.feeds.publish(2)
    room.feeds.hold()
    three = crew(redis_broker, 1, "fetch", ALL, **SHORT_LEASE)
    (one,), (victim, other) = three.daemons, three.workers
    one.start()
    victim.start().wait_for(lambda: room.feeds.requests.total() == 2)
    victim.signal(signal.SIGTERM)
    victim.wait_for_event("stopping")
    victim.signal(signal.SIGTERM)
    assert victim.ended() == 128 + signal.SIGTERM

    room.feeds.let_go()
    other.start()
    account = finish(room, *three.all)

    assert (account.lost, account.duplicated, account.dead) == (0, 0, 0)
    assert account.recovered == 2
    assert {one.stop(), other.stop()} == {0}


@contextmanager
def echo(room: Newsroom, server: Broker) -> Iterator[list[int]]:
    """Whatever waits in the broker is put into it once more, by somebody who claims nothing."""
    told: list[int] = []
    over = threading.Event()
    queues = {
        stage: CeleryQueue(stage, 10**9, server.connect, lambda cap: 0, keep=timedelta(days=1))
        for stage in CARRIED
    }

    def tell() -> None:
        while not over.wait(0.002):
            for stage, queue in queues.items():
                for job_id in _queued(room, stage):
                    with suppress(Exception):
                        queue.enqueue(job_id)
                    told.append(job_id)

    thread = threading.Thread(target=tell)
    thread.start()
    try:
        yield told
    finally:
        over.set()
        thread.join()
        for queue in queues.values():
            queue.close()


def _queued(room: Newsroom, stage: Stage) -> list[int]:
    of = STAGES[stage]
    query = select(of.table.c.id).where(of.table.c.status == of.states.queued)
    with room.database.read() as connection:
        return list(connection.scalars(query))


def test_every_message_delivered_twice_is_done_once(
    postgres_scene: Scene,
    rabbitmq_broker: Broker,
    crew: Callable[..., Crew],
    tell: Callable[[object], None],
) -> None:
    room = postgres_scene.room(feeds=12)
    room.add_briefings(8)
    three = crew(rabbitmq_broker, 1, ALL, ALL).start()
    with echo(room, rabbitmq_broker) as told:
        room.feeds.publish(SHARED_ENTRY - 1)
        account = finish(room, *three.all)

    tell(f"{account} / {len(told)} messages of nobody")
    assert three.stop() == {0}
    assert len(told) > account.attempted / 2
    assert (account.lost, account.duplicated, account.dead, account.recovered) == (0, 0, 0, 0)
    assert sum(three.shares()) == account.attempted


CHAOS_QUEUES = ("fetch", "processing", "processing", ALL, ALL, "fetch,briefing")


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """One broker every day, all of them in the long tier."""
    if "troubled" in metafunc.fixturenames:
        kinds = KINDS if metafunc.config.getoption("--long") else ("rabbitmq",)
        metafunc.parametrize("troubled", kinds)


def test_three_daemons_and_six_workers_killed_at_random_with_a_broker_in_trouble(
    postgres_scene: Scene,
    troubled: str,
    crew: Callable[..., Crew],
    long: bool,
    seed: int,
    tell: Callable[[object], None],
) -> None:
    kills, chance = (100 if long else 6), random.Random(seed)
    room = postgres_scene.room(feeds=12)
    room.add_briefings(12)
    with broker(troubled) as own:
        nine = crew(own, 3, *CHAOS_QUEUES, **SHORT_LEASE).start()
        for number in range(kills):
            room.feeds.publish(2)
            room.fetch_all()
            room.brief_all(planned=number % 3 == 0)
            victim = chance.choice(nine.all)
            some_moment(victim, chance)
            _trouble(own, number % (10 if long else 6), seconds=30 if long else 3)
            victim.kill()
            victim.start()
        for one in nine.all:
            one.wait_for_event("started")
        dead = dead_work_back(room, nine.daemons[0])
        account = finish(room, *nine.all)
        tell(f"{troubled}, seed {seed}, {kills} kills: {account} / came back {dead}")
        assert nine.stop() == {0}
    assert (account.lost, account.duplicated, account.dead) == (0, 0, 0)


def _trouble(server: Broker, number: int, *, seconds: float) -> None:
    """In every tenth round each; in a short run once each."""
    if number == 1:
        server.down()
        server.up()
    if number == 3:
        with server.frozen():
            time.sleep(seconds)  # long enough for all that waits for it to give up
    if number == 5:
        server.wipe()


def test_messages_that_are_lost_with_their_broker_come_again_within_their_lease(
    postgres_scene: Scene, crew: Callable[..., Crew], tell: Callable[[object], None]
) -> None:
    room = postgres_scene.room(feeds=4)
    room.feeds.publish(3)
    with broker("redis") as own:
        two = crew(own, 1, ALL, **SHORT_LEASE)
        (one,), (worker,) = two.daemons, two.workers
        one.start().wait_for(lambda: own.holds(Stage.FETCH.value) == 4)
        own.wipe()
        began = time.monotonic()
        worker.start()

        one.wait_for(lambda: room.finished() and _enriched(room) == 12, pause_seconds=0.05)
        seconds = time.monotonic() - began
        account: Account = finish(room, *two.all)

        tell(f"{account} / all done {seconds:.1f} s after the loss")
        assert two.stop() == {0}
    assert (account.lost, account.duplicated, account.dead) == (0, 0, 0)
    assert account.recovered >= 4
    assert seconds < 3 * BROKER_LEASE_SECONDS


def _enriched(room: Newsroom) -> int:
    with room.database.read() as connection:
        query = select(func.count()).select_from(items).where(items.c.status == "DONE")
        return int(connection.scalar(query) or 0)
