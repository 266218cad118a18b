"""All that was read, the newest first: filters, an endless list, all above as read and undone."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from typing import Annotated, Any

from fastapi import APIRouter, Depends, Request
from starlette.exceptions import HTTPException
from starlette.responses import Response

from morningdeck.actions import items
from morningdeck.model.finding import ItemFilter
from morningdeck.web.addresses import own_path
from morningdeck.web.answers import CursorText, RowId, a_moment, a_number, one_page, read_cursor
from morningdeck.web.api.bodies import MOST_ITEMS_AT_ONCE
from morningdeck.web.api.items import place_of_item
from morningdeck.web.login import By
from morningdeck.web.pages.forms import FilledIn, whole_number
from morningdeck.web.pages.rendering import page
from morningdeck.web.pages.visiting import PageRoute, led_to

router = APIRouter(include_in_schema=False, route_class=PageRoute)

ROWS, MOST_WISHES_NAMED = 30, 1000
MOST_SOURCES = 200
"""Of more than so many nobody finds one in a list; the page of each leads to what it told."""
LEVELS = {40: "on the subject", 60: "surely on it", 80: "what it is about"}


@dataclass(frozen=True, slots=True)
class FeedFilter:
    """What is chosen in the form of the feed; a field left empty chooses nothing."""

    source: int | None = None
    briefing: int | None = None
    min_score: int | None = None
    unread: bool = False
    saved: bool = False
    topic: str | None = None
    language: str | None = None

    @property
    def query(self) -> Mapping[str, Any]:
        """As addresses say it."""
        return {
            name: 1 if value is True else value for name, value in asdict(self).items() if value
        }

    def without(self, *names: str, **more: Any) -> Mapping[str, Any]:
        kept = {name: value for name, value in self.query.items() if name not in names}
        return {**kept, **more}

    @property
    def only(self) -> ItemFilter:
        return ItemFilter(
            source_id=self.source,
            briefing_id=self.briefing,
            unread=self.unread,
            saved=self.saved,
            min_score=self.min_score,
        )


async def _wanted(request: Request) -> FeedFilter:
    """A form sends a field that is empty; what is no number of ours chooses nothing."""
    asked = {name: text.strip()[:200] for name, text in request.query_params.items()}
    return FeedFilter(
        whole_number(asked.get("source", "")),
        whole_number(asked.get("briefing", "")),
        whole_number(asked.get("min_score", ""), 100),
        asked.get("unread", "") == "1",
        asked.get("saved", "") == "1",
        asked.get("topic") or None,
        asked.get("language") or None,
    )


Chosen = Annotated[FeedFilter, Depends(_wanted)]


@router.get("/feed")
def show_feed(
    request: Request,
    by: By,
    wanted: Chosen,
    cursor: CursorText = None,
    marked: RowId | None = None,
    at: str | None = None,
) -> Response:
    """`marked` items were marked as read a moment ago, `at` that moment."""
    before = read_cursor(cursor, a_moment, a_number)
    asks = items.narrowed(wanted.topic, wanted.language)
    found = by.store.items.list(by.user.id, wanted.only, ROWS + 1, asks=asks, before=before)
    shown, older = one_page(found, ROWS, place_of_item)
    wishes = by.store.names.wishes(by.user.id, MOST_WISHES_NAMED)
    return page(
        request,
        "feed.html",
        wanted=wanted,
        shown=shown,
        older=older,
        first=cursor is None,
        **_sources(by, wanted.source),
        briefings=[one for one in wishes if one.section_of is None],
        levels=LEVELS,
        marked=marked,
        at=at,
    )


def _sources(by: By, chosen: int | None) -> Mapping[str, Any]:
    """To choose from by name; of too many, the chosen one alone."""
    names = by.store.names
    there = names.sources(by.user.id, MOST_SOURCES + 1)
    if too_many := len(there) > MOST_SOURCES:
        there = names.sources(by.user.id, 1, only=chosen) if chosen else ()
    by_name = sorted(there, key=lambda one: one.name.casefold())
    return {"sources": by_name, "too_many_sources": too_many}


@router.post("/feed/read")
def read_shown(request: Request, by: By, form: FilledIn) -> Response:
    """Those that were shown and no others, all at one moment, by which it can be undone."""
    ids = [one for one in map(whole_number, form.all("id")) if one is not None]
    if len(ids) > MOST_ITEMS_AT_ONCE:
        raise HTTPException(422, f"this marks {MOST_ITEMS_AT_ONCE:,} items at once at most")
    now = by.now
    count = by.store.items.mark_these_read(by.user.id, ids, at=now)
    then = own_path(form.text("then"))
    joined = "&" if "?" in then else "?"
    return led_to(request, f"{then}{joined}marked={count}&at={_told(now)}" if count else then)


@router.post("/feed/unread")
def undo_read(request: Request, by: By, form: FilledIn) -> Response:
    try:
        at = datetime.strptime(form.text("at"), A_MOMENT).replace(tzinfo=UTC)
    except ValueError as error:
        raise HTTPException(422, "this form does not say what to undo") from error
    by.store.items.unmark_read(by.user.id, at=at)
    return led_to(request, own_path(form.text("then")))


A_MOMENT = "%Y%m%dT%H%M%S.%fZ"


def _told(at: datetime) -> str:
    return at.astimezone(UTC).strftime(A_MOMENT)
