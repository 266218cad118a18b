"""What the news of two weeks turns around, and how it has moved: topics with their stories."""

from __future__ import annotations

from dataclasses import dataclass

from fastapi import APIRouter, Request
from starlette.responses import Response

from morningdeck.views.reading import TopicView
from morningdeck.web.answers import CursorText, RowId, a_number, one_page, read_cursor
from morningdeck.web.login import By
from morningdeck.web.pages.rendering import page
from morningdeck.web.pages.visiting import PageRoute

router = APIRouter(include_in_schema=False, route_class=PageRoute)

TOPICS, BAR_WIDTH = 20, 300


@dataclass(frozen=True, slots=True)
class Bars:
    """How wide the bars of a topic are, of `BAR_WIDTH`."""

    this_week: int
    week_before: int


@router.get("/stories")
def show_stories(request: Request, by: By, cursor: CursorText = None) -> Response:
    """The most told this week first."""
    before = read_cursor(cursor, a_number, a_number, a_number)
    found = by.store.topics.list(by.user.id, TOPICS + 1, before=before)
    shown, older = one_page(found, TOPICS, lambda view: (view.this_week, view.items, view.id))
    most = max((max(one.this_week, one.week_before or 0) for one in shown), default=0)
    bars = {one.id: bars_of(one, most) for one in shown}
    return page(request, "stories.html", topics=shown, bars=bars, older=older, width=BAR_WIDTH)


@router.get("/stories/{id}")
def show_topic(request: Request, by: By, id: RowId) -> Response:
    return page(request, "topic.html", topic=by.store.topics.show(by.user.id, id))


def bars_of(topic: TopicView, most: int) -> Bars:
    """On the scale of the page; what there is at all is seen."""

    def wide(stories: int) -> int:
        return max(2, round(BAR_WIDTH * stories / most)) if stories else 0

    return Bars(wide(topic.this_week), wide(topic.week_before or 0))
