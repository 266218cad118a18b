"""feedparser, for documents that no XML parser takes.

It is given a stream (anything else would be taken for the name of a file first), and neither
its sanitiser nor its link resolver runs: ours come later, and faster.
"""

from __future__ import annotations

import re
from io import BytesIO
from typing import Any

import feedparser  # type: ignore[import-untyped]
from feedparser import mixin

from morningdeck.parsing.entries import MAX_ENTRIES, RawEntry, RawFeed

# It makes addresses of ids, too: each entry would be new when the feed is whole again.
mixin._FeedParserMixin.can_be_relative_uri.discard("id")

# Its search for an address in an author's line is quadratic: 64 KB would take ten seconds.
_LONG_NAME = re.compile(
    rb"(<(?:\w+:)?(?:author|creator|name|email|managingEditor|webMaster|publisher)\b[^<>]*>"
    rb"(?:<!\[CDATA\[)?[^<\]]{300})[^<\]]+",
    re.I,
)


def read_broken(document: bytes, url: str) -> RawFeed:
    try:
        result = feedparser.parse(
            BytesIO(_LONG_NAME.sub(rb"\1", document)),
            response_headers={
                "content-type": "application/xml; charset=utf-8",
                "content-location": url,
            },
            sanitize_html=False,
            resolve_relative_uris=False,
        )
    except (TypeError, ValueError, LookupError, AttributeError):
        return RawFeed()  # it stumbles over some broken feeds; what libxml2 recovered counts
    found = result.entries
    return RawFeed(
        title=_text(result.feed, "title"),
        language=_text(result.feed, "language"),
        entries=[_raw_entry(entry, url) for entry in found[:MAX_ENTRIES]],
        left_out=max(0, len(found) - MAX_ENTRIES),
    )


def _raw_entry(entry: Any, url: str) -> RawEntry:
    """`Any`: feedparser has no types, and of a broken feed it says None where a text should be."""
    media = [*entry.get("media_content", ()), *entry.get("media_thumbnail", ())]
    enclosures = entry.get("enclosures", ())
    images = [_text(each, "href") for each in enclosures if "image" in _text(each, "type")]
    return RawEntry(
        base=_text(entry.get("title_detail", {}), "base") or url,
        id=_text(entry, "id"),
        link=_text(entry, "link"),
        enclosure=next((_text(each, "href") for each in enclosures), ""),
        title=_text(entry, "title"),
        bodies=[
            *(_text(part, "value") for part in entry.get("content", ())),
            _text(entry, "summary"),
        ],
        authors=[_text(entry, "author")],
        images=images + [_text(each, "url") for each in media if _is_image(each)],
        # Its own `get` warns, and puts one date in the place of another.
        published=dict.get(entry, "published") or "",
        updated=dict.get(entry, "updated") or "",
        created=dict.get(entry, "created") or "",
    )


def _text(holder: Any, name: str) -> str:
    return holder.get(name) or ""


def _is_image(media: Any) -> bool:
    medium, kind = _text(media, "medium") or "image", _text(media, "type") or "image"
    return medium == "image" and "image" in kind
