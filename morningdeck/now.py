"""What somebody at a command waits for: a briefing written now, a report sent now.

It is done in this process, beside a daemon if one runs: each row is claimed as everywhere,
so whoever is first does it and the other waits.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from datetime import timedelta
from typing import TYPE_CHECKING

from morningdeck import brief
from morningdeck.engine.memory_queue import MemoryQueue
from morningdeck.errors import ConflictError, NotFoundError, TransientError
from morningdeck.model import Briefing, Report
from morningdeck.store.rows.expected import Scope
from morningdeck.work import Stage

if TYPE_CHECKING:
    from morningdeck.app import App

SEND_PATIENCE_SECONDS = 60.0
LOOK_SECONDS = 0.2
AHEAD = 100
BEFORE_A_BRIEFING = (Stage.FETCH, Stage.PROCESSING)

Tell = Callable[[str], None]


def run_briefing(app: App, briefing_id: int, wait_seconds: float, tell: Tell) -> int:
    """Work off what is new, then build and deliver; returns the report's id."""
    rows, briefing = app.store.briefing_rows, load(app, briefing_id)
    app.build_engine().recover_node()
    with app.heartbeat().beating():
        work_off(app, briefing, wait_seconds, tell)
        tell("building the briefing")
        before = rows.last_report(briefing_id)
        if not rows.request_run(briefing_id, app.clock()) or not app.store.work.claim_one(
            Stage.BRIEFING, briefing_id, app.node.owner, app.clock()
        ):
            raise ConflictError(f"briefing {briefing_id} is being written just now, try again")
        app.workers[Stage.BRIEFING].run(briefing_id)
        report_id = rows.last_report(briefing_id)
        if report_id is None or report_id == before:
            reason = app.store.briefings.show(briefing.user_id, briefing_id).last_error
            raise TransientError(f"briefing {briefing_id} could not be written: {reason}")
        _send(app, report_id)
    return report_id


def send_report(app: App, report_id: int, to: str | None) -> None:
    """Send again what is not `SENT`, to everybody or only to this address."""
    app.build_engine().recover_node()
    app.store.delivery_rows.send_again(report_id, app.clock(), to)
    with app.heartbeat().beating():
        _send(app, report_id)


def _send(app: App, report_id: int) -> None:
    """Each delivery here, but for those that a daemon has taken already: wait for them."""
    deliveries = app.store.delivery_rows
    for delivery_id in deliveries.of_report(report_id):
        app.workers[Stage.DELIVERY].run(delivery_id)
    patience = time.monotonic() + SEND_PATIENCE_SECONDS
    while deliveries.in_work(report_id) and time.monotonic() < patience:
        time.sleep(0.05)


def preview(app: App, briefing_id: int) -> Report:
    """What would be sent now."""
    rows, briefing = app.store.briefing_rows, load(app, briefing_id)
    return brief.preview(briefing, briefings=rows, now=app.clock())


def load(app: App, briefing_id: int) -> Briefing:
    briefing = app.store.briefing_rows.load(briefing_id)
    if briefing is None:
        raise NotFoundError(f"there is no briefing {briefing_id}")
    return briefing


# ---- what is new


def scope(app: App, briefing: Briefing) -> Scope:
    return Scope(briefing.id, app.clock() - brief.window(briefing.plan))


def work_off(app: App, briefing: Briefing, seconds: float, tell: Tell) -> None:
    """Read what was never read and score what is new, until nothing is left or time is up."""
    until, patience = app.clock() + timedelta(seconds=seconds), time.monotonic() + seconds
    expected, of = app.store.expected, scope(app, briefing)
    stages = [stage for stage in BEFORE_A_BRIEFING if app.lanes[stage].enabled]
    if not seconds or not any(expected.any_soon(stage, of, app.clock(), until) for stage in stages):
        return
    with _hands(app, stages, patience) as hands:
        while time.monotonic() < patience:
            for hand in hands:
                hand.give(expected.due(hand.stage, of, app.clock(), AHEAD))
            if not any(expected.any_soon(stage, of, app.clock(), until) for stage in stages):
                return
            unread, unscored = (expected.count(stage, of) for stage in BEFORE_A_BRIEFING)
            tell(f"first what is new: {unread} sources to read, {unscored} items to score")
            time.sleep(LOOK_SECONDS)


@contextmanager
def _hands(app: App, stages: Iterable[Stage], patience: float) -> Iterator[list[Hands]]:
    hands = [Hands(app, stage) for stage in stages]
    try:
        yield hands
    except BaseException:  # whoever interrupts it waits no longer
        patience = 0.0
        raise
    finally:
        for hand in hands:
            hand.stop()
        for hand in hands:
            hand.join(patience)


class Hands:
    """The workers of one stage, for rows that are named one by one."""

    def __init__(self, app: App, stage: Stage) -> None:
        self.stage = stage
        self._app = app
        self._given: set[int] = set()
        self._queue = MemoryQueue(
            f"now-{stage.value}",
            capacity=AHEAD,
            workers=app.lanes[stage].workers,
            poll_seconds=LOOK_SECONDS,
        )
        self._queue.start(self._take)

    def give(self, ids: Iterable[int]) -> None:
        """Those that are here already, or for which there is no room, come another time."""
        for row_id in ids:
            if row_id not in self._given and self._queue.can_accept():
                self._given.add(row_id)
                self._queue.enqueue(row_id)

    def _take(self, row_id: int) -> None:
        app = self._app
        try:
            if app.store.work.claim_one(self.stage, row_id, app.node.owner, app.clock()):
                app.workers[self.stage].run(row_id)
        finally:
            self._given.discard(row_id)

    def stop(self) -> None:
        self._queue.stop()

    def join(self, patience: float) -> None:
        """What is not done by then is given back, without blame."""
        if not self._queue.join(max(0.0, patience - time.monotonic())):
            self._app.store.work.let_go(self.stage, self._app.node.owner, self._app.clock())
