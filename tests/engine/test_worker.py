"""A worker settles its job, whatever happens."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime, timedelta

import pytest
from structlog.typing import EventDict

from morningdeck.errors import DatabaseAwayError, PermanentError, TransientError
from morningdeck.model.making import Enriched, Enrichment, Tags
from morningdeck.store.database.connect import Database
from morningdeck.store.tables.news import items, sources
from morningdeck.work import Done, Job, Outcome, Postponed, Stage
from tests.conftest import NOW, ManualClock
from tests.engine.conftest import Start, named
from tests.engine.gate import Gate
from tests.engine.process import LEASE, Process
from tests.factories import make_item, row_of

ENRICHED = Enrichment("A summary.", "news", "inform", Tags(), "en", by="offline")


@pytest.fixture
def item(database: Database, source: int) -> int:
    return make_item(database, source)


def raising(error: Exception) -> Callable[[Job], Outcome]:
    def verb(job: Job) -> Outcome:
        raise error

    return verb


def claimed(process: Process, item: int) -> int:
    assert process.store.claim_one(Stage.PROCESSING, item, process.owner, NOW)
    process.leases.hold(Stage.PROCESSING, item)
    return item


def test_a_worker_stores_the_result_and_then_wakes_who_has_more_to_do(
    process: Process, database: Database, item: int
) -> None:
    seen = []

    def wake(loop: str) -> None:
        seen.append((loop, row_of(database, items, item).status))

    def verb(job: Job) -> Outcome:
        return Done(Enriched(ENRICHED, "hash"), wake=("indexing", "delivery"))

    process.worker(verb, wake=wake).run(claimed(process, item))

    assert seen == [("indexing", "DONE"), ("delivery", "DONE")]
    assert row_of(database, items, item).summary == "A summary."


def test_a_job_leaves_one_line_in_the_log(
    process: Process, item: int, logged: list[EventDict]
) -> None:
    process.worker(lambda job: Done()).run(claimed(process, item))

    (line,) = logged
    assert line.pop("duration_ms") >= 0
    assert line == {
        "event": "job_finished",
        "log_level": "info",
        "stage": "processing",
        "id": item,
        "attempt": 1,
        "status": "DONE",
    }


@pytest.mark.parametrize(
    ("error", "status", "minutes", "reason"),
    [
        (TransientError("timeout"), "NEW", 1, "timeout"),
        (TransientError("asked to wait", after=600), "NEW", 10, "asked to wait"),
        (PermanentError("no such page"), "ERROR", None, "no such page"),
        (KeyError("secret"), "NEW", 1, "unexpected KeyError, see the log"),
    ],
)
def test_what_a_verb_raises_decides_whether_it_is_tried_again(
    process: Process,
    database: Database,
    item: int,
    error: Exception,
    status: str,
    minutes: int | None,
    reason: str,
) -> None:
    process.worker(raising(error)).run(claimed(process, item))

    row = row_of(database, items, item)
    assert (row.status, row.failures, row.last_error) == (status, 1, reason)
    assert row.due_at == (None if minutes is None else NOW + timedelta(minutes=minutes))


def test_a_job_that_meets_a_database_which_is_away_is_not_to_blame(
    process: Process, database: Database, item: int
) -> None:
    process.worker(raising(DatabaseAwayError("database: away"))).run(claimed(process, item))

    row = row_of(database, items, item)
    assert (row.status, row.failures, row.due_at) == ("NEW", 0, NOW + timedelta(seconds=5))


def test_a_job_that_is_put_off_is_no_finished_one(
    process: Process, item: int, logged: list[EventDict]
) -> None:
    process.worker(lambda job: Postponed(NOW, "its server is busy")).run(claimed(process, item))

    assert named(logged, "job_finished") == []
    assert [event["log_level"] for event in named(logged, "job_put_off")] == ["debug"]


def test_a_settled_job_is_held_no_longer(process: Process, item: int) -> None:
    process.worker(lambda job: Done()).run(claimed(process, item))

    assert process.leases.renew() == 0  # nothing is left to be lost


def test_a_bug_in_a_verb_is_logged_with_its_traceback(
    process: Process, item: int, logged: list[EventDict]
) -> None:
    process.worker(raising(KeyError("oops"))).run(claimed(process, item))

    (bug,) = named(logged, "verb_bug")
    assert (bug["log_level"], bug["exc_info"], bug["id"]) == ("error", True, item)


def test_an_id_that_nobody_claimed_any_more_is_dropped_without_a_word(
    process: Process, item: int, logged: list[EventDict]
) -> None:
    process.leases.hold(Stage.PROCESSING, item)

    process.worker(raising(AssertionError("it ran"))).run(item)

    assert logged == []
    assert process.leases.renew() == 0  # it is not held either


def test_a_result_that_cannot_be_stored_is_a_failure_and_counted_as_one(
    process: Process, database: Database, item: int, logged: list[EventDict]
) -> None:
    woken: list[str] = []
    worker = process.worker(
        lambda job: Done(object(), wake=("indexing",)),  # nobody knows how to save that
        wake=woken.append,
    )

    worker.run(claimed(process, item))

    row = row_of(database, items, item)
    assert (row.status, row.failures) == ("NEW", 1)
    assert row.last_error == "its result could not be stored: KeyError, see the log"
    assert [event["status"] for event in named(logged, "job_finished")] == ["NEW"]
    assert (worker.outcomes, woken) == ({"NEW": 1}, [])


def test_a_database_that_is_away_does_not_cost_the_finished_work(
    process: Process, database: Database, item: int, logged: list[EventDict]
) -> None:
    runs = []

    def verb(job: Job) -> Outcome:
        runs.append(job)
        process.store.away = 2
        return Done(Enriched(ENRICHED, "hash"))

    process.worker(verb).run(claimed(process, item))

    assert len(runs) == 1
    assert row_of(database, items, item).status == "DONE"
    assert [event["event"] for event in logged] == ["job_finished"]


def test_a_start_too_waits_for_a_database_that_is_away(
    process: Process, database: Database, item: int
) -> None:
    claimed(process, item)
    process.store.away = 2

    process.worker(lambda job: Done()).run(item)

    assert row_of(database, items, item).status == "DONE"


def test_a_claim_whose_start_meets_a_bug_is_not_kept_for_ever(
    process: Process, database: Database, clock: ManualClock, item: int
) -> None:
    claimed(process, item)
    process.store.away, process.store.trouble = 1, ZeroDivisionError()
    with pytest.raises(ZeroDivisionError):
        process.worker(Gate().verb).run(item)
    clock.pass_(seconds=60)

    process.leases.renew()

    assert row_of(database, items, item).lease_until == NOW + LEASE


def test_a_result_is_stored_although_the_trust_in_its_lease_has_run_out(
    begin: Start, database: Database, item: int, logged: list[EventDict]
) -> None:
    process = begin(lease=timedelta(0))  # the database decides whether the row is still ours

    def verb(job: Job) -> Outcome:
        process.store.away = 2
        return Done()

    process.worker(verb).run(claimed(process, item))

    assert [event["event"] for event in logged] == ["job_finished"]
    assert row_of(database, items, item).status == "DONE"


def test_a_rest_that_must_be_looked_up_waits_for_the_database_too(
    process: Process, database: Database, source: int
) -> None:
    asked = []

    def rest(job: Job) -> datetime:
        asked.append(job)
        if len(asked) == 1:
            raise TransientError("database: away")
        return NOW + timedelta(hours=4)

    assert process.store.claim_one(Stage.FETCH, source, process.owner, NOW)
    process.worker(raising(PermanentError("404")), Stage.FETCH, rest=rest).run(source)

    row = row_of(database, sources, source)
    assert (row.status, row.due_at) == ("IDLE", NOW + timedelta(hours=4))
