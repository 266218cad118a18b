"""Finding what was read, what it turns around, and what models have cost."""

from __future__ import annotations

from typing import Annotated, Literal

from fastapi import APIRouter, Query, Request
from starlette.responses import Response

from morningdeck.actions import search, words
from morningdeck.asked.parse import parse_query
from morningdeck.model.finding import ItemFilter, SearchAnswer, SearchQuery
from morningdeck.model.spending import UsageOfDay
from morningdeck.schedule import zone_or_utc
from morningdeck.views.reading import TopicView
from morningdeck.web.answers import (
    CursorText,
    ListOf,
    PageSize,
    RowId,
    a_day,
    a_number,
    a_word,
    answer,
    page,
    read_cursor,
)
from morningdeck.web.api.items import MinimumScore, SinceText
from morningdeck.web.login import By, TokenRoute

router = APIRouter(prefix="/api/v1", tags=["finding"], route_class=TokenRoute)

SortBy = Literal["relevance", "date", "score", "meaning"]
QueryText = Annotated[str, Query(max_length=10_000, description="As at the command line.")]
MOST_LEFT_OUT = 100_000


@router.get("/search", response_model=SearchAnswer)
def find_items(
    request: Request,
    by: By,
    q: QueryText,
    briefing: RowId | None = None,
    source: RowId | None = None,
    unread: bool = False,
    saved: bool = False,
    min_score: MinimumScore = None,
    since: SinceText = None,
    sort: SortBy = "relevance",
    limit: PageSize = 20,
    offset: Annotated[int, Query(ge=0, le=MOST_LEFT_OUT)] = 0,
) -> Response:
    """Find it in what was read."""
    only = ItemFilter(
        source_id=source,
        briefing_id=briefing,
        unread=unread,
        saved=saved,
        min_score=min_score,
        since=words.since(since, by.now, by.user.timezone) if since else None,
    )
    asked = parse_query(q, now=by.now, zone=zone_or_utc(by.user.timezone))
    query = SearchQuery(by.user.id, asked, only, sort, limit, offset)
    return answer(request, search.find(by.adapters.search_index, lambda: by.app.by_meaning, query))


@router.get("/topics", response_model=ListOf[TopicView])
def list_topics(
    request: Request, by: By, limit: PageSize = 50, cursor: CursorText = None
) -> Response:
    """What the news of the last two weeks turns around, the most told this week first."""
    before = read_cursor(cursor, a_number, a_number, a_number)
    of, user = by.store.topics, by.user.id
    return page(
        request,
        limit,
        lambda most: of.list(user, most, before=before),
        lambda view: (view.this_week, view.items, view.id),
    )


@router.get("/usage", response_model=ListOf[UsageOfDay])
def list_usage(
    request: Request,
    by: By,
    since: SinceText = "30d",
    limit: PageSize = 50,
    cursor: CursorText = None,
) -> Response:
    """What the calls of models cost, by day, purpose and model, the newest first."""
    before = read_cursor(cursor, a_day, a_word, a_word)
    begin = words.since(since or "30d", by.now, by.user.timezone)
    return page(
        request,
        limit,
        lambda most: by.store.spending.days(begin, most, before=before),
        lambda view: (view.day, view.purpose, view.model),
    )
