"""`status` and `config`: how it runs, and with what settings."""

from __future__ import annotations

from typing import Annotated

import typer

from morningdeck import __version__
from morningdeck.cli.desk import Desk, desk, output, settings
from morningdeck.cli.output import shown_path
from morningdeck.cli.times import midnight
from morningdeck.cli.verdict import Place, report
from morningdeck.views import DaemonView, QueueView, SearchStateView, StatusView
from morningdeck.work import Stage


def status(
    context: typer.Context,
    everything: Annotated[bool, typer.Option("--all", help="With all notices in full.")] = False,
) -> None:
    """Whether all is well, and what comes next."""
    with desk(context) as at:
        view = standing(at)
        at.out.either(view, lambda: _print(at, view, everything))


def _print(at: Desk, view: StatusView, everything: bool) -> None:
    place = Place(at.now, at.out.zone, shown_path(at.app.settings.outbox), at.out.width)
    at.out.say("\n".join(report(view, place, everything=everything)))


def standing(at: Desk) -> StatusView:
    """All that can be said about how it stands, for the user of this desk."""
    overview = at.store.overview
    since = at.app.running()
    return StatusView(
        version=__version__,
        database=at.store.database.kind,
        daemon=DaemonView(running=since is not None, since=since),
        queues={stage.value: _queue(at, stage) for stage in at.app.lanes},
        deliveries=overview.deliveries(),
        search=SearchStateView(at.app.search_index.name, overview.search_waiting()),
        notices=overview.notices(at.user.id),
        outlook=overview.outlook(at.user.id, midnight(at.now, at.out.zone)),
    )


def _queue(at: Desk, stage: Stage) -> QueueView:
    of = at.app.lanes[stage]
    return at.store.overview.queue(stage, at.now, capacity=of.capacity, workers=of.workers)


def config(context: typer.Context) -> None:
    """The settings in effect, secrets masked."""
    output(context).show(settings(context).shown())
