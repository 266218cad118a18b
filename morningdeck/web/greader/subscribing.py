"""What is read: sources, folders of them, and lists of feeds."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Depends, Request
from starlette.exceptions import HTTPException
from starlette.responses import Response

from morningdeck.actions import labels, opml, sources
from morningdeck.addresses import source_type, source_url
from morningdeck.errors import (
    ConfigError,
    ConflictError,
    DatabaseAwayError,
    PermanentError,
    TransientError,
)
from morningdeck.model.wanting import NewSource
from morningdeck.views.reading import FollowedView
from morningdeck.web.greader import words
from morningdeck.web.greader.answering import XML_TYPE, done, told
from morningdeck.web.greader.login import ReaderRoute, check_edit_token
from morningdeck.web.greader.params import Params, Said
from morningdeck.web.greader.streams import Shelves
from morningdeck.web.login import By, Caller

router = APIRouter(
    prefix=f"{words.BASE_PATH}/reader/api/0", include_in_schema=False, route_class=ReaderRoute
)

MOST_EDITED = 100


@router.get("/tag/list")
def list_labels(request: Request, by: By, said: Said) -> Response:
    """Folders and briefings; a name that is both is told as the folder."""
    tags: list[dict[str, str]] = [{"id": words.STATE + "starred"}]
    for label in Shelves(by).labels.values():
        kind = "folder" if label.source_ids else "tag"
        tags.append({"id": words.LABEL + label.name, "type": kind})
    return told(request, said, {"tags": tags})


@router.get("/subscription/list")
def list_subscriptions(request: Request, by: By, said: Said) -> Response:
    listed = [_subscription(source) for source in Shelves(by).followed]
    return told(request, said, {"subscriptions": listed})


def _subscription(source: FollowedView) -> dict[str, Any]:
    folders = [{"id": words.LABEL + tag, "label": tag} for tag in source.tags]
    return {
        "id": f"{words.FEED}{source.id}",
        "title": source.name,
        "categories": folders,
        "url": source.url,
        "htmlUrl": source.url,
        "iconUrl": "",
    }


@router.post("/subscription/edit")
def edit_subscription(request: Request, by: By, said: Said) -> Response:
    names, titles = said.all("s"), said.all("t")
    if not 0 < len(names) <= MOST_EDITED:
        raise HTTPException(400, f"say which feeds (s), {MOST_EDITED} at most")
    for number, name in enumerate(names):
        title = titles[number].strip() if number < len(titles) else ""
        match said.one("ac"):
            case "subscribe":
                source = _subscribed(by, name.removeprefix(words.FEED), title)
                _file(by, Shelves(by), source, said, None)
            case "unsubscribe":
                source = Shelves(by).source_called(name)
                by.store.subscriptions.remove(by.user.id, source.id)
            case "edit":
                shelves = Shelves(by)
                _file(by, shelves, shelves.source_called(name), said, title or None)
            case _:
                raise HTTPException(400, "ac is subscribe, unsubscribe or edit")
    return done()


def _file(
    by: Caller, shelves: Shelves, source: FollowedView, said: Params, title: str | None
) -> None:
    into = [shelves.label_called(one) for one in said.all("a") if one]
    out_of = [shelves.label_called(one) for one in said.all("r") if one]
    labels.file_source(
        by.store.subscriptions,
        by.user.id,
        source,
        into=into,
        out_of=out_of,
        name=title,
        now=by.now,
    )


def _subscribed(by: Caller, address: str, name: str = "") -> FollowedView:
    """What is read already stays as it is: clients ask again when they have not heard."""
    there = Shelves(by).source(address)
    if there is not None:
        return there
    type_ = source_type(address, None)
    new = NewSource(url=source_url(address, type_), type=type_, name=name)
    found = sources.look(new.url, type_, readers=by.adapters.waiting_readers)
    try:
        added = sources.add(by.store.subscriptions, by.user.id, new, found, now=by.now).url
    except ConflictError:
        added = found.feed_url or new.url
    source = Shelves(by).source(added)
    if source is None:
        raise ConflictError(f"{address[:100]!r} is somebody else's own source")
    return source


@router.post("/subscription/quickadd")
def add_quickly(request: Request, by: By, said: Said) -> Response:
    """What cannot be added is said in words, as clients show them."""
    address = said.needed("quickadd").removeprefix(words.FEED)
    try:
        source = _subscribed(by, address)
    except DatabaseAwayError:
        raise
    except (ConfigError, ConflictError, PermanentError, TransientError) as error:
        nothing = {"numResults": 0, "query": address, "error": str(error)}
        return told(request, said, nothing)
    found = {"numResults": 1, "query": address, "streamName": source.name}
    return told(request, said, {**found, "streamId": f"{words.FEED}{source.id}"})


# ---- folders


@router.post("/rename-tag")
def rename_label(request: Request, by: By, said: Said) -> Response:
    check_edit_token(request, said)
    shelves = Shelves(by)
    name, new = shelves.label_called(said.needed("s")), shelves.label_called(said.needed("dest"))
    check = by.adapters.ways_out.check
    labels.rename(by.store, by.user.id, name, new, check_channels=check, now=by.now)
    return done()


@router.post("/disable-tag")
def remove_label(request: Request, by: By, said: Said) -> Response:
    check_edit_token(request, said)
    shelves = Shelves(by)
    for stream in said.all("s") or [said.needed("s")]:
        labels.remove(by.store, by.user.id, shelves.label_called(stream))
    return done()


# ---- lists of feeds


@router.get("/subscription/export")
def export_list(by: By) -> Response:
    feeds = opml.feeds_of(by.store.subscriptions, by.user.id)
    name = {"Content-Disposition": 'attachment; filename="subscriptions.opml"'}
    return Response(opml.outline(feeds), headers=name, media_type=XML_TYPE)


async def _document(request: Request) -> bytes:
    return await request.body()


@router.post("/subscription/import")
def import_list(by: By, document: Annotated[bytes, Depends(_document)]) -> Response:
    feeds = by.adapters.parser.opml(document)
    opml.import_(by.store.subscriptions, by.user.id, feeds, now=by.now)
    return done()
