"""All that somebody owns, as one archive that is made while it is read: nothing is gathered first.

    profile.json, briefings.json, searches.json, tokens.json    one document each
    sources.json, sources.opml                                  the same sources, for us and others
    items.json                                                  what they see, read, saved and rated
    reports.json                                                what was written for them, and sent

Nothing in it opens anything: of tokens and feeds only that there are some.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Iterator
from contextlib import suppress
from datetime import datetime
from io import RawIOBase
from pathlib import Path
from typing import TYPE_CHECKING, Any
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

from morningdeck import files
from morningdeck.actions import opml
from morningdeck.errors import ConflictError, PermanentError
from morningdeck.views import as_json

if TYPE_CHECKING:
    from morningdeck.store.store import Store
    from morningdeck.views.reading import ItemView, UserView
    from morningdeck.views.sent import ReportView

ALL = 1_000_000
ITEMS_AT_ONCE, REPORTS_AT_ONCE = 500, 50
ARCHIVE_NAME = "morning-deck.zip"


def archive(store: Store, user: UserView, *, now: datetime) -> Iterator[bytes]:
    """The bytes of the archive, piece by piece."""
    pipe = _Pipe()
    with ZipFile(pipe, "w", ZIP_DEFLATED) as packed:
        for name, content in _contents(store, user):
            about = ZipInfo(name, now.timetuple()[:6])
            about.compress_type = ZIP_DEFLATED
            with packed.open(about, "w", force_zip64=True) as file:
                for text in content:
                    file.write(text.encode())
                    yield pipe.taken()
    yield pipe.taken()


def write_archive(store: Store, user: UserView, file: Path, *, now: datetime, force: bool) -> int:
    """Returns how many bytes it has; a file that is there is replaced with `force` alone."""
    if file.exists() and not force:
        raise ConflictError(f"{str(file)!r} is there already: name another, or use --force")
    draft, size = files.draft_of(file), 0
    try:
        with os.fdopen(files.create(draft), "wb") as opened:
            for piece in archive(store, user, now=now):
                size += opened.write(piece)
        draft.replace(file)
    except OSError as error:
        raise PermanentError(f"cannot write {str(file)!r}: {error.strerror}") from error
    finally:
        with suppress(OSError):
            draft.unlink(missing_ok=True)
    return size


class _Pipe(RawIOBase):
    """Holds what was written until it is taken; an archive that goes on knows no way back."""

    def __init__(self) -> None:
        self._held = bytearray()

    def writable(self) -> bool:
        return True

    def write(self, piece: Any) -> int:
        self._held += piece
        return len(piece)

    def taken(self) -> bytes:
        piece = bytes(self._held)
        self._held.clear()
        return piece


def _contents(store: Store, user: UserView) -> Iterator[tuple[str, Iterable[str]]]:
    own = store.subscriptions
    yield "profile.json", _document(user)
    yield "sources.opml", (opml.outline(opml.feeds_of(own, user.id)),)
    yield "sources.json", _document(own.list(user.id, ALL))
    yield "briefings.json", _document(store.briefings.list(user.id, ALL))
    yield "searches.json", _document(store.saved_searches.list(user.id, ALL))
    yield "tokens.json", _document(store.api_tokens.list(user.id, ALL))
    yield "items.json", _array(_items(store, user.id))
    yield "reports.json", _array(_reports(store, user.id))


def _document(view: object) -> Iterator[str]:
    yield json.dumps(as_json(view), indent=1, ensure_ascii=False)


def _array(pages: Iterator[Iterable[object]]) -> Iterator[str]:
    """One array, a page of it at a time."""
    before = "[\n"
    for views in pages:
        lines = (json.dumps(as_json(view), ensure_ascii=False) for view in views)
        yield before + ",\n".join(lines)
        before = ",\n"
    yield "[]" if before == "[\n" else "\n]"


def _items(store: Store, user_id: int) -> Iterator[tuple[ItemView, ...]]:
    place: tuple[datetime, int] | None = None
    while page := store.items.list(user_id, limit=ITEMS_AT_ONCE, before=place):
        yield page
        last = page[-1]
        place = (min(last.published_at or last.first_seen_at, last.first_seen_at), last.id)


def _reports(store: Store, user_id: int) -> Iterator[tuple[ReportView, ...]]:
    before: int | None = None
    while page := store.reports.list(user_id, limit=REPORTS_AT_ONCE, before=before):
        yield page
        before = page[-1].id
