"""`item`: what was read."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from enum import StrEnum
from typing import Annotated

import typer

from morningdeck.actions import items
from morningdeck.cli import words
from morningdeck.cli.desk import Desk, Id, Limit, desk, group
from morningdeck.model import ItemFilter
from morningdeck.views import ItemView

app = group("What was read.")


class Status(StrEnum):
    NEW = "NEW"
    PENDING = "PENDING"
    PROCESSING = "PROCESSING"
    DONE = "DONE"
    ERROR = "ERROR"
    CANCELLED = "CANCELLED"


SourceOption = Annotated[
    int | None, typer.Option(parser=words.identity, metavar="ID", help="Only of this source.")
]
BriefingOption = Annotated[
    int | None,
    typer.Option(parser=words.identity, metavar="ID", help="Only what this briefing scored."),
]
Unread = Annotated[bool, typer.Option("--unread", help="Only what you have not read.")]
Saved = Annotated[bool, typer.Option("--saved", help="Only what you keep for later.")]
MinScore = Annotated[
    int | None,
    typer.Option(min=0, max=100, metavar="N", help="Only what a briefing scored so high."),
]
Since = Annotated[
    str | None,
    typer.Option(metavar="DATE|3d", help="Only what is newer than 2026-11-18, or than 3 days."),
]


@app.command()
def add(
    context: typer.Context,
    url: Annotated[
        str, typer.Argument(metavar="URL", help="The address of the page.", show_default=False)
    ],
) -> None:
    """Read a page, first in line, and keep it."""
    _change(
        context,
        lambda at: items.save_page(
            at.store.saved_pages, at.user.id, url, now=at.now, wake=at.app.wake
        ),
    )


@app.command("list")
def list_(
    context: typer.Context,
    source: SourceOption = None,
    briefing: BriefingOption = None,
    status: Annotated[
        Status | None, typer.Option(case_sensitive=False, help="Only in this state.")
    ] = None,
    unread: Unread = False,
    saved: Saved = False,
    min_score: MinScore = None,
    since: Since = None,
    limit: Limit = 50,
) -> None:
    """Your items, the newest first."""
    with desk(context) as at:
        wanted = ItemFilter(
            source_id=source,
            briefing_id=briefing,
            status=None if status is None else status.value,
            unread=unread,
            saved=saved,
            min_score=min_score,
            since=words.since(since, at.now, at.user.timezone) if since else None,
        )
        at.out.list(
            at.store.items.list(at.user.id, wanted, limit),
            "id",
            "title",
            "source",
            date=_date,
            score=_best_score,
            status=lambda view: view.status,
        )


def _date(view: ItemView) -> datetime:
    """The one that they are ordered by."""
    return min(view.published_at or view.first_seen_at, view.first_seen_at)


def _best_score(view: ItemView) -> int | None:
    return max((score.score for score in view.scores), default=None)


@app.command()
def show(context: typer.Context, id: Id) -> None:
    """Everything about one."""
    _change(context, lambda at: at.store.items.show(at.user.id, id))


@app.command()
def read(context: typer.Context, id: Id) -> None:
    """You have read it."""
    _change(context, lambda at: at.store.items.mark_read(at.user.id, id, at.now))


@app.command()
def unread(context: typer.Context, id: Id) -> None:
    """You have not."""
    _change(context, lambda at: at.store.items.mark_read(at.user.id, id, None))


@app.command()
def save(context: typer.Context, id: Id) -> None:
    """Keep it for later."""
    _change(context, lambda at: at.store.items.mark_saved(at.user.id, id, at.now))


@app.command()
def unsave(context: typer.Context, id: Id) -> None:
    """Do not keep it."""
    _change(context, lambda at: at.store.items.mark_saved(at.user.id, id, None))


@app.command()
def like(context: typer.Context, id: Id) -> None:
    """More like this."""
    _change(context, lambda at: at.store.items.rate(at.user.id, id, 1))


@app.command()
def dislike(context: typer.Context, id: Id) -> None:
    """Less like this."""
    _change(context, lambda at: at.store.items.rate(at.user.id, id, -1))


@app.command()
def retry(context: typer.Context, id: Id) -> None:
    """Enrich it after all, although that failed for good."""
    _change(context, lambda at: at.store.items.retry(at.user.id, id))


def _change(context: typer.Context, change: Callable[[Desk], ItemView]) -> None:
    with desk(context) as at:
        at.out.show(change(at))
