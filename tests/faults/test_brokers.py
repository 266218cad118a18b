"""Daemons and workers with a broker in between: nothing lost, nothing twice."""

from __future__ import annotations

import sys
from collections.abc import Callable

import pytest
from sqlalchemy import func, select

from morningdeck.store.tables.briefs import deliveries
from tests.faults.audit import bugs
from tests.faults.crew import ALL, KINDS, Crew
from tests.faults.feeds import SHARED_ENTRY
from tests.faults.newsroom import Newsroom, finish
from tests.faults.scene import Scene
from tests.servers.brokers import Broker

pytestmark = pytest.mark.xdist_group("brokers")


@pytest.fixture(params=KINDS)
def server(request: pytest.FixtureRequest) -> Broker:
    found: Broker = request.getfixturevalue(f"{request.param}_broker")
    return found


def test_from_feed_to_delivered_file_with_one_daemon_and_two_workers(
    postgres_scene: Scene, server: Broker, crew: Callable[..., Crew], tell: Callable[[object], None]
) -> None:
    room = postgres_scene.room(feeds=4)
    room.add_briefings(4)
    room.feeds.publish(4)
    three = crew(server, 1, ALL, ALL).start()

    account = finish(room, *three.all)

    tell(f"{account} / shares {three.shares()}")
    assert three.stop() == {0}
    assert (account.lost, account.duplicated, account.dead) == (0, 0, 0)
    assert not bugs(*three.all)
    assert list(room.outbox.glob("*.eml"))


def test_workers_of_celery_itself_do_the_same(
    postgres_scene: Scene,
    rabbitmq_broker: Broker,
    crew: Callable[..., Crew],
    tell: Callable[[object], None],
) -> None:
    room = postgres_scene.room(feeds=4)
    room.add_briefings(4)
    room.feeds.publish(4)
    program = (sys.executable, "-m", "celery")
    two = crew(rabbitmq_broker, 1, ALL, program=program)
    for one in two.all:
        one.start()

    account = finish(room, *two.all)

    tell(f"{account} / shares {two.shares()}")
    assert two.stop() == {0}
    assert (account.lost, account.duplicated, account.dead) == (0, 0, 0)
    assert two.shares() == [account.attempted]


def test_h18_two_daemons_and_two_workers_over_celery_do_each_job_once(
    postgres_scene: Scene,
    redis_broker: Broker,
    crew: Callable[..., Crew],
    tell: Callable[[object], None],
) -> None:
    room = postgres_scene.room(feeds=20)
    room.add_briefings(10)
    room.feeds.publish(SHARED_ENTRY - 1)  # no story has to wait for its first item
    four = crew(redis_broker, 2, ALL, ALL).start()

    account = finish(room, *four.all)

    shares = four.shares()
    tell(f"{account} / shares {shares}")
    assert four.stop() == {0}
    assert (account.lost, account.duplicated, account.dead, account.recovered) == (0, 0, 0, 0)
    assert sum(shares) == account.attempted  # each once, though some may have been postponed
    assert _most_attempts(room) == 1
    assert four.refused() == 0
    assert min(shares) > 0


def _most_attempts(room: Newsroom) -> int:
    with room.database.read() as connection:
        return int(connection.scalar(select(func.max(deliveries.c.attempts))) or 0)
