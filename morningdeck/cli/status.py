"""`status` and `config`: how it runs, and with what settings."""

from __future__ import annotations

from typing import Annotated

import typer

from morningdeck.actions import status as actions
from morningdeck.cli.desk import Desk, desk, output, settings
from morningdeck.cli.output import shown_path
from morningdeck.cli.times import midnight
from morningdeck.cli.verdict import Screen, report
from morningdeck.views.running import StatusView


def status(
    context: typer.Context,
    everything: Annotated[bool, typer.Option("--all", help="With all notices in full.")] = False,
) -> None:
    """Whether all is well, and what comes next."""
    with desk(context) as at:
        view = standing_at(at)
        at.out.either(view, lambda: _print(at, view, everything))


def _print(at: Desk, view: StatusView, everything: bool) -> None:
    screen = Screen(at.now, at.out.zone, shown_path(at.app.settings.outbox), at.out.width)
    at.out.say("\n".join(report(view, screen, everything=everything)))


def standing_at(at: Desk) -> StatusView:
    """For the user of this desk."""
    app = at.app
    return actions.standing(
        at.store,
        at.user.id,
        data_dir=app.settings.data_dir,
        lanes=app.lanes,
        search_backend=at.adapters.searching.backend,
        budget_usd=app.settings.enricher.daily_budget_usd,
        midnight=midnight(at.now, at.out.zone),
        now=at.now,
        brokered=app.settings.queue.backend == "celery",
    )


def config(context: typer.Context) -> None:
    """The settings in effect, secrets masked."""
    output(context).show(settings(context).shown())
