"""Lists of feeds as people have them: OPML, and mostly not well-formed.

Tags are taken one after the other instead of as a tree: of a list that is cut off, glued
together or full of bare ampersands, every feed is still found, in the order of the list.
"""

from __future__ import annotations

import html
import re

from morningdeck.errors import PermanentError
from morningdeck.model.reading import ListedFeed
from morningdeck.parsing import decode

MAX_FEEDS = 20_000
MAX_TITLE = 300
OWN_TYPE, OWN_PROMPT = "md:type", "md:prompt"
"""What only our own lists say, for which other readers have no words; `actions.opml` writes it."""

_COMMENT = re.compile(r"<!--.*?(?:-->|\Z)", re.S)
# Its attributes as XML has them; else up to the last ">" before the next tag; else with
# markup inside, which hardly any list has.
_OUTLINE = re.compile(
    r"<(?P<end>/?)(?:\w+:)?outline\b(?P<attributes>"
    r"(?:[^<>\"']|\"[^<\"]{0,9000}\"|'[^<']{0,9000}')*(?=>)"
    r"|[^<]{0,20000}(?=>\s*(?:<|\Z))"
    r"|(?:[^<>\"']|\"[^\"]{0,9000}\"|'[^']{0,9000}')*(?=>)"
    r")>",
    re.I,
)
# A quotation mark ends a value only where another attribute or the tag's end follows.
_ATTRIBUTE = re.compile(
    r"([\w:.-]+)\s*=\s*(?P<quote>[\"'])(.{0,9000}?)(?P=quote)"
    r"(?=\s*(?:(?:[\w:.-]+\s+){0,3}[\w:.-]+\s*=\s*[\"']|/?\s*\Z))",
    re.S,
)
# Where its quotation marks are lost, an address ends where no address can go on.
_BARE_ADDRESS = re.compile(r"\bxmlUrl\s*=[\s\"']{0,9}(https?:[^\s\"'<>]+)", re.I)
_LIST = re.compile(r"<(?:\w+:)?(?:opml|outline)[\s/>]", re.I)
_OTHER_LISTS = frozenset({"include", "source"})
_FEED_TYPES = frozenset({"rss", "atom", "pie", "feed"})


def parse_opml(body: bytes) -> tuple[ListedFeed, ...]:
    """Each feed in the list's order, repetitions included."""
    text = _COMMENT.sub("", decode.decode_text(body, None))
    feeds: list[ListedFeed] = []
    open_outlines: list[str] = []
    for tag in _OUTLINE.finditer(text):
        if tag["end"]:
            del open_outlines[-1:]
            continue
        attributes = _attributes(tag["attributes"])
        title = " ".join((attributes.get("text") or attributes.get("title") or "").split())
        title = title[:MAX_TITLE]
        address = _address(attributes)
        if address and len(feeds) < MAX_FEEDS:
            folders = tuple(filter(None, open_outlines))
            kind, prompt = attributes.get(OWN_TYPE) or "rss", attributes.get(OWN_PROMPT, "")
            feeds.append(ListedFeed(address, title, folders, kind, prompt))
        if not tag["attributes"].endswith("/"):
            open_outlines.append("" if address else title)
    if not feeds and not _LIST.search(text):
        raise PermanentError("not an OPML list: there is no <outline> in it")
    return tuple(feeds)


def _attributes(text: str) -> dict[str, str]:
    """By their names in lower case: xmlUrl, xmlurl and XMLURL are all about."""
    found = _quoted(text)
    if "xmlurl" in found or (bare := _BARE_ADDRESS.search(text.removesuffix("/"))) is None:
        return found
    others = _quoted(text[: bare.start()].rstrip() + text[bare.end() :])
    return {**others, "xmlurl": html.unescape(bare[1])}


def _quoted(text: str) -> dict[str, str]:
    return {
        name.lower(): html.unescape(value).strip() for name, _, value in _ATTRIBUTE.findall(text)
    }


def _address(attributes: dict[str, str]) -> str:
    kind, address = attributes.get("type", "").lower(), attributes.get("xmlurl", "")
    if kind in _OTHER_LISTS:
        return ""
    named = kind in _FEED_TYPES or OWN_TYPE in attributes
    return address or (attributes.get("url", "") if named else "")
