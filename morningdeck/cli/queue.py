"""`queue`: what waits, what failed for good, and what to do about it."""

from __future__ import annotations

from typing import Annotated, Literal

import typer

from morningdeck.actions import queues, words
from morningdeck.cli.desk import Limit, desk, group
from morningdeck.errors import ConfigError
from morningdeck.work import Stage

app = group("What waits, and what failed for good.")


@app.command()
def stats(context: typer.Context) -> None:
    """How many rows are in which state."""
    with desk(context) as at:
        at.out.show(at.store.overview.queue_stats())


@app.command()
def dead(context: typer.Context, limit: Limit = 50) -> None:
    """Items that failed for good, the newest first."""
    with desk(context) as at:
        at.out.list(at.store.dead_letters.list(limit), "id first_seen_at title error")


@app.command()
def retry(
    context: typer.Context,
    ids: Annotated[
        list[int] | None,
        typer.Argument(parser=words.identity, metavar="ID...", help="What to try again."),
    ] = None,
    everything: Annotated[bool, typer.Option("--all", help="Whatever has failed.")] = False,
    stage: Annotated[
        Literal["fetch", "processing", "briefing"],
        typer.Option(help="fetch, briefing: what waits for another try is due now."),
    ] = "processing",
) -> None:
    """Try again what failed."""
    if bool(ids) == everything:
        raise ConfigError("say what: either the ids, or --all")
    with desk(context) as at:
        retried = queues.retry(at.store.dead_letters, Stage(stage), ids or None, now=at.now)
    at.out.show({"retried": retried})


@app.command()
def purge(
    context: typer.Context,
    older_than: Annotated[
        str, typer.Option(metavar="14d", help="How long ago, in s, m, h, d or w.")
    ],
) -> None:
    """Delete what failed for good that long ago."""
    age = words.length(older_than)
    with desk(context) as at:
        at.out.show({"purged": at.store.retention.purge_dead_letters(age, at.now)})
