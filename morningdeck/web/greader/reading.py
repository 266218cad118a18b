"""What there is to read: streams of items, their ids, their texts, and how many are unread."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from fastapi import APIRouter, Request
from starlette.responses import Response

from morningdeck.actions.labels import Label
from morningdeck.model.hours import EPOCH
from morningdeck.views.reading import ArrivalView, UnreadView
from morningdeck.web.answers import a_moment, a_number, cursor_of, read_cursor
from morningdeck.web.greader import words
from morningdeck.web.greader.answering import told
from morningdeck.web.greader.entries import NO_BODY, entry_of_stream
from morningdeck.web.greader.login import ReaderRoute
from morningdeck.web.greader.markup import stream_as_atom
from morningdeck.web.greader.params import Params, Said
from morningdeck.web.greader.streams import Shelves
from morningdeck.web.images import with_images
from morningdeck.web.login import By, Caller

router = APIRouter(
    prefix=f"{words.BASE_PATH}/reader", include_in_schema=False, route_class=ReaderRoute
)

READING_LIST = words.STATE + "reading-list"
MOST_REFS, MOST_ENTRIES, USUAL = 10_000, 1_000, "20"
ATOM_TYPE = "application/atom+xml; charset=utf-8"
LONGEST_CONTINUATION = 500


@router.get("/api/0/stream/contents")
@router.get("/api/0/stream/contents/{stream:path}")
def show_stream(request: Request, by: By, said: Said, stream: str = "") -> Response:
    """EasyRSS asks for `contents/reading-list`, by the bare word."""
    bare = stream == READING_LIST.rpartition("/")[2]
    named = READING_LIST if bare else stream or said.one("s", READING_LIST)
    return told(request, said, _contents(by, said, named))


@router.get("/atom/{stream:path}")
def show_feed(by: By, said: Said, stream: str) -> Response:
    feed = stream_as_atom(_contents(by, said, stream))
    return Response(feed, headers={"Cache-Control": "private, no-cache"}, media_type=ATOM_TYPE)


def _contents(by: Caller, said: Params, stream: str) -> dict[str, Any]:
    shelves = Shelves(by)
    arrivals, more = _page(by, said, shelves, stream, MOST_ENTRIES)
    entries = _entries(by, tuple(shelves.labels.values()), [one.id for one in arrivals])
    return {**_head(stream, arrivals, shelves), "items": entries, **more}


def _head(stream: str, arrivals: Sequence[ArrivalView], shelves: Shelves) -> dict[str, Any]:
    named = (
        shelves.source(stream.removeprefix(words.FEED)) if stream.startswith(words.FEED) else None
    )
    newest = max((one.first_seen_at for one in arrivals), default=EPOCH)
    return {
        "direction": "ltr",
        "id": stream,
        "title": named.name if named else stream.rpartition("/")[2],
        "updated": words.epoch_seconds(newest),
    }


def _page(
    by: Caller, said: Params, shelves: Shelves, stream: str, most: int
) -> tuple[tuple[ArrivalView, ...], dict[str, str]]:
    """And where it goes on, if it does."""
    limit = words.how_many_items(said.one("n") or USUAL, most)
    place = said.one("c")[:LONGEST_CONTINUATION] or None
    found = by.store.streams.arrivals(
        by.user.id,
        shelves.query(stream, said),
        limit + 1,
        oldest_first=said.one("r") == "o",
        beyond=read_cursor(place, a_moment, a_number),
    )
    arrivals, rest = found[:limit], found[limit:]
    last = arrivals[-1] if rest else None
    return arrivals, {"continuation": cursor_of((last.first_seen_at, last.id))} if last else {}


def _entries(by: Caller, labels: Sequence[Label], ids: Sequence[int]) -> list[dict[str, Any]]:
    bodies = by.store.streams.bodies(by.user.id, ids)
    views = by.store.items.some(by.user.id, ids)
    address, outlets = by.app.settings.web.address, by.app.adapters.outlets
    shown = {
        one: replace(of, html=with_images(outlets, address, of.html)) for one, of in bodies.items()
    }
    return [entry_of_stream(view, shown.get(view.id, NO_BODY), labels, address) for view in views]


@router.get("/api/0/stream/items/ids")
def list_ids(request: Request, by: By, said: Said) -> Response:
    stream = said.needed("s")
    arrivals, more = _page(by, said, Shelves(by), stream, MOST_REFS)
    refs = [
        {
            "id": str(one.id),
            "directStreamIds": [f"{words.FEED}{one.source_id}"],
            "timestampUsec": words.microseconds(one.first_seen_at),
        }
        for one in arrivals
    ]
    return told(request, said, {"items": [], "itemRefs": refs, **more})


@router.get("/api/0/stream/items/contents")
@router.post("/api/0/stream/items/contents")
def show_items(request: Request, by: By, said: Said) -> Response:
    """Those that are there; what is gone is left out, or clients would ask for it for ever."""
    ids = [words.item_id(one) for one in said.all("i")]
    labels = tuple(Shelves(by).labels.values())
    entries = _entries(by, labels, ids[:MOST_REFS])
    newest = max((one["updated"] for one in entries), default=0)
    head = {"direction": "ltr", "id": READING_LIST, "title": "", "updated": newest}
    return told(request, said, {**head, "items": entries})


# ---- how many are unread


@router.get("/api/0/unread-count")
def count_unread(request: Request, by: By, said: Said) -> Response:
    shelves = Shelves(by)
    counts = by.store.streams.unread_by_source(by.user.id)
    everything = _together(list(counts.values()))
    lines = [_line(f"{words.FEED}{source}", count) for source, count in counts.items()]
    for label in shelves.labels.values():
        lines.append(_line(words.LABEL + label.name, _unread_of(by, label, counts)))
    lines.append(_line(READING_LIST, everything))
    return told(request, said, {"max": everything.count, "unreadcounts": lines})


def _unread_of(by: Caller, label: Label, counts: dict[int, UnreadView]) -> UnreadView:
    """What is in a folder and in a briefing of the same name is counted twice."""
    of_briefings = (
        by.store.streams.unread_of_briefing(by.user.id, one.id, one.min_score)
        for one in label.briefings
    )
    return _together([*(counts[one] for one in label.source_ids if one in counts), *of_briefings])


def _together(counts: Sequence[UnreadView]) -> UnreadView:
    newest = [one.newest_at for one in counts if one.newest_at is not None]
    return UnreadView(sum(one.count for one in counts), max(newest, default=None))


def _line(stream: str, unread: UnreadView) -> dict[str, Any]:
    newest = words.microseconds(unread.newest_at or EPOCH)
    return {"id": stream, "count": unread.count, "newestItemTimestampUsec": newest}
