"""THE application: all parts of a process, plugged together; nothing else sees them all.

A part is imported where it is first asked for: a command that only lists things has neither
the engine nor NumPy in it, and a daemon has NumPy from its first item on.

`open_app` joins a data folder as a process with a name of its own, and leaves it in the end.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from functools import cached_property, partial
from typing import TYPE_CHECKING

from morningdeck import __version__
from morningdeck.adapters import Adapters
from morningdeck.engine.node import Node, ProcessKind, join_as_node, run_folder
from morningdeck.store.database.connect import Database, DatabaseClock, open_database
from morningdeck.store.database.revision import current, head
from morningdeck.store.store import Store
from morningdeck.work import Stage

if TYPE_CHECKING:
    from morningdeck.actions.items import MoreLikeThis
    from morningdeck.actions.search import ByMeaning
    from morningdeck.alerting import Alerting
    from morningdeck.engine.engine import Engine
    from morningdeck.engine.leases import Heartbeat, Holder
    from morningdeck.engine.on_demand import OnDemand
    from morningdeck.engine.worker import Worker
    from morningdeck.enrichers.theme_labels import ThemeLabels
    from morningdeck.model.sending import Report
    from morningdeck.model.themes import ThemeText
    from morningdeck.net import GuardedClient
    from morningdeck.pinging import Pinging
    from morningdeck.ports.engine import Clock
    from morningdeck.refining import Refining
    from morningdeck.settings.sections import Settings, StageSettings
    from morningdeck.store.views.retention import Keep
    from morningdeck.stories.themes import ThemeFinder
    from morningdeck.stories.window import RecentStories
    from morningdeck.theming import Theming

BEATS_PER_LEASE = 4.5


def system_clock() -> datetime:
    return datetime.now(UTC)


class App:
    """The parts of one process; none of them runs yet.

    `client` and `full_text` are as in `Adapters`.
    """

    def __init__(
        self,
        settings: Settings,
        database: Database,
        node: Node,
        clock: Clock,
        *,
        client: GuardedClient | None = None,
        full_text: bool = True,
    ) -> None:
        self.settings = settings
        self.clock = clock
        self.node = node
        self.store = self._store(database)
        self.adapters = Adapters(settings, self.store, clock, client=client, full_text=full_text)
        self._engine: Engine | None = None

    def _store(self, database: Database) -> Store:
        settings = self.settings
        return Store(
            database,
            lease=self.lease,
            refresh=timedelta(minutes=settings.fetch.default_refresh_minutes),
            resend=self.delays if settings.delivery.on_ambiguous == "resend" else (),
            window=self._window,
        )

    def _window(self) -> RecentStories:
        from morningdeck.enrichers.embedding import DIMENSIONS
        from morningdeck.stories.window import RecentStories

        return RecentStories(dimensions=DIMENSIONS)

    @property
    def lease(self) -> timedelta:
        return timedelta(seconds=self.settings.recovery.lease_seconds)

    @property
    def delays(self) -> tuple[timedelta, ...]:
        return tuple(timedelta(minutes=m) for m in self.settings.retry.schedule_minutes)

    @cached_property
    def holder(self) -> Holder:
        from morningdeck.engine.leases import Holder, Leases
        from morningdeck.verbs import DEADLINES

        jobs, owner, clock = self.store.jobs, self.node.owner, self.clock
        leases = Leases(jobs, owner=owner, clock=clock, lease=self.lease, deadlines=DEADLINES)
        return Holder(jobs, leases, clock, self.node.name, owner, self.wake)

    @cached_property
    def workers(self) -> Mapping[Stage, Worker]:
        from morningdeck.engine.worker import Worker
        from morningdeck.verbs import rules_of

        return {stage: Worker(rules_of(self, stage), self.holder) for stage in Stage}

    @cached_property
    def refining(self) -> Refining:
        from morningdeck.refining import Refining
        from morningdeck.work import INDEXING

        jobs, clock = self.store.jobs, self.clock
        return Refining(
            self.store.profile_rows,
            lambda: self.adapters.relevance,
            busy=lambda: jobs.waiting(Stage.PROCESSING, clock(), 1) > 0,
            on_change=lambda: self.wake(INDEXING),
            clock=clock,
        )

    @cached_property
    def pinging(self) -> Pinging:
        from morningdeck.pinging import Pinging

        rows, poster = self.store.pings, self.adapters.short_poster
        return Pinging(rows.take, rows.done, rows.put_off, poster, self.clock)

    @cached_property
    def pictured(self) -> Callable[[Report], Report]:
        """A report with the picture of its lead, where the settings want one."""
        if not self.settings.delivery.pictures:
            return lambda report: report
        from morningdeck.picturing import Pictures

        adapters, rows = self.adapters, self.store.briefing_rows
        return Pictures(rows.image_url, adapters.http_once, adapters.parser.picture)

    @cached_property
    def alerting(self) -> Alerting:
        from morningdeck.alerting import Alerting

        index, wake = self.store.search_index, lambda: self.wake(Stage.BRIEFING.value)
        return Alerting(self.store.alert_rows, index.matching, wake, self.clock)

    @property
    def by_meaning(self) -> ByMeaning:
        from morningdeck.nearness import by_meaning

        return by_meaning(self.store, self.adapters.note_takers)

    @property
    def more_like_this(self) -> MoreLikeThis:
        from morningdeck.nearness import more_like_this

        return more_like_this(self.store, self.adapters.note_takers)

    @cached_property
    def theming(self) -> Theming:
        from morningdeck.theming import Theming

        jobs, clock = self.store.jobs, self.clock
        return Theming(
            self.store.theme_rows,
            _theme_finder,
            _theme_labels,
            saved=self.settings.topics.every_saved,
            busy=lambda: jobs.waiting(Stage.PROCESSING, clock(), 1) > 0,
            clock=clock,
        )

    # ---- the engine

    def wake(self, loop: str) -> None:
        """There may be more to do for it, here or in another process."""
        if self._engine is not None:
            self._engine.wake(loop)
        self.store.database.signals.send(loop)

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
        """From here on `wake` goes to this one."""
        from morningdeck import loops
        from morningdeck.noting.parts import spare_processor

        self.adapters.note_takers.has_child = spare_processor()
        self._engine = loops.build_engine(self)
        return self._engine

    def build_worker(self, stages: Sequence[Stage]) -> Engine:
        """Of a process that only works on what daemons put into a broker."""
        from morningdeck import loops

        self._engine = loops.build_worker(self, stages)
        return self._engine

    @property
    def is_waited_for(self) -> bool:
        """Somebody waits for a command that works by itself, nobody for a daemon."""
        return self._engine is None

    @property
    def on_demand(self) -> OnDemand:
        from morningdeck.engine.on_demand import OnDemand

        return OnDemand(
            holder=self.holder,
            workers=self.workers,
            threads={stage: of.workers for stage, of in self.lanes.items() if of.enabled},
            heartbeat=self.heartbeat,
        )

    def heartbeat(self) -> Heartbeat:
        from morningdeck.engine.leases import Heartbeat

        return Heartbeat(
            self.holder.leases,
            every_seconds=self.settings.recovery.lease_seconds / BEATS_PER_LEASE,
            also=self._live,
        )

    def _live(self) -> None:
        """With every beat: ask for the database's time, and say that this process lives."""
        if isinstance(self.clock, DatabaseClock):
            self.clock.ask()
        self.store.incarnations.beat(self.node.incarnation, self.clock())

    @property
    def keep(self) -> Keep:
        """How long things are kept."""
        from morningdeck.store.views.retention import Keep

        days = self.settings.retention
        return Keep(
            items=_days(days.items_days),
            reports=_days(days.reports_days),
            dead_letters=_days(days.dead_letters_days),
            delivery_bytes=_days(days.delivery_bytes_days),
            usage=_days(days.usage_days),
        )

    def run(self, *, once: bool = False, web: bool = False) -> bool:
        """Be the daemon until told to stop (True), or until nothing is left to do."""
        from morningdeck import daemon

        if not web:
            self.store.web_notices.tell(self.node.name, None, self.clock())

        if self.settings.queue.backend != "celery":
            self.store.broker_notices.end(self.clock())
        if self.adapters.bounce_box is None:
            self.store.bounces.unread(None, self.clock())
        return daemon.run_app(self, self.build_engine, "daemon", once=once, web=web)

    def work(self, stages: Sequence[Stage]) -> bool:
        """Be a worker until told to stop."""
        from morningdeck import daemon

        build = partial(self.build_worker, stages)
        return daemon.run_app(self, build, "worker", serves=stages)

    # ---- being there

    def join(self, kind: ProcessKind, serves: Sequence[Stage] = ()) -> None:
        """Be known as a living process, which `serves` these stages where it is a worker."""
        self.store.incarnations.join(
            node=self.node.name,
            incarnation=self.node.incarnation,
            kind=kind,
            pid=os.getpid(),
            version=__version__,
            now=self.clock(),
            serves=[stage.value for stage in serves],
        )

    def close(self) -> None:
        """Let go of everything; nothing that runs is waited for."""
        self.adapters.close()
        self.store.close()
        self.node.close()


def _theme_finder() -> ThemeFinder:
    from morningdeck.enrichers.embedding import DIMENSIONS
    from morningdeck.stories.themes import ThemeFinder

    return ThemeFinder(dimensions=DIMENSIONS)


def _theme_labels(
    themes: Sequence[Sequence[ThemeText]], others: Sequence[ThemeText]
) -> ThemeLabels:
    from morningdeck.enrichers.theme_labels import ThemeLabels

    return ThemeLabels(themes, others)


def _days(number: int) -> timedelta | None:
    """0 keeps for ever."""
    return timedelta(days=number) if number else None


def prepare(settings: Settings) -> Database:
    """The database, there and migrated."""
    database = open_database(settings.database.url.get_secret_value(), pool_size=settings.pool_size)
    database.refuse_unfit()
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
    kind: ProcessKind = "command",
) -> Iterator[App]:
    """An `App` on a data folder that is made at first use, with its first user."""
    run_folder(settings.data_dir)
    database = prepare(settings)
    clock = clock or database.clock(system_clock)
    node = join_as_node(settings.data_dir, kind)
    app = App(settings, database, node, clock, full_text=full_text)
    try:
        app.store.users.ensure_first(clock())
        yield app
    finally:
        app.close()
