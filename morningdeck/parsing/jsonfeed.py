"""JSON Feed 1.0 and 1.1, and JSON that is nearly one."""

from __future__ import annotations

import html
import json

from morningdeck.errors import PermanentError
from morningdeck.parsing.entries import MAX_ENTRIES, RawEntry, RawFeed

Object = dict[str, object]


def read_json(document: bytes, url: str) -> RawFeed:
    try:
        feed = json.loads(document.decode())
    except RecursionError as error:
        raise PermanentError("not a feed: its JSON is nested too deep") from error
    except ValueError as error:
        raise PermanentError(f"not a feed: broken JSON ({error})") from error
    items = feed.get("items")
    if not isinstance(items, list):
        raise PermanentError("not a feed: JSON without a list of items")
    return RawFeed(
        title=_text(feed, "title"),
        language=_text(feed, "language"),
        entries=(
            _raw_entry(item if isinstance(item, dict) else {}, url) for item in items[:MAX_ENTRIES]
        ),
        left_out=max(0, len(items) - MAX_ENTRIES),
    )


def _raw_entry(item: Object, url: str) -> RawEntry:
    attached = _objects(item, "attachments")
    pictures = [each for each in attached if _text(each, "mime_type").startswith("image/")]
    plain = _text(item, "content_text") or _text(item, "summary")
    return RawEntry(
        base=url,
        id=_text(item, "id"),
        link=_text(item, "url") or _text(item, "external_url"),
        enclosure=next((_text(each, "url") for each in attached), ""),
        title=_text(item, "title"),
        title_is_plain=True,
        bodies=[_text(item, "content_html") or html.escape(plain, quote=False)],
        authors=[
            _text(author, "name") for author in _objects(item, "authors") + _objects(item, "author")
        ],
        images=[_text(item, "image"), _text(item, "banner_image")]
        + [_text(each, "url") for each in pictures],
        published=_text(item, "date_published"),
        updated=_text(item, "date_modified"),
        language=_text(item, "language"),
    )


def _text(item: Object, name: str) -> str:
    """Ids are numbers in many feeds, although they must be strings."""
    value = item.get(name)
    return str(value) if isinstance(value, str | int | float) and value is not False else ""


def _objects(item: Object, name: str) -> list[Object]:
    value = item.get(name)
    listed = value if isinstance(value, list) else [value]
    return [each for each in listed if isinstance(each, dict)]
