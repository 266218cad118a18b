"""feedparser, for documents that no XML parser takes.

It is given a stream (anything else would be taken for the name of a file first), and neither
its sanitiser nor its link resolver runs: ours come later, and faster.
"""

from __future__ import annotations

import re
from calendar import timegm
from datetime import UTC, datetime
from io import BytesIO
from typing import Any

import feedparser  # type: ignore[import-untyped]

from morningdeck.parsing.draft import MAX_ENTRIES, Draft, FeedDraft

# Its search for an address in an author's line is quadratic: 64 KB would take ten seconds.
_LONG_NAME = re.compile(
    rb"(<(?:\w+:)?(?:author|creator|name|email|managingEditor|webMaster|publisher)\b[^<>]*>"
    rb"(?:<!\[CDATA\[)?[^<\]]{300})[^<\]]+",
    re.I,
)


def read(document: bytes, url: str) -> FeedDraft:
    result = feedparser.parse(
        BytesIO(_LONG_NAME.sub(rb"\1", document)),
        response_headers={
            "content-type": "application/xml; charset=utf-8",
            "content-location": url,
        },
        sanitize_html=False,
        resolve_relative_uris=False,
    )
    found = result.entries
    return FeedDraft(
        title=result.feed.get("title", ""),
        link=result.feed.get("link", ""),
        drafts=[_draft(entry, url) for entry in found[:MAX_ENTRIES]],
        left_out=max(0, len(found) - MAX_ENTRIES),
    )


def _draft(entry: Any, url: str) -> Draft:
    """`Any`: feedparser has no types."""
    media = [*entry.get("media_content", ()), *entry.get("media_thumbnail", ())]
    enclosures = entry.get("enclosures", ())
    images = [each.get("href", "") for each in enclosures if "image" in each.get("type", "")]
    return Draft(
        base=entry.get("title_detail", {}).get("base") or url,
        id=entry.get("id", ""),
        link=entry.get("link", ""),
        enclosure=next((each.get("href", "") for each in enclosures), ""),
        title=entry.get("title", ""),
        bodies=[
            *(part.get("value", "") for part in entry.get("content", ())),
            entry.get("summary", ""),
        ],
        authors=[entry.get("author", "")],
        images=images + [each.get("url", "") for each in media if _is_image(each)],
        tags=[tag.get("term") or "" for tag in entry.get("tags", ())],
        published_at=_moment(entry),
    )


def _is_image(media: Any) -> bool:
    return media.get("medium", "image") == "image" and "image" in media.get("type", "image")


def _moment(entry: Any) -> datetime | None:
    for name in ("published_parsed", "updated_parsed", "created_parsed"):
        # Its own `get` warns, and puts one date in the place of another.
        if parts := dict.get(entry, name):
            try:
                return datetime.fromtimestamp(timegm(parts), UTC)
            except (ValueError, OverflowError, OSError):
                continue
    return None
