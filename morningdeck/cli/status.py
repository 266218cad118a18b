"""`status` and `config`: how it runs, and with what settings."""

from __future__ import annotations

import typer

from morningdeck import __version__
from morningdeck.cli.desk import Desk, desk, output, settings
from morningdeck.views import DaemonView, QueueView, SearchStateView, StatusView
from morningdeck.work import Stage

QUEUES = (Stage.FETCH, Stage.PROCESSING, Stage.BRIEFING)


def status(context: typer.Context) -> None:
    """What runs, what waits, what failed, what you should know."""
    with desk(context) as at:
        overview = at.store.overview
        since = at.app.running()
        at.out.show(
            StatusView(
                version=__version__,
                database=at.store.database.kind,
                daemon=DaemonView(running=since is not None, since=since),
                queues={stage.value: _queue(at, stage) for stage in QUEUES},
                deliveries=overview.deliveries(),
                search=SearchStateView(at.app.search_index.name, overview.search_waiting()),
                notices=overview.notices(at.user.id),
            )
        )


def _queue(at: Desk, stage: Stage) -> QueueView:
    of = getattr(at.app.settings, stage.value)
    return at.store.overview.queue(stage, at.now, capacity=of.capacity, workers=of.workers)


def config(context: typer.Context) -> None:
    """The settings in effect, secrets masked."""
    output(context).show(settings(context).shown())
