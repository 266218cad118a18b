"""PostgreSQL ends every connection of a daemon at work, again and again: nobody's failure."""

from __future__ import annotations

import random
from collections.abc import Callable
from functools import partial

from tests.faults.audit import bugs, failures
from tests.faults.daemon import Daemon
from tests.faults.newsroom import finish, some_moment
from tests.faults.scene import Scene
from tests.servers.postgresql import PostgresServer

CUT = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '{}'"


def test_connections_that_are_cut_are_nobodys_failure(
    postgres_scene: Scene,
    postgres_server: PostgresServer,
    cuts: int,
    tell: Callable[[object], None],
) -> None:
    room = postgres_scene.room(feeds=20)
    room.add_briefings(20)
    one = postgres_scene.daemon().start()
    chance = random.Random()
    failed = 0
    for number in range(cuts):
        done = len(one.events("job_finished"))
        room.feeds.publish(3)
        room.fetch_all()
        room.brief_all(planned=number % 3 == 0)
        one.wait_for(partial(_has_done, one, done + 1))
        some_moment(one, chance)
        room.database.close()  # only the daemon's connections are cut
        postgres_server.execute(CUT.format(postgres_scene.url.rpartition("/")[2]))
        failed += failures(room.database)
    account = finish(room, one)
    unexpected = bugs(one)
    away = len(one.events("database_away"))
    tell(f"{account} / {cuts} cuts, told {away} times, failures {failed}, {unexpected}")
    assert one.stop() == 0
    assert (account.lost, account.duplicated, account.dead) == (0, 0, 0)
    assert (failed, unexpected) == (0, {})


def _has_done(one: Daemon, jobs: int) -> bool:
    return len(one.events("job_finished")) >= jobs
