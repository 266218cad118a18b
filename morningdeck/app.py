"""THE application: parts, an engine to run them, and what can be asked of it at once.

`open_app` is the one place where a process takes its place on a data folder.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from functools import partial

from morningdeck import __version__, daemon
from morningdeck.engine.engine import Engine
from morningdeck.engine.feeder import Feeder
from morningdeck.engine.lanes import Chore, Lane, Track
from morningdeck.engine.leases import Heartbeat
from morningdeck.engine.memory_queue import MemoryQueue
from morningdeck.engine.node import Node, join_as_node, run_folder
from morningdeck.engine.on_demand import OnDemand
from morningdeck.engine.sweep import Sweep
from morningdeck.indexing import push
from morningdeck.parts import DEADLINES, Parts
from morningdeck.ports import Clock
from morningdeck.settings import ProcessingSettings, Settings, StageSettings, load
from morningdeck.store.database.clock import DatabaseClock
from morningdeck.store.database.connect import Database
from morningdeck.store.database.revision import current, head
from morningdeck.store.views.retention import Keep
from morningdeck.work import Stage

BEATS_PER_LEASE = 4.5
SENDERS = 2
TICK_SECONDS = 60.0
GATHER_SECONDS = 0.2
HOUSEKEEPING_SECONDS = 3600.0
DEPTH_SECONDS = 1.0
INDEXING = "indexing"

__all__ = ["App", "load", "open_app", "system_clock"]


def system_clock() -> datetime:
    return datetime.now(UTC)


class App(Parts):
    """One process of Morning Deck."""

    def __init__(
        self,
        settings: Settings,
        database: Database,
        node: Node,
        clock: Clock,
        *,
        full_text: bool = True,
    ) -> None:
        super().__init__(settings, database, node, clock, full_text=full_text)
        self._engine: Engine | None = None

    # ---- the engine

    def wake(self, track: str) -> None:
        if self._engine is not None:
            self._engine.wake(track)

    @property
    def lanes(self) -> Mapping[Stage, StageSettings]:
        """The stages that have a queue."""
        of = self.settings
        return {
            Stage.FETCH: of.fetch,
            Stage.PROCESSING: of.processing,
            Stage.BRIEFING: of.briefing,
        }

    def build_engine(self) -> Engine:
        settings, lanes = self.settings, self.lanes
        tracks: list[Track] = [self._lane(stage, of) for stage, of in lanes.items() if of.enabled]
        tracks += [self._deliveries(), self._indexing()]
        engine = Engine(
            tracks,
            workers=self.workers,
            store=self.store.work,
            heartbeat=self.heartbeat(),
            clock=self.clock,
            node=self.node.name,
            owner=self.node.owner,
            recovery_seconds=settings.recovery.interval_seconds,
        )
        for stage, of in lanes.items():
            engine.tick(stage.value, of.interval_seconds)
        for name in (Stage.DELIVERY.value, INDEXING):
            engine.tick(name, TICK_SECONDS)
        engine.every("housekeeping", HOUSEKEEPING_SECONDS, self._clean_up)
        if settings.processing.depth_trigger:
            engine.every("depth", DEPTH_SECONDS, self._watch_depth)
        self._engine = engine
        return engine

    def _clean_up(self) -> None:
        self.store.retention.apply(self.keep, self.clock())

    def _watch_depth(self) -> None:
        """Too much waits: do not wait for the next look."""
        trigger = self.settings.processing.depth_trigger
        if self.store.work.waiting(Stage.PROCESSING, self.clock(), trigger + 1) > trigger:
            self.wake(Stage.PROCESSING.value)

    def _lane(self, stage: Stage, of: StageSettings) -> Lane:
        feeder = Feeder(
            stage,
            MemoryQueue(stage.value, capacity=of.capacity, workers=of.workers),
            store=self.store.work,
            leases=self.leases,
            owner=self.node.owner,
            clock=self.clock,
            batch=of.batch,
        )
        warning = of.backlog_warning if isinstance(of, ProcessingSettings) else None
        return Lane(
            feeder,
            self.workers[stage],
            store=self.store.work,
            clock=self.clock,
            every_seconds=self.settings.look_seconds,
            backlog_warning=warning,
        )

    def _deliveries(self) -> Sweep:
        return Sweep(
            self.workers[Stage.DELIVERY],
            store=self.store.work,
            clock=self.clock,
            workers=SENDERS,
            every_seconds=TICK_SECONDS,
            deadline=DEADLINES[Stage.DELIVERY],
        )

    def _indexing(self) -> Chore:
        return Chore(
            INDEXING,
            partial(push, self.store.outbox, self.search_index),
            waits=self.store.outbox.waits,
            every_seconds=TICK_SECONDS,
            gather_seconds=GATHER_SECONDS,
        )

    @property
    def on_demand(self) -> OnDemand:
        return OnDemand(
            store=self.store.work,
            workers=self.workers,
            threads={stage: of.workers for stage, of in self.lanes.items() if of.enabled},
            heartbeat=self.heartbeat,
            clock=self.clock,
            node=self.node.name,
            owner=self.node.owner,
            wake=self.wake,
        )

    def heartbeat(self) -> Heartbeat:
        return Heartbeat(
            self.leases,
            every_seconds=self.settings.recovery.lease_seconds / BEATS_PER_LEASE,
            also=self._live,
        )

    def _live(self) -> None:
        """With every beat: the database's time, and the word that this process lives."""
        if isinstance(self.clock, DatabaseClock):
            self.clock.ask()
        self.store.incarnations.beat(self.node.incarnation, self.clock())

    @property
    def keep(self) -> Keep:
        days = self.settings.retention
        return Keep(
            items=_days(days.items_days),
            reports=_days(days.reports_days),
            dead_letters=_days(days.dead_letters_days),
            delivery_bytes=_days(days.delivery_bytes_days),
            usage=_days(days.usage_days),
        )

    def run(self, *, once: bool = False) -> bool:
        """Be the daemon until told to stop (True), or until nothing is left to do."""
        return daemon.run(self, once=once)

    # ---- being there

    def join(self, kind: str) -> None:
        """Be known as a living process, and take back what this node's dead one held."""
        self.store.incarnations.join(
            node=self.node.name,
            incarnation=self.node.incarnation,
            kind=kind,
            pid=os.getpid(),
            version=__version__,
            now=self.clock(),
        )

    def close(self) -> None:
        """Let go of everything; nothing that runs is waited for."""
        for part in ("http", "client", "parser"):
            if part in self.__dict__:  # a cached property that was used
                getattr(self, part).close()
        self.store.database.close()
        self.node.close()


def _days(number: int) -> timedelta | None:
    """0 keeps for ever."""
    return timedelta(days=number) if number else None


def prepare(settings: Settings) -> Database:
    """The database, there and migrated."""
    database = Database(settings.database.url.get_secret_value(), pool_size=settings.pool_size)
    if current(database) != head():
        from morningdeck.store.database import migrate  # with Alembic: see `revision`

        migrate.upgrade(database)
    return database


@contextmanager
def open_app(
    settings: Settings,
    clock: Clock | None = None,
    *,
    full_text: bool = True,
    daemon: bool = False,
) -> Iterator[App]:
    """An `App` on a data folder that is made at first use, with its first user."""
    run_folder(settings.data_dir)
    database = prepare(settings)
    clock = clock or (system_clock if database.is_sqlite else DatabaseClock(database))
    node = join_as_node(settings.data_dir, daemon=daemon)
    app = App(settings, database, node, clock, full_text=full_text)
    try:
        app.store.users.ensure_first(clock())
        yield app
    finally:
        app.close()
