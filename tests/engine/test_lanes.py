"""What travels on a lane, a sweep or a chore gets done, in good time and only once."""

from __future__ import annotations

from datetime import timedelta

from structlog.typing import EventDict

from morningdeck.engine.loop import Chore
from morningdeck.engine.memory_queue import MemoryQueue
from morningdeck.store.database.connect import Database
from morningdeck.store.tables.news import items
from morningdeck.work import Done, Job, Outcome, Postponed
from tests.conftest import NOW
from tests.engine.conftest import Start, named, real_clock
from tests.engine.gate import Gate
from tests.engine.process import NEVER, Process
from tests.factories import make_item, make_items, row_of
from tests.waiting import LIMIT_SECONDS, until


class Diary:
    """A verb that only notes what it was called for."""

    def __init__(self) -> None:
        self.jobs: list[Job] = []

    def __call__(self, job: Job) -> Outcome:
        self.jobs.append(job)
        return Done()

    @property
    def ids(self) -> list[int]:
        return [job.id for job in self.jobs]


# ---- a lane


def test_a_lane_works_through_a_backlog_of_many_batches_without_a_tick(
    process: Process, database: Database, source: int
) -> None:
    waiting, diary = make_items(database, source, 57), Diary()
    process.lane(diary, workers=3, batch=5).start()

    until(lambda: len(diary.ids) == 57)

    assert sorted(diary.ids) == list(waiting)


def test_a_tiny_queue_is_no_obstacle(process: Process, database: Database, source: int) -> None:
    waiting, diary = make_items(database, source, 20), Diary()
    process.lane(diary, workers=2, capacity=1).start()

    until(lambda: len(diary.ids) == 20)

    assert sorted(diary.ids) == list(waiting)


def test_a_lane_is_there_in_time_for_what_is_due_later(
    begin: Start, database: Database, source: int
) -> None:
    soon = real_clock() + timedelta(seconds=0.15)
    item, diary = make_item(database, source, due_at=soon), Diary()
    begin(clock=real_clock).lane(diary).start()

    until(lambda: diary.ids == [item])

    assert real_clock() >= soon


def test_a_lane_is_there_in_time_for_what_it_has_put_off_itself(
    begin: Start, database: Database, source: int
) -> None:
    attempts = []

    def verb(job: Job) -> Outcome:
        attempts.append(job.attempt)
        soon = real_clock() + timedelta(seconds=0.05)
        return Postponed(soon) if job.attempt < 3 else Done()

    item = make_item(database, source)
    begin(clock=real_clock).lane(verb).start()

    until(lambda: row_of(database, items, item).status == "DONE")

    assert attempts == [1, 2, 3]


def test_a_lane_tells_what_a_round_has_claimed(
    process: Process, database: Database, source: int, logged: list[EventDict]
) -> None:
    make_items(database, source, 3)
    diary = Diary()
    lane = process.lane(diary, workers=3)
    lane.start()
    until(lambda: len(diary.ids) == 3)
    until(lambda: not lane.busy(NOW))

    (line,) = named(logged, "feeder_cycle")
    assert (line["stage"], line["claimed"]) == ("processing", 3)


def test_a_high_backlog_is_warned_of_once(
    process: Process, database: Database, source: int, logged: list[EventDict]
) -> None:
    make_items(database, source, 30)
    gate = Gate()
    lane = process.lane(gate.verb, workers=1, batch=5, backlog_warning=20)
    lane.start()
    gate.wait_for(1)
    lane.wake()
    gate.open()

    until(lambda: len(gate.ended) == 30)

    (warning,) = named(logged, "Enrichment queue backlog high")
    assert (warning["log_level"], warning["waiting"]) == ("warning", 21)  # counted no further


def test_a_lane_is_busy_while_anything_is_due_queued_or_running(
    process: Process, database: Database, source: int
) -> None:
    gate = Gate()
    lane = process.lane(gate.verb, workers=1)
    assert not lane.busy(NOW)
    make_items(database, source, 2)
    assert lane.busy(NOW)

    lane.start()
    gate.wait_for(1)
    assert lane.busy(NOW)
    gate.open()

    until(lambda: not lane.busy(NOW))
    assert len(gate.ended) == 2


def test_a_lane_is_busy_while_a_claim_is_on_its_way_into_the_queue(
    process: Process, database: Database, source: int
) -> None:
    entering, enter = Gate(), Gate()

    class Narrow(MemoryQueue):
        def enqueue(self, job_id: int) -> bool:
            entering(job_id)
            return super().enqueue(job_id)

    make_item(database, source)
    enter.open()
    lane = process.lane(enter.verb, queue=Narrow(9), workers=1)
    lane.start()
    entering.wait_for(1)

    assert lane.busy(NOW)

    entering.open()
    until(lambda: not lane.busy(NOW))
    assert len(enter.ended) == 1


def test_what_is_due_soon_keeps_a_lane_busy_what_is_due_later_does_not(
    process: Process, database: Database, source: int
) -> None:
    lane = process.lane(Diary())
    make_item(database, source, due_at=NOW + timedelta(seconds=20))

    assert lane.busy(NOW + timedelta(seconds=30))
    assert not lane.busy(NOW + timedelta(seconds=10))


def test_a_stopped_lane_finishes_what_runs_and_gives_back_the_rest(
    process: Process, database: Database, source: int
) -> None:
    first, *others = make_items(database, source, 5)
    gate = Gate()
    lane = process.lane(gate.verb, workers=1)
    lane.start()
    gate.wait_for(1)
    process.queue_up(lane, 3)

    lane.stop()

    rows = [row_of(database, items, item) for item in others]
    assert {(row.status, row.attempts, row.failures) for row in rows} == {("NEW", 0, 0)}
    assert not lane.join(0.05)
    gate.open()
    assert lane.join(LIMIT_SECONDS)
    assert row_of(database, items, first).status == "DONE"
    assert gate.begun == [first]


# ---- a chore


class Pile:
    def __init__(self) -> None:
        self.left = 0
        self.batches = 0

    def work(self) -> bool:
        self.batches += bool(self.left)
        self.left = max(0, self.left - 10)
        return self.left > 0

    def waits(self) -> bool:
        return self.left > 0


def test_a_chore_goes_on_until_nothing_is_left_and_again_when_woken() -> None:
    pile = Pile()
    chore = Chore("indexing", pile.work, waits=pile.waits, every_seconds=NEVER)
    pile.left = 35
    chore.start()
    until(lambda: not chore.busy(NOW))
    assert pile.batches == 4

    pile.left = 5
    assert chore.busy(NOW)
    chore.wake()
    until(lambda: not chore.busy(NOW))

    assert pile.batches == 5
    chore.stop()
    assert chore.join(LIMIT_SECONDS)
