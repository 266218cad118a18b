"""Finding what was read: words, what was understood, facets, and the searches that are kept."""

from __future__ import annotations

import re
from collections.abc import Iterator
from html import unescape
from typing import Annotated, get_args

from fastapi import APIRouter, Query, Request
from starlette.responses import Response

from morningdeck.actions import search, searches
from morningdeck.asked.parse import parse_query
from morningdeck.errors import ConfigError, ConflictError
from morningdeck.model.finding import Hit, SearchAnswer, SearchQuery
from morningdeck.model.wanting import NewSearch
from morningdeck.schedule import zone_or_utc
from morningdeck.web.api.search import MOST_LEFT_OUT, QueryText, SortBy
from morningdeck.web.login import By, Caller
from morningdeck.web.pages.forms import FilledIn
from morningdeck.web.pages.rendering import page
from morningdeck.web.pages.visiting import PageRoute, led_to

router = APIRouter(include_in_schema=False, route_class=PageRoute)

HITS, MOST_SEARCHES_SHOWN = 20, 200
FIELDS = {"source": "source", "topics": "topic", "language": "lang"}
"""By what a facet is narrowed: the field of a query, else its words."""
FACETS_SHOWN = ("source", "topics", "people", "companies", "technologies", "language")
Offset = Annotated[int, Query(ge=0, le=MOST_LEFT_OUT)]
_MARK = re.compile(r"</?mark>")


@router.get("/search")
def show_search(
    request: Request, by: By, q: QueryText = "", sort: SortBy = "relevance", offset: Offset = 0
) -> Response:
    return _search_page(request, by, q, sort, offset)


@router.post("/search/saved")
def save_search(request: Request, by: By, form: FilledIn) -> Response:
    """Kept under its name; the command line, or a briefing, can have it tell what it finds."""
    q, name = form.text("q"), form.text("name")
    ways = by.adapters.ways_out
    try:
        searches.save(
            by.store.saved_searches,
            by.user,
            NewSearch(name=name, query=q),
            channels_for=ways.to,
            check_channels=ways.check,
            now=by.now,
        )
    except ConflictError:
        return _search_page(request, by, q, wrong=f"There is a search {name!r} already.")
    except ConfigError as error:
        return _search_page(request, by, q, wrong=f"{str(error)[:1].upper()}{str(error)[1:]}.")
    return led_to(request, "/search", q=q)


@router.post("/search/saved/remove")
def remove_search(request: Request, by: By, form: FilledIn) -> Response:
    by.store.saved_searches.remove(by.user.id, form.text("name"))
    return led_to(request, "/search", q=form.text("q") or None)


def _search_page(
    request: Request,
    by: Caller,
    q: str,
    sort: SortBy = "relevance",
    offset: int = 0,
    wrong: str | None = None,
) -> Response:
    found = _found(by, q, sort, offset) if q.strip() else None
    return page(
        request,
        "search.html",
        422 if wrong else 200,
        q=q,
        sort=sort,
        sorts=get_args(SortBy),
        found=found,
        offset=offset,
        following=offset + HITS if found and offset + HITS < found.total else None,
        facets=dict(_facets(q, found)) if found else {},
        shown_as=shown_as,
        saved=by.store.saved_searches.list(by.user.id, MOST_SEARCHES_SHOWN),
        wrong=wrong,
    )


def _found(by: Caller, q: str, sort: SortBy, offset: int) -> SearchAnswer:
    asked = parse_query(q, now=by.now, zone=zone_or_utc(by.user.timezone))
    query = SearchQuery(by.user.id, asked, sort=sort, limit=HITS, offset=offset)
    return search.find(by.adapters.search_index, lambda: by.app.by_meaning, query)


def _facets(q: str, found: SearchAnswer) -> Iterator[tuple[str, list[tuple[str, int, str]]]]:
    """Each value with its number and the query that it narrows this one to."""
    for facet in FACETS_SHOWN:
        if len(there := found.facets.get(facet, {})) > 1:
            yield (
                facet,
                [(value, count, _narrower(q, facet, value)) for value, count in there.items()],
            )


def _narrower(q: str, facet: str, value: str) -> str:
    field = f"{FIELDS[facet]}:" if facet in FIELDS else ""
    return f'{q.strip()} {field}"{value.replace(chr(34), " ")}"'


def shown_as(hit: Hit) -> tuple[list[tuple[str, bool]], list[tuple[str, bool]]]:
    """Its title and what stands below, each in pieces with whether they are a match."""
    parts = enumerate(_MARK.split(hit.highlight))
    found = [(unescape(part), number % 2 == 1) for number, part in parts if part]
    if "".join(text for text, _ in found) == hit.title:
        return found, [(hit.summary, False)]
    return [(hit.title, False)], found
