"""`status` and `config`: how it runs, and with what settings."""

from __future__ import annotations

from typing import Annotated

import typer

from morningdeck.cli.desk import Desk, desk, output, settings
from morningdeck.cli.output import shown_path
from morningdeck.cli.verdict import Screen, report
from morningdeck.standing import standing_of
from morningdeck.views.running import StatusView


def status(
    context: typer.Context,
    everything: Annotated[bool, typer.Option("--all", help="With all notices in full.")] = False,
) -> None:
    """Whether all is well, and what comes next."""
    with desk(context) as at:
        view = standing_of(at.app, at.user, at.now)
        at.out.either(view, lambda: _print(at, view, everything))


def _print(at: Desk, view: StatusView, everything: bool) -> None:
    screen = Screen(at.now, at.out.zone, shown_path(at.app.settings.outbox), at.out.width)
    at.out.say("\n".join(report(view, screen, everything=everything)))


def config(context: typer.Context) -> None:
    """The settings in effect, secrets masked."""
    output(context).show(settings(context).shown())
