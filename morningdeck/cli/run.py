"""`run`: the daemon, in the foreground."""

from __future__ import annotations

from typing import Annotated

import typer

from morningdeck.cli.desk import desk


def run(
    context: typer.Context,
    once: Annotated[
        bool, typer.Option("--once", help="Do all that is due, then exit: for cron.")
    ] = False,
    no_web: Annotated[bool, typer.Option("--no-web", help="Without the web page.")] = False,
) -> None:
    """Read, enrich and brief until told to stop."""
    with desk(context, daemon=True) as at:
        at.app.run(once=once)
