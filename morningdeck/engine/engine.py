"""All loops of one process together: started, woken, recovered, drained.

Knows work and ports, nothing of news.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime, timedelta

from apscheduler.executors.pool import ThreadPoolExecutor
from apscheduler.schedulers.background import BackgroundScheduler
from apscheduler.triggers.interval import IntervalTrigger

from morningdeck.engine.leases import Heartbeat, Holder
from morningdeck.engine.loop import Dispatcher, Loop
from morningdeck.engine.worker import Worker, recover
from morningdeck.errors import TransientError
from morningdeck.logs import log
from morningdeck.ports.engine import Clock
from morningdeck.work import ANY, Stage

IDLE_POLL_SECONDS = 0.05
JUMP_SECONDS = 30.0


class Engine:
    def __init__(
        self,
        loops: Sequence[Loop],
        holder: Holder,
        *,
        workers: Mapping[Stage, Worker],
        heartbeat: Heartbeat,
        recovery_seconds: float,
    ) -> None:
        self._loops = {loop.name: loop for loop in loops}
        self._holder = holder
        self._workers = workers
        self._heartbeat = heartbeat
        self._ticker = Ticker()
        self._ticker.every("recovery", recovery_seconds, self.recover)
        self._watch = ClockWatch(holder.clock, self._replan)

    def tick(self, name: str, every_seconds: float) -> None:
        """Wake that loop every so often, whatever else happens."""
        if name in self._loops:
            self._ticker.every(f"{name}-tick", every_seconds, self._loops[name].wake)

    def every(self, name: str, seconds: float, work: Callable[[], object]) -> None:
        """Do this piece of housekeeping every so often."""
        self._ticker.every(name, seconds, work)

    def wake(self, name: str) -> None:
        """Wake that loop, or all of them (`ANY`)."""
        for loop in self._loops.values():
            if name in (ANY, loop.name):
                loop.wake()

    def start(self) -> None:
        """Take back what this node's earlier incarnations and the dead held, then begin."""
        self.recover_node()
        self.recover()
        self._heartbeat.start()
        for loop in self._loops.values():
            loop.start()
        self._ticker.start()

    def beats(self) -> Mapping[str, bool]:
        """Whether each of its threads still runs and does not hang, by name."""
        loops = (loop for loop in self._loops.values() if isinstance(loop, Dispatcher))
        return {
            "heartbeat": self._heartbeat.is_beating,
            "clockwork": self._ticker.runs,
            **{loop.name: loop.is_beating for loop in loops},
        }

    def recover_node(self, node: str | None = None) -> int:
        """Give back at once what earlier incarnations of this node, or of a dead one, held."""
        return recover(self._holder, self._workers, self.wake, node or self._holder.node)

    def recover(self) -> int:
        """Give back the rows whose leases have run out."""
        self.look_at_the_clock()  # after a jump forward every lease seems to have run out
        return recover(self._holder, self._workers, self.wake)

    def look_at_the_clock(self) -> None:
        self._watch.look()

    def _replan(self) -> None:
        """The clock was set: hold on to what is ours, then plan everything anew."""
        self._heartbeat.beat()
        self._ticker.replan()
        for loop in self._loops.values():
            loop.wake()

    def run_until_idle(self, stopping: Callable[[float], bool], ahead: timedelta) -> None:
        """Return when nothing is due within `ahead`, queued or running, or when told to stop."""
        while not stopping(IDLE_POLL_SECONDS):
            self.look_at_the_clock()
            horizon = self._holder.clock() + ahead
            # twice: work may have gone to a loop that was asked before the one it came from
            if not self._busy(horizon) and not self._busy(horizon):
                return

    def _busy(self, horizon: datetime) -> bool:
        try:
            return any(loop.busy(horizon) for loop in self._loops.values())
        except TransientError:
            return True

    def stop(self, patience_seconds: float) -> bool:
        """Drain: give back what has not begun, finish what runs; False when some would not end."""
        patience = time.monotonic() + patience_seconds
        self._ticker.stop()
        for loop in self._loops.values():
            try:
                loop.stop()
            except TransientError as error:
                log.warning("give_back_failed", loop=loop.name, error=str(error))
        finished = True
        for loop in self._loops.values():
            finished &= loop.join(max(0.0, patience - time.monotonic()))
        self._heartbeat.stop()
        if not finished:
            self._let_go()
        return finished

    def _let_go(self) -> None:
        """Give back the rows of jobs that would not end: their results will be refused."""
        mine = self._holder
        for stage in self._workers:
            try:
                count = mine.jobs.let_go(stage, mine.owner, mine.clock())
            except TransientError as error:
                log.warning("give_back_failed", stage=stage.value, error=str(error))
                continue
            if count:
                log.warning("work_let_go", stage=stage.value, count=count)


# ---- the clockwork


class Ticker:
    """Interval jobs by APScheduler, in UTC and in a small pool of its own: never two of one at a
    time, never a burst after a stall.
    """

    def __init__(self) -> None:
        self._scheduler = BackgroundScheduler(
            timezone=UTC,
            executors={"default": ThreadPoolExecutor(4)},
            job_defaults={"misfire_grace_time": None, "coalesce": True, "max_instances": 1},
        )
        self._seconds: dict[str, float] = {}

    def every(self, name: str, seconds: float, job: Callable[[], object]) -> None:
        self._seconds[name] = seconds
        self._scheduler.add_job(_surviving(name, job), _every(seconds), id=name)

    def replan(self) -> None:
        """Count all intervals from now: their next times were planned on another clock."""
        for name, seconds in self._seconds.items():
            self._scheduler.reschedule_job(name, trigger=_every(seconds))

    def start(self) -> None:
        self._scheduler.start()

    @property
    def runs(self) -> bool:
        return bool(self._scheduler.running)

    def stop(self) -> None:
        if self._scheduler.running:
            self._scheduler.shutdown(wait=False)


def _every(seconds: float) -> IntervalTrigger:
    return IntervalTrigger(seconds=seconds, timezone=UTC)


def _surviving(name: str, job: Callable[[], object]) -> Callable[[], None]:
    def run() -> None:
        try:
            job()
        except BaseException:
            log.exception("scheduled_job_failed", job=name)

    return run


class ClockWatch:
    """Watches the machine's clock and one more; `on_jump` is called once for each jump of
    either, before `look` returns.

    Interval jobs are planned on the machine's clock, leases on the one that all processes
    agree on, which may be the database's. After a jump back the jobs would wait it out, after a
    jump forward every lease would look as if it had run out.
    """

    def __init__(
        self,
        clock: Clock,
        on_jump: Callable[[], None],
        *,
        wall: Callable[[], float] = time.time,
        monotonic: Callable[[], float] = time.monotonic,
    ) -> None:
        self._clocks = (wall, lambda: clock().timestamp())
        self._on_jump = on_jump
        self._monotonic = monotonic
        self._lock = threading.Lock()
        self._offsets = self._now()

    def _now(self) -> tuple[float, ...]:
        return tuple(clock() - self._monotonic() for clock in self._clocks)

    def look(self) -> None:
        with self._lock:
            before, self._offsets = self._offsets, self._now()  # slow drift never adds up
            jumps = (now - then for now, then in zip(self._offsets, before, strict=True))
            jump = max(jumps, key=abs)
            if abs(jump) > JUMP_SECONDS:
                log.warning("clock_jumped", seconds=round(jump))
                self._on_jump()
