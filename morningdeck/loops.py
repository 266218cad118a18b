"""The engine of a process: its loops and its clockwork."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING

from morningdeck import distributed, memory
from morningdeck.actions.search import push
from morningdeck.engine.engine import Engine
from morningdeck.engine.feeders import Feeder
from morningdeck.engine.lanes import Lane
from morningdeck.engine.loop import Chore, Loop
from morningdeck.engine.memory_queue import MemoryQueue, ThreadRunner
from morningdeck.engine.sweep import Sweep
from morningdeck.model.hours import DEPTH_SLOT, DepthView, slot
from morningdeck.pinging import PING_AGAIN
from morningdeck.search import ALWAYS_THERE
from morningdeck.settings.sections import StageSettings
from morningdeck.verbs import DEADLINES
from morningdeck.work import ALERTING, INDEXING, PINGING, REFINING, THEMING, Stage

if TYPE_CHECKING:
    from morningdeck.app import App

TICK_SECONDS = 60.0
NEWS_GATHER_SECONDS = 0.2
HOUSEKEEPING_SECONDS = 3600.0
DEPTH_SECONDS = 1.0
BOUNCE_SECONDS = 300.0
PREPARING_SECONDS = 20.0
IDLE_SECONDS = 60.0
HOURS_SECONDS = 60.0


def build_engine(app: App) -> Engine:
    """All that a daemon does."""
    settings = app.settings
    enabled = [stage for stage, of in app.lanes.items() if of.enabled]
    chores = [_refining(app), _alerting(app), _pinging(app)]
    chores += [*_indexing(app), *_theming(app), *_bounces(app), *_preparing(app)]
    engine = _engine(app, [*_feeding(app, enabled), _deliveries(app), *chores])
    for name in (Stage.DELIVERY.value, REFINING, INDEXING, ALERTING, PINGING, THEMING):
        engine.tick(name, TICK_SECONDS)
    engine.every("depths", HOURS_SECONDS, partial(_note_depths, app))
    engine.every("housekeeping", HOUSEKEEPING_SECONDS, partial(_clean_up, app))
    if settings.processing.depth_trigger:
        engine.every("depth", DEPTH_SECONDS, partial(_watch_depth, app))
    return engine


def build_worker(app: App, stages: Sequence[Stage]) -> Engine:
    """Only the work of these stages, out of a broker: all else is a daemon's."""
    return _engine(app, distributed.working(app, stages))


def _feeding(app: App, stages: Sequence[Stage]) -> Sequence[Loop]:
    if app.settings.queue.backend == "celery":
        return distributed.feeding(app, stages)
    return [_lane(app, stage, app.lanes[stage]) for stage in stages]


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
    engine.every("hours", HOURS_SECONDS, app.store.hours.write)
    engine.every("idle", IDLE_SECONDS, partial(_end_idle, app))
    return engine


def _end_idle(app: App) -> None:
    app.adapters.end_idle(IDLE_SECONDS)
    memory.give_back()


def _clean_up(app: App) -> None:
    app.store.retention.apply(app.keep, app.clock())
    app.refining.forget()
    searching = app.adapters.searching
    if searching.backend == ALWAYS_THERE:
        app.store.search_outbox.forget_gone()
    if searching.indexing is not None:
        searching.indexing.reconcile_by_night()


def _watch_depth(app: App) -> None:
    """Too much waits: do not wait for the next look."""
    trigger = app.settings.processing.depth_trigger
    if app.store.jobs.waiting(Stage.PROCESSING, app.clock(), trigger + 1) > trigger:
        app.wake(Stage.PROCESSING.value)


def _note_depths(app: App) -> None:
    now = app.clock()
    looks = {
        stage.value: app.store.overview.queue(stage, now, capacity=of.capacity, workers=of.workers)
        for stage, of in app.lanes.items()
    }
    app.store.hours.note_depths(
        DepthView(stage, slot(now, DEPTH_SLOT), look.waiting, look.oldest_waiting_seconds or 0)
        for stage, look in looks.items()
    )


def _lane(app: App, stage: Stage, of: StageSettings) -> Lane:
    queue = MemoryQueue(of.capacity)
    runner = ThreadRunner(stage.value, queue, workers=of.workers)
    feeder = Feeder(stage, queue, runner, app.holder, batch=of.batch)
    return Lane(
        feeder,
        runner,
        app.workers[stage],
        every_seconds=app.settings.look_seconds,
        backlog_warning=of.warns_above,
    )


def _deliveries(app: App) -> Sweep:
    return Sweep(
        app.workers[Stage.DELIVERY],
        app.holder,
        workers=app.settings.smtp.connections,
        every_seconds=TICK_SECONDS,
        deadline=DEADLINES[Stage.DELIVERY],
    )


def _indexing(app: App) -> list[Chore]:
    """Where not the database searches: its own index changes with its items."""
    searching, outbox = app.adapters.searching, app.store.search_outbox
    if searching.backend == ALWAYS_THERE:
        return []
    work: Callable[[], bool] = partial(push, outbox, searching.index)
    waits = outbox.waits
    if (indexing := searching.indexing) is not None:
        work, waits = indexing.round, indexing.waits
    chore = Chore(
        INDEXING,
        work,
        waits=waits,
        every_seconds=TICK_SECONDS,
        gather_seconds=NEWS_GATHER_SECONDS,
    )
    return [chore]


def _alerting(app: App) -> Chore:
    return Chore(
        ALERTING,
        app.alerting.round,
        waits=app.alerting.waits,
        every_seconds=TICK_SECONDS,
        gather_seconds=NEWS_GATHER_SECONDS,
    )


def _bounces(app: App) -> list[Chore]:
    box = app.adapters.bounce_box
    if box is None:
        return []
    return [Chore("bounces", box.read, waits=lambda: False, every_seconds=BOUNCE_SECONDS)]


def _preparing(app: App) -> list[Chore]:
    """Where there is a model that translates; what that needs is imported at its first report."""
    if app.adapters.model is None:
        return []
    from morningdeck.preparing import Preparing

    rows, adapters = app.store.briefing_rows, app.adapters
    preparing = Preparing(rows, lambda report: adapters.translated(report), app.clock)
    return [
        Chore("preparing", preparing.round, waits=lambda: False, every_seconds=PREPARING_SECONDS)
    ]


def _pinging(app: App) -> Chore:
    return Chore(
        PINGING,
        app.pinging.round,
        waits=lambda: app.store.pings.waits(app.clock()),
        every_seconds=PING_AGAIN.total_seconds(),
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


def _theming(app: App) -> list[Chore]:
    if not app.settings.topics.enabled:
        return []

    def waits() -> bool:
        """Whoever asks waits for the end of all work: it need not wait for a tick."""
        due = app.theming.waits()
        if due:
            chore.wake()
        return due

    chore = Chore(
        THEMING,
        app.theming.round,
        waits=waits,
        every_seconds=TICK_SECONDS,
        rest_seconds=app.theming.rest_seconds,
    )
    return [chore]
