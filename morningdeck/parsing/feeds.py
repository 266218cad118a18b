"""Bytes to a feed, whatever they are.

    JSON?  -> jsonfeed
    XML    -> well-formed, or after a light repair:  xmlfeed
              broken otherwise:                      reference (feedparser) or
                                                     xmlfeed on what libxml2 recovers
    a page -> the feeds it names

So feedparser has its say wherever the XML itself is in doubt, and costs nothing elsewhere.
"""

from __future__ import annotations

import html
import re
from html.entities import html5
from itertools import islice

from morningdeck.errors import PermanentError
from morningdeck.model.reading import ParsedFeed
from morningdeck.parsing import decode, discover, entries, jsonfeed, xmlfeed
from morningdeck.parsing.entries import RawEntry, RawFeed
from morningdeck.parsing.xmlitem import local_name

MAX_FOR_REFERENCE, MOST_TAGS_FOR_REFERENCE = 2_000_000, 40_000
"""feedparser takes up to half a second for so much, libxml2 a hundredth of that."""
MOST_REPAIRS = 200_000

_FEED_ROOT = re.compile(rb"<(?:[\w.-]+:){0,2}(?:rss|feed|rdf|channel|item|entry)[\s>]", re.I)
_PAGE = re.compile(rb"<!doctype html|<(?:html|head|body)[\s>]", re.I)
_PIECE_OF_PAGE = re.compile(rb"<(?:title|div|meta)[\s>]", re.I)
_CDATA_OR_AMPERSAND = re.compile(
    rb"<!\[CDATA\[.*?(?:\]\]>|\Z)|<!--.*?(?:-->|\Z)"
    rb"|&(?!(?:amp|lt|gt|quot|apos|#\d+|#x[0-9a-fA-F]+);)(\w+;)?",
    re.S,
)
_OTHER_THINGS = (
    (b"%PDF", "a PDF"),
    (b"\x89PNG", "an image"),
    (b"\xff\xd8\xff", "an image"),
    (b"GIF8", "an image"),
    (b"PK\x03\x04", "a zip archive"),
    (b"ID3", "an audio file"),
)
_OTHER_ROOTS = {
    "opml": "an OPML list, import it with `morningdeck opml import`",
    "urlset": "a sitemap",
    "sitemapindex": "a sitemap",
    "svg": "an image",
}


def parse_feed(body: bytes, *, url: str = "", content_type: str | None = None) -> ParsedFeed:
    """The feed; or, of an HTML page, the feeds it names; else PermanentError."""
    for start, name in _OTHER_THINGS:
        if body.startswith(start):
            raise PermanentError(f"not a feed: looks like {name}")
    document = decode.to_utf8(body, content_type).strip()
    if not document:
        raise PermanentError("not a feed: the answer is empty")
    if document.startswith(b"{"):
        return entries.finish(jsonfeed.read_json(document, url))
    return _of_markup(document, url)


def _of_markup(document: bytes, url: str) -> ParsedFeed:
    root = xmlfeed.parse_xml(document, url, start=decode.root_at(document))
    if root is not None and local_name(root) in xmlfeed.FEED_ROOTS:
        return entries.finish(xmlfeed.read_xml(root, url))
    if root is not None and (name := _OTHER_ROOTS.get(local_name(root))):
        raise PermanentError(f"not a feed: looks like {name}")
    feed = _FEED_ROOT.search(document)
    if _is_page(document, feed):
        if links := discover.feed_links(document, url):
            return ParsedFeed(feed_links=links)
        raise PermanentError("not a feed: a web page that names none")
    if feed is not None:
        return entries.finish(_of_broken(document, url), ("broken, read as far as possible",))
    raise PermanentError(f"not a feed: {'other XML' if root is not None else 'no XML at all'}")


def _of_broken(document: bytes, url: str) -> RawFeed:
    """Repaired, if that makes it well-formed; else as libxml2 or feedparser guess it."""
    found = _FEED_ROOT.search(document, decode.root_at(document))
    start = found.start() if found else 0
    root = xmlfeed.parse_xml(xmlfeed.declare_prefixes(_repaired(document, start)), url)
    if root is not None:
        return xmlfeed.read_xml(root, url)
    guessed = _guessed(document, start, url)
    guessed.whole = False
    return guessed


def _guessed(document: bytes, start: int, url: str) -> RawFeed:
    """By whichever of the two finds more entries; by feedparser, when they find the same."""
    root = xmlfeed.parse_xml(document, url, start=start, recover=True)
    recovered = RawFeed() if root is None else xmlfeed.read_xml(root, url)
    if len(document) > MAX_FOR_REFERENCE or document.count(b"<") > MOST_TAGS_FOR_REFERENCE:
        return recovered
    from morningdeck.parsing import with_feedparser

    recovered.entries = list(recovered.entries)
    read = with_feedparser.read_broken(document[start:], url)
    return max(read, recovered, key=lambda feed: sum(map(_tells, feed.entries)))


def _tells(raw: RawEntry) -> bool:
    return bool(raw.title or raw.link or any(raw.bodies))


def _is_page(document: bytes, feed: re.Match[bytes] | None) -> bool:
    """An HTML page rather than a feed: the first tag that tells decides."""
    page = _PAGE.search(document)
    if feed is None:  # a feed that has lost its root has a title too
        return (page or _PIECE_OF_PAGE.search(document)) is not None
    return page is not None and page.start() < feed.start()


def _repaired(document: bytes, start: int) -> bytes:
    """The two faults that are most of all: entities of HTML, and bare ampersands."""
    end = document.rfind(b">") + 1
    repaired = bytearray()
    # Not `sub`: it keeps a list of all pieces, and there may be millions.
    for match in islice(_CDATA_OR_AMPERSAND.finditer(document, start, end), MOST_REPAIRS):
        repaired += document[start : match.start()]
        repaired += _mended(match)
        start = match.end()
    repaired += document[start:end]
    return bytes(repaired)


def _mended(match: re.Match[bytes]) -> bytes:
    if not match[0].startswith(b"&"):
        return match[0]
    name = (match[1] or b"").decode()
    if name in html5:
        return html.escape(html5[name]).encode()
    return b"&amp;" + name.encode()
