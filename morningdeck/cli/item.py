"""`item`: what was read."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Literal

import typer

from morningdeck.actions import items, words
from morningdeck.cli.desk import Id, Limit, desk, group, id_option, on_one
from morningdeck.model.finding import ItemFilter
from morningdeck.views.reading import ItemView

app = group("What was read.")


Status = Literal["NEW", "PENDING", "PROCESSING", "DONE", "ERROR", "CANCELLED"]
SourceOption = Annotated[int | None, id_option("Only of this source.")]
BriefingOption = Annotated[int | None, id_option("Only what this briefing scored.")]
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
    with desk(context) as at:
        pages, wake = at.store.saved_pages, at.app.wake
        at.out.show(items.save_page(pages, at.user.id, url, now=at.now, wake=wake))


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
            status=status,
            unread=unread,
            saved=saved,
            min_score=min_score,
            since=words.since(since, at.now, at.user.timezone) if since else None,
        )
        at.out.list(
            at.store.items.list(at.user.id, wanted, limit),
            "id title source",
            date=_date,
            score=_best_score,
            status=lambda view: view.status,
        )


@app.command()
def similar(context: typer.Context, id: Id, limit: Limit = 10) -> None:
    """Other stories like it, the closest first."""
    with desk(context) as at:
        found = at.app.more_like_this.find(at.user.id, id, limit)
        at.out.list(found, "id closeness title source published_at")


@app.command("read-all")
def read_all(
    context: typer.Context,
    source: SourceOption = None,
    briefing: BriefingOption = None,
    since: Since = None,
) -> None:
    """You have read all that you see, or all of a source, of a briefing, since a day."""
    with desk(context) as at:
        only = ItemFilter(
            source_id=source,
            briefing_id=briefing,
            since=words.since(since, at.now, at.user.timezone) if since else None,
        )
        at.out.show({"read": at.store.items.mark_all_read(at.user.id, only, at=at.now)})


def _date(view: ItemView) -> datetime:
    """The one that they are ordered by."""
    return min(view.published_at or view.first_seen_at, view.first_seen_at)


def _best_score(view: ItemView) -> int | None:
    return max((score.score for score in view.scores), default=None)


one = on_one(app, lambda store: store.items)
one("show", "Everything about one.", lambda items, user, id, now: items.show(user, id))
one("read", "You have read it.", lambda items, user, id, now: items.mark_read(user, id, now))
one("unread", "You have not.", lambda items, user, id, now: items.mark_read(user, id, None))
one("save", "Keep it for later.", lambda items, user, id, now: items.mark_saved(user, id, now))
one("unsave", "Do not keep it.", lambda items, user, id, now: items.mark_saved(user, id, None))
one("like", "More like this.", lambda items, user, id, now: items.rate(user, id, 1))
one("dislike", "Less like this.", lambda items, user, id, now: items.rate(user, id, -1))
one(
    "retry",
    "Enrich it after all, although that failed for good.",
    lambda items, user, id, now: items.retry(user, id),
)
