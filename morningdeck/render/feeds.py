"""Reports as a feed: RSS 2.0, Atom 1.0 and JSON Feed 1.1, with the same entries.

No feed names its own address, which is a secret: feeds are kept, shown and passed on. Links that
may be their reader's alone are left out, as in all that goes to an address of the web.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from email.utils import format_datetime
from uuid import UUID
from xml.etree import ElementTree

from morningdeck.model.sending import Report, ReportItem
from morningdeck.plaintext import shorten
from morningdeck.render.environment import TEMPLATES
from morningdeck.render.foreign import LENGTHS, tidy
from morningdeck.render.links import Links
from morningdeck.render.paper import Paper

PROGRAM_NAME = "Morning Deck"
LONGEST_FEED_NAME = 200
ATOM_SPACE, CONTENT_SPACE = (
    "http://www.w3.org/2005/Atom",
    "http://purl.org/rss/1.0/modules/content/",
)
JSON_FEED_VERSION = "https://jsonfeed.org/version/1.1"

_NOT_IN_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
ElementTree.register_namespace("content", CONTENT_SPACE)


@dataclass(frozen=True, slots=True)
class FeedEntry:
    name: UUID
    title: str
    summary: str
    html: str
    at: datetime


@dataclass(frozen=True, slots=True)
class Feed:
    """`name` and those of its entries stay the same wherever it is read."""

    name: UUID
    title: str
    home: str
    language: str
    updated_at: datetime
    entries: tuple[FeedEntry, ...]


def entry(name: UUID, report: Report) -> FeedEntry:
    """As its mail told it, in plain markup: a reader has looks of its own."""
    shown = replace(report, items=tuple(map(_for_anybody, report.items)))
    paper = Paper(tidy(shown, LENGTHS[0]), Links(), whole=shown, lengths=LENGTHS[0])
    page = TEMPLATES.get_template("report.html").render(paper=paper, report=paper.report)
    return FeedEntry(
        name,
        _clean(paper.report.subject or paper.report.briefing_title),
        _clean(paper.preheader),
        _clean(page).strip(),
        report.generated_at.astimezone(UTC).replace(microsecond=0),
    )


def _for_anybody(item: ReportItem) -> ReportItem:
    told = tuple(replace(one, url=None) if one.private else one for one in item.also_in)
    return replace(item, url=None if item.private else item.url, also_in=told)


def _clean(text: str) -> str:
    """Without what XML cannot hold."""
    return _NOT_IN_XML.sub("", text)


def as_rss(feed: Feed) -> bytes:
    root = ElementTree.Element("rss", version="2.0")
    channel = ElementTree.SubElement(root, "channel")
    _add(channel, "title", feed.title)
    _add(channel, "link", feed.home)
    _add(channel, "description", f"{feed.title} · {PROGRAM_NAME}")
    _add(channel, "language", feed.language)
    _add(channel, "lastBuildDate", format_datetime(feed.updated_at))
    _add(channel, "generator", PROGRAM_NAME)
    for one in feed.entries:
        item = ElementTree.SubElement(channel, "item")
        _add(item, "title", one.title)
        _add(item, "description", one.summary)
        _add(item, f"{{{CONTENT_SPACE}}}encoded", one.html)
        _add(item, "guid", one.name.urn, isPermaLink="false")
        _add(item, "pubDate", format_datetime(one.at))
    return _document(root)


def as_atom(feed: Feed) -> bytes:
    root = ElementTree.Element("feed", {"xmlns": ATOM_SPACE, "xml:lang": feed.language})
    _add(root, "id", feed.name.urn)
    _add(root, "title", feed.title)
    _add(root, "updated", feed.updated_at.isoformat())
    ElementTree.SubElement(root, "link", rel="alternate", href=feed.home)
    _add(ElementTree.SubElement(root, "author"), "name", PROGRAM_NAME)
    _add(root, "generator", PROGRAM_NAME)
    for one in feed.entries:
        made = ElementTree.SubElement(root, "entry")
        _add(made, "id", one.name.urn)
        _add(made, "title", one.title)
        _add(made, "updated", one.at.isoformat())
        _add(made, "published", one.at.isoformat())
        _add(made, "summary", one.summary)
        _add(made, "content", one.html, type="html")
    return _document(root)


def as_json_feed(feed: Feed) -> bytes:
    entries = [
        {
            "id": one.name.urn,
            "title": one.title,
            "summary": one.summary,
            "content_html": one.html,
            "date_published": one.at.isoformat(),
        }
        for one in feed.entries
    ]
    whole = {
        "version": JSON_FEED_VERSION,
        "title": feed.title,
        "home_page_url": feed.home,
        "language": feed.language,
        "authors": [{"name": PROGRAM_NAME}],
        "items": entries,
    }
    return json.dumps(whole, ensure_ascii=False).encode()


def feed_of(
    name: UUID,
    title: str,
    home: str,
    language: str,
    began_at: datetime,
    entries: Sequence[FeedEntry],
) -> Feed:
    """`began_at` is when it was made: nothing is newer where nothing was told yet."""
    newest = max((one.at for one in entries), default=began_at)
    updated = newest.astimezone(UTC).replace(microsecond=0)
    told = _clean(shorten(title, LONGEST_FEED_NAME)) or PROGRAM_NAME
    return Feed(name, told, home, language, updated, tuple(entries))


def _add(parent: ElementTree.Element, tag: str, text: str, **attributes: str) -> None:
    ElementTree.SubElement(parent, tag, attributes).text = text


def _document(root: ElementTree.Element) -> bytes:
    written: bytes = ElementTree.tostring(root, encoding="utf-8", xml_declaration=True)
    return written
