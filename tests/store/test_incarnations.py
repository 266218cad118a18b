"""Who lives: incarnations with a lease, one at a time for each node."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta

from morningdeck.store.database.connect import Database
from morningdeck.store.queue.incarnations import Incarnations
from tests.conftest import NOW

LEASE = timedelta(seconds=90)
LATER = NOW + timedelta(seconds=60)


def join(
    database: Database,
    node: str,
    incarnation: str,
    kind: str = "daemon",
    later: float = 0,
    serves: Sequence[str] = (),
) -> Incarnations:
    incarnations = Incarnations(database, lease=LEASE)
    now = NOW + timedelta(seconds=later)
    incarnations.join(
        node=node,
        incarnation=incarnation,
        kind=kind,
        serves=serves,
        pid=1,
        version="0.1",
        now=now,
    )
    return incarnations


def test_nobody_runs_until_a_daemon_has_joined(database: Database) -> None:
    incarnations = join(database, "host/0", "a", kind="command")
    assert incarnations.daemon_since(NOW) is None

    join(database, "host/1", "b")
    assert incarnations.daemon_since(NOW) == NOW


def test_a_daemon_that_does_not_beat_is_dead_after_its_lease(database: Database) -> None:
    incarnations = join(database, "host/0", "a")

    assert incarnations.daemon_since(NOW + LEASE - timedelta(seconds=1)) == NOW
    assert incarnations.daemon_since(NOW + LEASE) is None


def test_a_beat_prolongs_the_lease_of_that_incarnation_alone(database: Database) -> None:
    join(database, "host/0", "a")
    incarnations = join(database, "host/1", "b", later=10)
    incarnations.beat("b", LATER)

    assert incarnations.daemon_since(NOW + LEASE) == NOW + timedelta(seconds=10)


def test_the_longest_running_daemon_counts(database: Database) -> None:
    incarnations = join(database, "host/1", "b", later=10)
    join(database, "host/0", "a")

    assert incarnations.daemon_since(LATER) == NOW
    assert incarnations.daemons(LATER) == 2


def test_one_that_has_left_does_not_run(database: Database) -> None:
    incarnations = join(database, "host/0", "a")
    incarnations.leave("a", LATER)

    assert incarnations.daemon_since(LATER) is None
    assert incarnations.daemons(LATER) == 0


def test_a_new_incarnation_ends_the_earlier_one_of_its_node(database: Database) -> None:
    join(database, "host/0", "a")
    incarnations = join(database, "host/0", "b", later=30)

    assert incarnations.daemon_since(LATER) == NOW + timedelta(seconds=30)


def test_a_new_incarnation_leaves_other_nodes_alone(database: Database) -> None:
    join(database, "host/0", "a")
    incarnations = join(database, "host/1", "b", later=30)

    assert incarnations.daemon_since(LATER) == NOW


def test_of_each_living_worker_it_is_known_what_it_serves(database: Database) -> None:
    serves = (("fetch",), ("fetch", "processing"), ("briefing",), ())
    for number, stages in enumerate(serves):
        kind = "worker" if stages else "daemon"
        incarnations = join(database, f"host/{number}", str(number), kind=kind, serves=stages)
    incarnations.leave("0", NOW)
    incarnations.beat("1", LATER)

    assert set(incarnations.workers(NOW)) == {frozenset(serves[1]), frozenset(serves[2])}
    assert incarnations.workers(NOW + LEASE) == (frozenset(serves[1]),)
    assert incarnations.daemon_since(NOW) == NOW
