"""What the engine asks all day long, of a table with a million items."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import partial

from morningdeck.engine.feeders import Feeder
from morningdeck.engine.leases import Holder, Leases
from morningdeck.engine.memory_queue import MemoryQueue, ThreadRunner
from morningdeck.store.database.connect import Database
from morningdeck.store.queue.protocol import SqlJobStore
from morningdeck.store.queue.stages import STAGES
from morningdeck.store.queue.statements import settling, starting
from morningdeck.store.views.overview import Overview
from morningdeck.work import Job, Settlement, Stage
from tests.benchmarks import crowd
from tests.benchmarks.grounds import (
    KINDS,
    Bare,
    Sent,
    bare,
    fresh_database,
    recorded,
    replay,
    sent_claim,
)
from tests.benchmarks.report import Report
from tests.benchmarks.timing import medians, seconds

MILLION = 1_000_000
OWNER = "bench:1"
STAGE = Stage.PROCESSING
LEASE = timedelta(seconds=90)
COUNTED = 10_001
DRIVER = "bare driver, same SQL"


def run(report: Report) -> None:
    count = 4_000 if report.quick else MILLION
    for kind in KINDS:
        report.doing(f"a million items, {kind}")
        with fresh_database(kind) as database, bare(database) as driver:
            asked = Asked(database, driver, report, kind)
            crowd.fill(database, count)
            asked.of("1,000,000 waiting")
            crowd.finish(database, 1, count // 2)
            asked.of("500,000 waiting, 500,000 done")
            crowd.finish(database, count // 2, count)
            asked.idle("1,000,000 done")


def now() -> datetime:
    return datetime.now(UTC)


@dataclass
class Asked:
    database: Database
    driver: Bare
    report: Report
    kind: str

    def __post_init__(self) -> None:
        self.jobs = SqlJobStore(self.database, {}, lease=LEASE)
        self.rounds = 2 if self.report.quick else 21

    def of(self, crowd_: str) -> None:
        self._claim(crowd_)
        self._change(crowd_)
        waiting = partial(self.jobs.waiting, STAGE, now(), COUNTED)
        self._look(f"depth, counted to 10,001: {crowd_}", 0.010, waiting)
        overview = Overview(self.database)
        self._look(f"queue stats: {crowd_}", 0.200, overview.queue_stats)

    def idle(self, crowd_: str) -> None:
        """Nothing waits: what each tick of an idle feeder costs."""
        leases = Leases(self.jobs, owner=OWNER, clock=now, lease=LEASE, deadlines={})
        queue = MemoryQueue(1000)
        holder = Holder(self.jobs, leases, now, "bench", OWNER, wake=lambda loop: None)
        feeder = Feeder(STAGE, queue, ThreadRunner("bench", queue, workers=4), holder, batch=100)

        def tick() -> None:
            feeder.feed()
            self.jobs.waiting(STAGE, now(), COUNTED)
            self.jobs.next_due_at(STAGE, now())

        self._look(f"a tick with nothing to do: {crowd_}", 0.050, tick)
        self._look(f"queue stats: {crowd_}", 0.200, Overview(self.database).queue_stats)

    def _look(self, what: str, below: float, look: Callable[[], object]) -> None:
        with recorded() as sent:
            look()
        ours, theirs = medians(
            self.rounds,
            lambda: seconds(look),
            lambda: seconds(lambda: replay(self.driver, sent)),
        )
        self._report(what, ours, theirs, below)

    def _claim(self, crowd_: str) -> None:
        with recorded() as sent:
            self._back(self.jobs.claim(STAGE, 100, OWNER, now()))
        # the release comes last in what was sent through SQLAlchemy, the claim went past it
        claim = sent_claim(self.database, STAGE, 100, OWNER, now(), LEASE)
        same = [*sent[:-1], claim]
        ours, theirs = medians(self.rounds, self._claim_once, lambda: self._replay(same))
        self._report(f"claim 100: {crowd_}", ours, theirs, 0.050)

    def _claim_once(self) -> float:
        claimed: list[int] = []
        taken = seconds(lambda: claimed.extend(self.jobs.claim(STAGE, 100, OWNER, now())))
        self._back(tuple(claimed))
        return taken

    def _replay(self, sent: list[Sent]) -> float:
        claimed: list[list[tuple[int, ...]]] = []
        taken = seconds(lambda: claimed.extend(replay(self.driver, sent)))
        self._back(tuple(row[0] for row in claimed[-1]))
        return taken

    def _back(self, ids: tuple[int, ...]) -> None:
        assert len(ids) == 100
        assert self.jobs.release(STAGE, ids, OWNER, now()) == 100

    def _change(self, crowd_: str) -> None:
        """Start and settle, by halves: each is one change of a status."""
        ids = iter(self.jobs.claim(STAGE, 2 * self.rounds, OWNER, now()))
        start = starting(STAGES[STAGE]).on(self.database.dialect)
        settle = settling(STAGES[STAGE], "DONE").on(self.database.dialect)
        ending = {"new_due_at": None, "new_failures": 0, "new_losses": 0, "new_error": None}

        def ours() -> float:
            job_id = next(ids)
            return seconds(lambda: self._start_and_settle(job_id)) / 2

        def theirs() -> float:
            at = {"job_id": next(ids), "owner": OWNER, "now": now(), "until": now() + LEASE}
            first = start.parameters(at)
            second = settle.parameters({**at, **ending, "fence": 1})

            def both() -> None:
                assert self.driver.run(start.sql, first)
                assert self.driver.run(settle.sql, second)

            return seconds(both) / 2

        taken, beside = medians(self.rounds, ours, theirs)
        self._report(f"one status change: {crowd_}", taken, beside, 0.005)

    def _start_and_settle(self, job_id: int) -> None:
        job = self.jobs.start(STAGE, job_id, OWNER, now())
        assert isinstance(job, Job)
        assert self.jobs.settle(job, OWNER, Settlement("DONE", None, 0, 0), now())

    def _report(self, what: str, ours: float, theirs: float, below: float) -> None:
        self.report.time(f"{what}, {self.kind}", ours, below=below, beside=theirs, name=DRIVER)
