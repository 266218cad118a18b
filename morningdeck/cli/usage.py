"""`usage`: what models were asked for, and what that cost."""

from __future__ import annotations

from typing import Annotated

import typer

from morningdeck.actions import words
from morningdeck.cli.desk import Limit, desk

SINCE = typer.Option(metavar="WHEN", help="A date or time, or how long ago: 30d.")


def usage(context: typer.Context, since: Annotated[str, SINCE] = "30d", limit: Limit = 50) -> None:
    """What the calls of models cost, by day, purpose and model, the newest first."""
    with desk(context) as at:
        begin = words.since(since, at.now, at.user.timezone)
        columns = "day purpose model calls failed tokens_in tokens_out cost_usd"
        at.out.list(at.store.spending.days(begin, limit), columns)
