"""What a reader has read and wants to keep."""

from __future__ import annotations

from collections.abc import Iterable

from fastapi import APIRouter, Request
from starlette.exceptions import HTTPException
from starlette.responses import Response

from morningdeck.actions import items
from morningdeck.web.greader import words
from morningdeck.web.greader.answering import done
from morningdeck.web.greader.login import ReaderRoute, check_edit_token
from morningdeck.web.greader.params import Params, Said
from morningdeck.web.greader.streams import NOT_KEPT, Shelves
from morningdeck.web.login import By

router = APIRouter(
    prefix=f"{words.BASE_PATH}/reader/api/0", include_in_schema=False, route_class=ReaderRoute
)

READ_STATES = {"read": True, "unread": False, "kept-unread": False, "fresh": False}


@router.post("/edit-tag")
def mark_items(request: Request, by: By, said: Said) -> Response:
    """Those that are there, as for their texts; that a state is put wins over one that is taken."""
    check_edit_token(request, said)
    ids = [words.item_id(one) for one in said.all("i")]
    shelves = Shelves(by)
    put = _states(shelves, said.all("a"))
    taken = _states(shelves, said.all("r"))
    if not ids or not (put or taken):
        raise HTTPException(400, "say which items (i), and what they become (a) or are no more (r)")
    read, saved = None, None
    for names, becomes in ((taken, False), (put, True)):
        for name in names:
            read = (READ_STATES[name] is becomes) if name in READ_STATES else read
            saved = becomes if name == "starred" else saved
    items.mark_many(by.store.items, by.user.id, ids, read=read, saved=saved, now=by.now)
    return done()


def _states(shelves: Shelves, streams: Iterable[str]) -> list[str]:
    names = [shelves.state_called(one) for one in streams if one]
    for name in names:
        if name not in READ_STATES and name not in ("starred", "reading-list", *NOT_KEPT):
            raise HTTPException(400, f"{name[:100]!r} is no state that items can be in")
    return names


@router.post("/mark-all-as-read")
def mark_all(request: Request, by: By, said: Said) -> Response:
    """What has come up to that time, so that nothing is read that nobody has seen."""
    check_edit_token(request, said)
    until = Params([("nt", said.one("ts"))])
    query = Shelves(by).query(said.needed("s"), until)
    by.store.streams.mark_read(by.user.id, query, at=by.now)
    return done()
