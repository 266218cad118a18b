"""Small feeds, written where the test that needs them can be read with them."""

from __future__ import annotations

from morningdeck.model.reading import Entry, ParsedFeed
from morningdeck.parsing.feeds import parse_feed
from morningdeck.parsing.message import parse_mail

URL = "https://news.example/feed.xml"
SPACES = (
    'xmlns:dc="http://purl.org/dc/elements/1.1/" '
    'xmlns:content="http://purl.org/rss/1.0/modules/content/" '
    'xmlns:media="http://search.yahoo.com/mrss/" '
    'xmlns:itunes="http://www.itunes.com/dtds/podcast-1.0.dtd" '
    'xmlns:sy="http://purl.org/rss/1.0/modules/syndication/"'
)


def rss(inside: str) -> bytes:
    return (
        f'<?xml version="1.0"?><rss version="2.0" {SPACES}><channel>{inside}</channel></rss>'
    ).encode()


def atom(inside: str) -> bytes:
    return f'<feed xmlns="http://www.w3.org/2005/Atom">{inside}</feed>'.encode()


def parsed(body: bytes, content_type: str | None = None) -> ParsedFeed:
    return parse_feed(body, url=URL, content_type=content_type)


def only_item(inside: str) -> Entry:
    """The entry that an RSS item becomes."""
    (entry,) = parsed(rss(f"<item>{inside}</item>")).entries
    return entry


def only_entry(inside: str) -> Entry:
    """The entry that an Atom entry becomes."""
    (entry,) = parsed(atom(f"<entry>{inside}</entry>")).entries
    return entry


def only_letter(body: bytes) -> Entry:
    """The one item that a letter is."""
    (entry,) = parse_mail(body).entries
    return entry


def raw_letter(headers: str, body: str = "Some text.", encoding: str = "utf-8") -> bytes:
    return f"{headers}\n\n{body}".replace("\n", "\r\n").encode(encoding)
