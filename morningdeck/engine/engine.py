"""All loops of one process together: started, woken, recovered, drained.

Knows work and ports, nothing of news.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime, timedelta

from morningdeck import logs
from morningdeck.engine.clockwatch import ClockWatch
from morningdeck.engine.lanes import Lane
from morningdeck.engine.leases import Heartbeat
from morningdeck.engine.loop import Loop
from morningdeck.engine.recovery import recover, recover_node
from morningdeck.engine.ticker import Ticker
from morningdeck.engine.worker import Worker
from morningdeck.errors import TransientError
from morningdeck.ports import Clock, JobStore
from morningdeck.work import ANY, Stage

IDLE_POLL_SECONDS = 0.05

log = logs.get(__name__)


class Engine:
    def __init__(
        self,
        loops: Sequence[Loop],
        *,
        workers: Mapping[Stage, Worker],
        jobs: JobStore,
        heartbeat: Heartbeat,
        clock: Clock,
        node: str,
        owner: str,
        recovery_seconds: float,
    ) -> None:
        self._loops = {loop.name: loop for loop in loops}
        self._loss_rules = {stage: worker.lost for stage, worker in workers.items()}
        self._jobs = jobs
        self._heartbeat = heartbeat
        self._clock = clock
        self._node = node
        self._owner = owner
        self._ticker = Ticker()
        self._ticker.every("recovery", recovery_seconds, self.recover)
        self._watch = ClockWatch(clock, self._replan)

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

    def recover_node(self, node: str | None = None) -> int:
        """Give back at once what earlier incarnations of this node, or of a dead one, held."""
        return recover_node(
            self._jobs,
            self._loss_rules,
            self._clock,
            self.wake,
            node=node or self._node,
            owner=self._owner,
        )

    def recover(self) -> int:
        """Give back the rows whose leases have run out."""
        self.look_at_the_clock()  # after a jump forward every lease seems to have run out
        return recover(self._jobs, self._loss_rules, self._clock, self.wake)

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
            horizon = self._clock() + ahead
            if not self._busy(horizon):
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
        for stage in self._loss_rules:
            try:
                count = self._jobs.let_go(stage, self._owner, self._clock())
            except TransientError as error:
                log.warning("give_back_failed", stage=stage.value, error=str(error))
                continue
            if count:
                log.warning("work_let_go", stage=stage.value, count=count)

    def lanes(self) -> tuple[Lane, ...]:
        return tuple(loop for loop in self._loops.values() if isinstance(loop, Lane))
