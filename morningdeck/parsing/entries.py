"""Raw entries to entries: the rules that hold whatever format a feed is in.

- One bad entry never costs the others: it is repaired, or skipped with a warning if it
  has neither guid, link, title, text, picture nor video.
- The guid is the feed's own, else the link, else a hash of title and text. When entries
  that differ in link or title share one, each gets a hash of both appended, so that it
  stays the same wherever the entry stands next time; true repetitions are dropped.
- Links and images lead to the web or nowhere.
"""

from __future__ import annotations

import hashlib
import html
import re
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from urllib.parse import unquote, urlsplit

from morningdeck.model.reading import Entry, ParsedFeed
from morningdeck.parsing import sanitise
from morningdeck.parsing.dates import parse_date
from morningdeck.parsing.urls import canonical_url, web_url

MAX_ENTRIES = 2000
MAX_TEXTS = 6_000_000
"""Characters of all entries together."""
MAX_TEASER = 500
MAX_TITLE = 500
MAX_AUTHOR = 200
MAX_GUID = 500
TITLE_FROM_TEXT = 80

_ILLEGAL = re.compile("[\0-\x08\x0b\x0c\x0e-\x1f\x7f\ud800-\udfff\ufffe\uffff]")
_ENTITY = re.compile(r"&(?:#\d+|#x[0-9a-f]+|[a-z][a-z0-9]*);", re.I)
_MARKUP = re.compile(
    r"</?(?:a|abbr|b|big|br|cite|code|del|div|em|font|h[1-6]|i|img|ins|kbd|mark|p|q|s|small"
    r"|span|strike|strong|sub|sup|tt|u|wbr)(?:\s[^<>]*)?/?>",
    re.I,
)
_IMAGE = re.compile(r"<img\b[^>]*>")
_PLAYER = re.compile(
    r"<(?:iframe|video|audio|source|embed|object)\s(?:[^<>]{0,500}\s)?"
    r"(?:src|data)\s*=\s*[\"']?([^\s\"'<>]+)",
    re.I,
)
MAX_FOR_PLAYER = 10_000
_SOURCE = re.compile(r'\ssrc="([^"]+)"')
_PIXEL = re.compile(r'\s(?:width|height)="[01](?:px)?"')
_LANGUAGE_CODE = re.compile(r"([a-z]{2})(?:[-_][a-z\d_-]{1,20})?", re.I | re.A)
_MAIL_AND_NAME = re.compile(r"\S+@\S+\s+\(([^()]+)\)")


@dataclass(slots=True)
class RawEntry:
    """An entry in its own words: links may be relative to `base`, bodies are unsafe HTML."""

    base: str = ""
    is_atom: bool = False
    id: str = ""
    link: str = ""
    permalink: str = ""
    """A guid that says it is a link."""
    spare_link: str = ""
    enclosure: str = ""
    title: str = ""
    title_is_plain: bool = False
    spare_title: str = ""
    bodies: list[str] = field(default_factory=list)
    authors: list[str] = field(default_factory=list)
    images: list[str] = field(default_factory=list)
    published: str = ""
    updated: str = ""
    created: str = ""
    published_at: datetime | None = None
    """Where the reader has worked the date out itself."""
    language: str = ""
    """Where it says another than its feed, or its feed says none."""


@dataclass(slots=True)
class RawFeed:
    title: str = ""
    ttl: timedelta | None = None
    language: str = ""
    entries: Iterable[RawEntry] = ()
    """To be gone through once: of a large feed they are made one by one."""
    whole: bool = True
    left_out: int = 0
    """How many came after the first MAX_ENTRIES; known when all entries have been made."""


def finish(feed: RawFeed, warnings: Iterable[str] = ()) -> ParsedFeed:
    told = list(warnings)
    entries: list[Entry] = []
    room, cut = MAX_TEXTS, 0
    for number, raw in enumerate(feed.entries, 1):
        entry = _entry(raw, feed.language)
        if entry is None:
            told.append(f"entry {number} has neither guid, link, title nor text: skipped")
            continue
        if len(entry.html) + len(entry.text) > room:
            entry, cut = _teaser(entry), cut + 1
        room -= len(entry.html) + len(entry.text)
        entries.append(entry)
    if cut:
        told.append(f"the texts of {cut} entries were cut: there is too much in one feed")
    if feed.left_out:
        told.append(f"{feed.left_out} entries after the first {MAX_ENTRIES} left out")
    return ParsedFeed(
        title=plain_title(feed.title),
        entries=_told_apart(entries),
        ttl=feed.ttl,
        whole=feed.whole,
        warnings=tuple(told),
    )


def _teaser(entry: Entry) -> Entry:
    """Its hash stays that of the whole text: it is no change when next time all of it fits."""
    text = shortened(entry.text, MAX_TEASER)
    return replace(entry, text=text, html=html.escape(text, quote=False))


def plain_title(title: str, *, literal: bool = False) -> str:
    """One line without markup; entities escaped once too often are resolved."""
    for _ in range(2):
        if "<" in title and (not literal or "</" in title):
            title = _MARKUP.sub("", title)
        if "&" not in title or not _ENTITY.search(title):
            break
        title = html.unescape(title)
    return shortened(title, MAX_TITLE)


def _entry(raw: RawEntry, language: str) -> Entry | None:
    url = _first_url((raw.link, raw.permalink, raw.spare_link, raw.enclosure), raw.base)
    clean = sanitise.sanitise(_clean(max(raw.bodies, key=len, default="")), raw.base)
    text = sanitise.to_text(clean)
    title = plain_title(raw.title, literal=raw.title_is_plain) or plain_title(raw.spare_title)
    guid = _clean(raw.id).strip() or url or raw.link
    image_url = _first_url(raw.images, raw.base) or _first_image(clean)
    if not (guid or title or text):  # a picture or a video alone is news too
        url = image_url or _first_player(raw)
        guid = url or ""
    if not (guid or title or text):
        return None
    digest = _hash(title, text)
    named = title or shortened(text, TITLE_FROM_TEXT) or _file_name(url, raw) or url or guid
    guid = guid or digest
    return Entry(
        guid=guid if len(guid) <= MAX_GUID else f"sha256:{_hash(guid)}",
        url=url,
        title=named or "",
        author=_author(raw.authors),
        image_url=image_url,
        published_at=_date(raw),
        html=clean,
        text=text,
        canonical_url=canonical_url(url) if url else None,
        content_hash=digest,
        language=_language(raw.language) or _language(language),
    )


def _clean(text: str) -> str:
    return _ILLEGAL.sub("", text)


def shortened(text: str, limit: int) -> str:
    """On one line, cut at a word."""
    text = " ".join(_clean(text[: 4 * limit]).split())
    if len(text) <= limit:
        return text
    return (text[:limit].rpartition(" ")[0] or text[:limit]) + "…"


def _file_name(url: str | None, raw: RawEntry) -> str:
    """What a bare recording or picture can be called by."""
    if url is None or raw.link or raw.permalink or raw.spare_link:
        return ""
    return shortened(unquote(urlsplit(url).path.rpartition("/")[2]), MAX_TITLE)


def _first_url(links: Sequence[str], base: str) -> str | None:
    return next((url for link in links if (url := web_url(link, base))), None)


def _first_image(clean: str) -> str | None:
    for image in _IMAGE.finditer(clean):
        source = _SOURCE.search(image[0])
        if source and not _PIXEL.search(image[0]):
            return web_url(html.unescape(source[1]))
    return None


def _first_player(raw: RawEntry) -> str | None:
    """Where what is played comes from; sanitising has left nothing of it."""
    players = (_PLAYER.search(body[:MAX_FOR_PLAYER]) for body in raw.bodies)
    return _first_url([html.unescape(player[1]) for player in players if player], raw.base)


def _author(names: Sequence[str]) -> str | None:
    known: dict[str, None] = {}
    for name in names[:10]:
        name = shortened(html.unescape(name[:1000]), MAX_AUTHOR)
        known[match[1] if (match := _MAIL_AND_NAME.fullmatch(name)) else name] = None
    return shortened(", ".join(filter(None, known)), MAX_AUTHOR) or None


def _date(raw: RawEntry) -> datetime | None:
    if raw.published_at is not None:
        return raw.published_at
    dates = (raw.published, raw.updated, raw.created)
    return next((moment for text in dates if text and (moment := parse_date(text))), None)


def _language(code: str) -> str | None:
    """`de` for `de-AT`; nothing for what is no such code."""
    match = _LANGUAGE_CODE.fullmatch(code.strip())
    return match[1].lower() if match else None


def _hash(*parts: str) -> str:
    return hashlib.sha256("\n".join(" ".join(part.split()) for part in parts).encode()).hexdigest()


def _told_apart(entries: Sequence[Entry]) -> tuple[Entry, ...]:
    """Every guid once; order kept."""
    same: defaultdict[str, set[tuple[str | None, str]]] = defaultdict(set)
    for entry in entries:
        same[entry.guid].add((entry.url, entry.title))
    unique: dict[str, Entry] = {}
    for entry in entries:
        guid = entry.guid
        if len(same[guid]) > 1:
            guid = f"{guid}#{_hash(entry.url or '', entry.title)[:16]}"
        unique.setdefault(guid, replace(entry, guid=guid) if guid != entry.guid else entry)
    return tuple(unique.values())
