"""How it stands: for the status command, its line of progress, the web and the API."""

from __future__ import annotations

from collections.abc import Container, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from enum import Enum, auto
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from morningdeck import __version__
from morningdeck.views.running import DaemonView, QueueView, SearchStateView, StatusView
from morningdeck.work import Stage

if TYPE_CHECKING:
    from morningdeck.store.store import Store

UNSENT = ("PENDING", "RETRY", "SENDING")


class LaneFigures(Protocol):
    """A stage that has a queue, as it is set."""

    @property
    def capacity(self) -> int: ...

    @property
    def workers(self) -> int: ...


def running_since(store: Store, data_dir: Path, now: datetime) -> datetime | None:
    """Since when a daemon runs on this database."""
    since = store.incarnations.daemon_since(now)
    from morningdeck.engine.node import daemon_runs  # help has no need of locks

    if store.database.exclusive and not daemon_runs(data_dir):
        return None  # its lock is free: it died without a word
    return since


def standing(
    store: Store,
    user_id: int,
    *,
    data_dir: Path,
    lanes: Mapping[Stage, LaneFigures],
    search_backend: str,
    budget_usd: float | None,
    midnight: datetime,
    now: datetime,
    brokered: bool = False,
) -> StatusView:
    """All that can be said, for one user, whose day began at `midnight`; `brokered` where workers
    elsewhere take the work out of a broker.
    """
    overview, since = store.overview, running_since(store, data_dir, now)
    serving = store.incarnations.workers(now) if brokered else None
    daemon = DaemonView(running=since is not None, since=since)
    # without a broker each daemon has workers of its own, as many as here if it is set alike
    daemons = 1 if brokered else max(1, store.incarnations.daemons(now))
    looks = {
        stage.value: overview.queue(stage, now, capacity=of.capacity, workers=of.workers * daemons)
        for stage, of in lanes.items()
    }
    return StatusView(
        version=__version__,
        database=store.database.kind,
        daemon=daemon,
        queues={
            name: replace(of, limited_by=limit(of, daemon, _serving(serving, name)))
            for name, of in looks.items()
        },
        deliveries=overview.deliveries(),
        search=_search_state(store, search_backend, now),
        model=store.spending.state(now, budget_usd),
        notices=overview.notices(user_id),
        outlook=overview.outlook(user_id, midnight),
        worker_processes=None if serving is None else len(serving),
    )


def _serving(workers: Sequence[Container[str]] | None, stage: str) -> int | None:
    return None if workers is None else sum(stage in one for one in workers)


def _search_state(store: Store, backend: str, now: datetime) -> SearchStateView:
    """The database's own index changes with its items: nothing ever waits for it."""
    if backend == store.search_index.name:
        return SearchStateView(backend, 0)
    return SearchStateView(backend, *store.overview.search_waiting(now))


# ---- what it means

NO_DAEMON, NO_WORKER, WORKERS, CAPACITY = "no daemon", "no worker", "workers", "capacity"


def limit(queue: QueueView, daemon: DaemonView, workers: int | None) -> str | None:
    """What keeps this stage from doing what waits; None where nothing does for long. `workers` are
    the processes that serve it behind a broker, None where there is none.
    """
    if not queue.waiting and not queue.queued:
        return None
    if not daemon.running and queue.waiting:
        return NO_DAEMON
    if workers == 0:
        return NO_WORKER
    if queue.queued >= queue.capacity:
        return CAPACITY
    # behind a broker only a few wait, and only for workers
    busy = queue.running >= queue.workers if workers is None else queue.queued > 0
    return WORKERS if busy and queue.waiting else None


class Verdict(Enum):
    """The first of these that is so."""

    NOTHING_IS_READ = auto()
    NOTHING_RUNS = auto()
    NOTICES = auto()
    SOURCES_IN_TROUBLE = auto()
    NO_BRIEFING = auto()
    WELL = auto()


def verdict(view: StatusView) -> Verdict:
    outlook = view.outlook
    if not outlook.sources and not outlook.sources_paused:
        return Verdict.NOTHING_IS_READ
    if not view.daemon.running:
        return Verdict.NOTHING_RUNS
    if view.notices:
        return Verdict.NOTICES
    if outlook.sources_in_trouble:
        return Verdict.SOURCES_IN_TROUBLE
    return Verdict.WELL if outlook.briefings else Verdict.NO_BRIEFING


def in_the_works(view: StatusView) -> dict[str, int]:
    """How many jobs wait or run, by what is left to do: fetch, enrich, write, send, index."""
    jobs = {name: of.waiting + of.queued + of.running for name, of in view.queues.items()}
    return {
        "fetch": jobs[Stage.FETCH.value],
        "enrich": jobs[Stage.PROCESSING.value],
        "write": jobs[Stage.BRIEFING.value],
        "send": sum(view.deliveries.get(state, 0) for state in UNSENT),
        "index": view.search.waiting,
    }
