"""The engine of a process: its loops and its clockwork."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING

from morningdeck import memory
from morningdeck.actions.search import push
from morningdeck.engine.engine import Engine
from morningdeck.engine.lanes import Feeder, Lane
from morningdeck.engine.loop import Chore, Loop
from morningdeck.engine.memory_queue import MemoryQueue, ThreadRunner
from morningdeck.engine.sweep import Sweep
from morningdeck.settings.sections import ProcessingSettings, StageSettings
from morningdeck.verbs import DEADLINES
from morningdeck.work import INDEXING, REFINING, Stage

if TYPE_CHECKING:
    from morningdeck.app import App

SENDERS = 2
TICK_SECONDS = 60.0
NEWS_GATHER_SECONDS = 0.2
HOUSEKEEPING_SECONDS = 3600.0
DEPTH_SECONDS = 1.0
IDLE_SECONDS = 60.0


def build_engine(app: App) -> Engine:
    """All that a daemon does."""
    settings = app.settings
    enabled = [stage for stage, of in app.lanes.items() if of.enabled]
    engine = _engine(app, [*_lanes(app, enabled), _deliveries(app), _refining(app), _indexing(app)])
    for name in (Stage.DELIVERY.value, REFINING, INDEXING):
        engine.tick(name, TICK_SECONDS)
    engine.every("housekeeping", HOUSEKEEPING_SECONDS, partial(_clean_up, app))
    if settings.processing.depth_trigger:
        engine.every("depth", DEPTH_SECONDS, partial(_watch_depth, app))
    return engine


def build_worker(app: App, stages: Sequence[Stage]) -> Engine:
    """Only the lanes of these stages: deliveries, indexing and housekeeping are a daemon's."""
    return _engine(app, _lanes(app, stages))


def _engine(app: App, loops: Sequence[Loop]) -> Engine:
    engine = Engine(
        loops,
        app.holder,
        workers=app.workers,
        heartbeat=app.heartbeat(),
        recovery_seconds=app.settings.recovery.interval_seconds,
    )
    for stage, of in app.lanes.items():
        engine.tick(stage.value, of.interval_seconds)
    engine.every("idle", IDLE_SECONDS, partial(_end_idle, app))
    return engine


def _end_idle(app: App) -> None:
    app.adapters.end_idle(IDLE_SECONDS)
    memory.give_back()


def _clean_up(app: App) -> None:
    app.store.retention.apply(app.keep, app.clock())
    app.refining.forget()


def _watch_depth(app: App) -> None:
    """Too much waits: do not wait for the next look."""
    trigger = app.settings.processing.depth_trigger
    if app.store.jobs.waiting(Stage.PROCESSING, app.clock(), trigger + 1) > trigger:
        app.wake(Stage.PROCESSING.value)


def _lanes(app: App, stages: Sequence[Stage]) -> list[Lane]:
    return [_lane(app, stage, app.lanes[stage]) for stage in stages]


def _lane(app: App, stage: Stage, of: StageSettings) -> Lane:
    queue = MemoryQueue(of.capacity)
    runner = ThreadRunner(stage.value, queue, workers=of.workers)
    feeder = Feeder(stage, queue, runner, app.holder, batch=of.batch)
    return Lane(
        feeder,
        runner,
        app.workers[stage],
        every_seconds=app.settings.look_seconds,
        backlog_warning=of.backlog_warning if isinstance(of, ProcessingSettings) else None,
    )


def _deliveries(app: App) -> Sweep:
    return Sweep(
        app.workers[Stage.DELIVERY],
        app.holder,
        workers=SENDERS,
        every_seconds=TICK_SECONDS,
        deadline=DEADLINES[Stage.DELIVERY],
    )


def _indexing(app: App) -> Chore:
    return Chore(
        INDEXING,
        partial(push, app.store.search_outbox, app.adapters.search_index),
        waits=app.store.search_outbox.waits,
        every_seconds=TICK_SECONDS,
        gather_seconds=NEWS_GATHER_SECONDS,
    )


def _refining(app: App) -> Chore:
    return Chore(
        REFINING,
        app.refining.round,
        waits=app.refining.waits,
        every_seconds=TICK_SECONDS,
        gather_seconds=NEWS_GATHER_SECONDS,
        rest_seconds=app.refining.rest_seconds,
    )
