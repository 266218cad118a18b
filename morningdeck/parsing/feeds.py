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

from morningdeck.errors import PermanentError
from morningdeck.model import ParsedFeed
from morningdeck.parsing import decode, discover, entries, jsonfeed, xmlfeed
from morningdeck.parsing.draft import FeedDraft

MAX_FOR_REFERENCE = 2_000_000
"""feedparser takes up to five seconds for so much, libxml2 a tenth of one."""

_FEED_ROOT = re.compile(r"<(?:\w+:)?(?:rss|feed|rdf|channel|item|entry)[\s>]", re.I)
_PAGE = re.compile(r"<!doctype html|<(?:html|head|body|title|div|meta)[\s>]", re.I)
_CDATA_OR_AMPERSAND = re.compile(
    r"<!\[CDATA\[.*?(?:\]\]>|\Z)|<!--.*?(?:-->|\Z)"
    r"|&(?!(?:amp|lt|gt|quot|apos|#\d+|#x[0-9a-fA-F]+);)(\w+;)?",
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
    text = decode.to_text(body, content_type).strip()
    if not text:
        raise PermanentError("not a feed: the answer is empty")
    if text[0] == "{":
        return entries.finish(jsonfeed.read_json(text, url), url)
    return _of_markup(decode.without_prolog(text), text, url)


def _of_markup(text: str, whole: str, url: str) -> ParsedFeed:
    root = xmlfeed.parse_xml(text, url)
    if root is not None and xmlfeed.root_name(root) in xmlfeed.FEED_ROOTS:
        return entries.finish(xmlfeed.read_xml(root, url), url)
    if root is not None and (name := _OTHER_ROOTS.get(xmlfeed.root_name(root))):
        raise PermanentError(f"not a feed: looks like {name}")
    if _is_page(whole):
        return _of_page(whole, url)
    if _FEED_ROOT.search(whole):
        return entries.finish(_of_broken(text, url), url, ("broken, read as far as possible",))
    raise PermanentError(f"not a feed: starts with {whole[:60]!r}")


def _of_page(page: str, url: str) -> ParsedFeed:
    links = discover.feed_links(page, url)
    if not links:
        raise PermanentError("not a feed: a web page that names none")
    return ParsedFeed(feed_links=links)


def _of_broken(text: str, url: str) -> FeedDraft:
    """What the reader that finds most makes of it; feedparser, when they find the same."""
    start = _FEED_ROOT.search(text)
    text = text[start.start() if start else 0 :]
    root = xmlfeed.parse_xml(_repaired(text), url)
    if root is not None:
        return xmlfeed.read_xml(root, url)
    root = xmlfeed.parse_xml(text, url, recover=True)
    recovered = FeedDraft() if root is None else xmlfeed.read_xml(root, url)
    if len(text) > MAX_FOR_REFERENCE:
        return recovered
    from morningdeck.parsing import reference

    return max(reference.read(text, url), recovered, key=_told)


def _told(feed: FeedDraft) -> int:
    return sum(1 for draft in feed.drafts if draft.title or draft.link or any(draft.bodies))


def _is_page(text: str) -> bool:
    """An HTML page rather than a feed: the first tag that tells decides."""
    page, feed = _PAGE.search(text), _FEED_ROOT.search(text)
    return page is not None and (feed is None or page.start() < feed.start())


def _repaired(text: str) -> str:
    """The two faults that are most of all: entities of HTML, and bare ampersands."""
    return _CDATA_OR_AMPERSAND.sub(_mended, text[: text.rfind(">") + 1])


def _mended(match: re.Match[str]) -> str:
    if match[0][0] != "&":
        return match[0]
    name = match[1]
    if name and name in html5:
        return html.escape(html5[name])
    return "&amp;" + (name or "")
