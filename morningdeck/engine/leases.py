"""The claims and running jobs of this process, and the heartbeat that renews their leases.

One thread renews the leases of everything in the registry, queued or running, and of
nothing else: a forgotten claim lapses and comes back. A job older than its stage's
deadline is no longer renewed, which is the only way to take work from a hung thread; when
all of a stage's workers hang or are gone, the claims that wait for them are not renewed either.
Trust is counted on the monotonic clock, so a stopped process that wakes up later knows
that its rows may be held by another process by now.
"""

from __future__ import annotations

import math
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import timedelta

from morningdeck.engine.threads import is_for_the_process, lasting
from morningdeck.errors import TransientError
from morningdeck.logs import log
from morningdeck.ports.engine import Clock, JobStore
from morningdeck.work import Job, Stage

TRUSTED_SHARE = 0.6
"""The part of a lease during which its holder may act without asking the database."""

LOST = 0.0
"""Never trusted, never renewed again."""

STOP_SECONDS = 2.0
HUNG_SECONDS = 120.0
"""A beat that takes longer hangs: what it should have renewed is lost by then."""


@dataclass(frozen=True, slots=True)
class Held:
    fence: int | None
    trusted_until: float
    started: float | None = None


class Leases:
    def __init__(
        self,
        jobs: JobStore,
        *,
        owner: str,
        clock: Clock,
        lease: timedelta,
        deadlines: Mapping[Stage, timedelta],
    ) -> None:
        self._jobs = jobs
        self._owner = owner
        self._clock = clock
        self._trust_seconds = lease.total_seconds() * TRUSTED_SHARE
        self._deadlines = {stage: limit.total_seconds() for stage, limit in deadlines.items()}
        self._held: dict[Stage, dict[int, Held]] = {stage: {} for stage in Stage}
        self._lock = threading.Lock()
        self._hanging: set[Stage] = set()
        self._served: dict[Stage, Callable[[], bool]] = {}

    def serve(self, stage: Stage, is_served: Callable[[], bool]) -> None:
        """The claims of this stage are renewed only while somebody serves them."""
        self._served[stage] = is_served

    def hold(self, stage: Stage, job_id: int) -> None:
        """A claim was taken and now waits in the queue."""
        with self._lock:
            self._held[stage][job_id] = Held(None, time.monotonic() + self._trust_seconds)

    def started(self, job: Job, asked: float) -> None:
        """`asked` is when the start was requested: its lease counts from there."""
        with self._lock:
            self._held[job.stage][job.id] = Held(job.attempt, asked + self._trust_seconds, asked)

    def drop(self, stage: Stage, job_id: int, fence: int | None = None) -> None:
        """Let go of a started job, or of a claim (no fence); never of its successor.

        A row that was recovered from a hung thread may be back in this very process.
        """
        with self._lock:
            held = self._held[stage].get(job_id)
            if held is not None and held.fence == fence:
                del self._held[stage][job_id]

    def trusted(self, job: Job) -> bool:
        """May the worker still act for this job? Ask before any effect outside the database."""
        with self._lock:
            held = self._held[job.stage].get(job.id)
        return (
            held is not None and held.fence == job.attempt and time.monotonic() < held.trusted_until
        )

    def renew(self) -> int:
        """One heartbeat; returns how many leases turned out to be lost."""
        return sum(self._renew_stage(stage) for stage in Stage)

    def _renew_stage(self, stage: Stage) -> int:
        began, limit = time.monotonic(), self._deadlines.get(stage, math.inf)
        with self._lock:
            alive = {
                job_id: held
                for job_id, held in self._held[stage].items()
                if held.started is None or began - held.started <= limit
            }
            hangs = self._hangs(stage, alive)
        mine = {
            job_id: held
            for job_id, held in alive.items()
            if held.trusted_until > LOST and not (hangs and held.started is None)
        }
        if not mine:
            return 0
        fences = {job_id: held.fence for job_id, held in mine.items()}
        kept = self._jobs.renew(stage, fences, self._owner, self._clock())
        return self._note(stage, mine, kept, began)

    def _note(
        self, stage: Stage, mine: Mapping[int, Held], kept: frozenset[int], began: float
    ) -> int:
        """Extend the trust in what was renewed, withdraw it from what is lost."""
        lost = 0
        with self._lock:
            for job_id, held in mine.items():
                if self._held[stage].get(job_id) != held:
                    continue  # started or finished meanwhile
                until = began + self._trust_seconds if job_id in kept else LOST
                self._held[stage][job_id] = replace(held, trusted_until=until)
                lost += job_id not in kept
        if lost:
            log.warning("leases_lost", stage=stage.value, count=lost)
        return lost

    def _hangs(self, stage: Stage, alive: Mapping[int, Held]) -> bool:
        """Claims wait, and nobody will come for them: all workers are long overdue, or gone."""
        waiting = any(held.started is None for held in alive.values())
        working = any(held.started is not None for held in alive.values())
        gone = stage in self._served and not self._served[stage]()
        hangs = waiting and (gone or (not working and len(alive) < len(self._held[stage])))
        if hangs and stage not in self._hanging:
            log.error("workers_hang", stage=stage.value, advice="restart this process")
        if hangs:
            self._hanging.add(stage)
        else:
            self._hanging.discard(stage)
        return hangs


@dataclass(frozen=True, slots=True)
class Holder:
    """A node in its present incarnation: the rows it works on, what it holds of them, its clock,
    its name with and without the incarnation, and how it wakes those who wait for its work.
    """

    jobs: JobStore
    leases: Leases
    clock: Clock
    node: str
    owner: str
    wake: Callable[[str], None]


class Heartbeat:
    """The thread that renews; a database that is away is logged once and tried again."""

    def __init__(
        self,
        leases: Leases,
        *,
        every_seconds: float,
        also: Callable[[], None] = lambda: None,
        hung_seconds: float = HUNG_SECONDS,
    ) -> None:
        """`also` is done with every beat, e.g. saying that this process lives."""
        self._leases = leases
        self._also = also
        self._every_seconds = every_seconds
        self._hung_seconds = hung_seconds
        self._since: float | None = None
        """When the beat began that is under way."""
        self._stopping = threading.Event()
        self._failing = False
        loop = lasting("heartbeat", self._beat)
        self._thread = threading.Thread(target=loop, name="heartbeat", daemon=True)

    @property
    def is_beating(self) -> bool:
        since = self._since
        hangs = since is not None and time.monotonic() - since > self._hung_seconds
        return self._thread.is_alive() and not hangs

    def start(self) -> None:
        self._thread.start()

    def stop(self) -> None:
        """No beat is under way any more, unless the database hangs."""
        self._stopping.set()
        if self._thread.is_alive():
            self._thread.join(STOP_SECONDS)

    @contextmanager
    def beating(self) -> Iterator[None]:
        """For a command that works by itself for a while."""
        self.start()
        try:
            yield
        finally:
            self.stop()

    def _beat(self) -> None:
        while not self._stopping.wait(self._every_seconds):
            self.beat()

    def beat(self) -> None:
        self._since = time.monotonic()
        try:
            self._leases.renew()
            self._also()
        except TransientError as error:
            if not self._failing:
                log.warning("heartbeat_failing", error=str(error))
            self._failing = True
        except BaseException as error:
            if is_for_the_process(error):
                raise
            log.exception("heartbeat_bug")
        else:
            self._failing = False
        finally:
            self._since = None
