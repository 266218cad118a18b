"""`run`: the daemon, in the foreground."""

from __future__ import annotations

from typing import Annotated

import typer

from morningdeck.cli import claiming, progress
from morningdeck.cli.desk import desk
from morningdeck.standing import standing_of
from morningdeck.work import Stage


def run(
    context: typer.Context,
    once: Annotated[
        bool, typer.Option("--once", help="Do all that is due, then exit: for cron.")
    ] = False,
    no_web: Annotated[bool, typer.Option("--no-web", help="Without pages and API.")] = False,
) -> None:
    """Read, enrich, brief, and serve the web, until told to stop."""
    with desk(context, "daemon") as at:
        web = at.app.settings.web.enabled and not (no_web or once)
        if web:
            claiming.invite(at)
        if not at.shows_progress:
            at.app.run(once=once, web=web)
            return
        done = at.app.workers[Stage.PROCESSING].outcomes
        with progress.showing(
            lambda: progress.line(standing_of(at.app, at.user, at.now), done, at.now, at.out.zone),
            lambda seconds: progress.summary(done, seconds),
        ):
            at.app.run(once=once, web=web)
