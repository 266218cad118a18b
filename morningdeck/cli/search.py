"""`search` and `reindex`: finding what was read."""

from __future__ import annotations

import time
from enum import StrEnum
from typing import Annotated

import typer

from morningdeck.cli import words
from morningdeck.cli.desk import Desk, Limit, desk
from morningdeck.cli.item import Briefing, MinScore, Saved, Since, Source, Unread
from morningdeck.model import SearchAnswer, SearchQuery
from morningdeck.views import ReindexView


class Sort(StrEnum):
    RELEVANCE = "relevance"
    DATE = "date"
    SCORE = "score"


def search(
    context: typer.Context,
    query: Annotated[str, typer.Argument(metavar="QUERY", show_default=False)],
    briefing: Briefing = None,
    source: Source = None,
    unread: Unread = False,
    saved: Saved = False,
    min_score: MinScore = None,
    since: Since = None,
    sort: Annotated[Sort, typer.Option()] = Sort.RELEVANCE,
    limit: Limit = 20,
    offset: Annotated[
        int, typer.Option(parser=words.how_far, metavar="N", help="Leave out so many of the best.")
    ] = 0,
) -> None:
    """Find it in everything that was ever read."""
    with desk(context) as at:
        answer = at.app.search(
            SearchQuery(
                user_id=at.user.id,
                text=query,
                briefing_id=briefing,
                source_id=source,
                unread=unread,
                saved=saved,
                min_score=min_score,
                since=words.since(since, at.now, at.user.timezone) if since else None,
                sort=sort.value,
                limit=limit,
                offset=offset,
            )
        )
        at.out.either(answer, lambda: _print(at, answer))


def _print(at: Desk, answer: SearchAnswer) -> None:
    at.out.list(answer.hits, "id", "published_at", "title", "url")
    at.out.say(_summary(answer))


def _summary(answer: SearchAnswer) -> str:
    by = answer.backend
    if answer.degraded:
        by += ", because the search server does not answer"
    return f"{len(answer.hits)} of {answer.total} found ({by})"


def reindex(context: typer.Context) -> None:
    """Build the search index anew."""
    started = time.monotonic()
    with desk(context) as at:
        with at.out.busy("building the search index"):
            documents = at.app.reindex()
        at.out.show(ReindexView(documents, round(time.monotonic() - started, 3)))
