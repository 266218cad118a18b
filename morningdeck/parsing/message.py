"""One received message to the news in it.

    headers -> a bounce or an automatic answer: no news
    body -> pieces -> sanitised -> lines -> several stories, a question to confirm, or a letter

Every item is told apart by the Message-ID, so that a mail which is read twice is news once.
"""

from __future__ import annotations

import hashlib
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from email.message import Message
from urllib.parse import urlsplit

from morningdeck.model.reading import Entry, ParsedMail
from morningdeck.parsing import automatic_mail, letter_links, mail_bodies, mime, newsletter
from morningdeck.parsing.chosen_stories import chosen_stories, outline_of
from morningdeck.parsing.dates import parse_date
from morningdeck.parsing.entries import RawEntry, RawFeed, finish
from morningdeck.parsing.mail_lines import TextLine, as_html, lines_of_html, lines_of_text, links
from morningdeck.parsing.newsletter import FOOT, IN_BROWSER, Story
from morningdeck.parsing.sanitise import sanitise
from morningdeck.parsing.urls import web_url

MAX_PLAIN = 200_000

_IMAGE = re.compile(r"<img\b[^<>]*>", re.I)
_PIXEL = re.compile(
    r"\s(?:width|height)\s*=\s*[\"']?[01](?:px)?[\"'\s/>]"
    r"|(?<![\w-])(?:width|height)\s*:\s*[01]px"
    r"|/(?:wf|track|tracking|e|o)/open|/open\.(?:php|aspx?|gif|png)|/(?:pixel|beacon)[./?]",
    re.I,
)


def parse_mail(body: bytes, chosen: Sequence[Sequence[int | None]] = ()) -> ParsedMail:
    """`chosen`: title, last line and link of each of its stories, if somebody knows."""
    message = mail_bodies.read_message(body)
    name, address = mime.sender(message)
    subject = mime.header(message, "subject")
    told = ParsedMail(address, name or address, sent_at=_sent_at(message))
    if automatic_mail.is_automatic(message, subject, address):
        return told
    clean, lines = _body(mime.pieces(message))
    stories = chosen_stories(lines, chosen) or newsletter.split_stories(lines)
    where = automatic_mail.confirmation(subject, lines)
    if where is not None and not any(story.title and story.has_text for story in stories):
        return replace(told, to_confirm=where or f"by an answer to {subject!r}")
    if not (subject or clean):
        return told
    page = _page(message, lines)
    guid = mime.header(message, "message-id").strip("<> ") or hashlib.sha256(body).hexdigest()
    named = [(f"{guid}#{number}", story) for number, story in enumerate(stories, 1)]
    raw_entries = [
        RawEntry(
            id=own_guid,
            link=_followed(story.url) or page or "",
            title=story.title or subject,
            title_is_plain=True,
            bodies=[story.html if stories else clean],
            authors=[told.sender_name],
            published_at=told.sent_at,
        )
        for own_guid, story in named or [(guid, Story("", None, []))]
    ]
    entries = finish(RawFeed(entries=raw_entries)).entries
    outline = () if chosen else outline_of(lines)
    return replace(told, entries=_own_addresses(entries, page), lines=outline)


def _body(pieces: Sequence[mime.Piece]) -> tuple[str, list[TextLine]]:
    """All that is to be read, as HTML and as lines."""
    htmls, lines = [], []
    for piece in pieces:
        if piece.is_html:
            htmls.append(sanitise(_IMAGE.sub(_unless_pixel, piece.content)))
            lines += lines_of_html(htmls[-1])
        else:
            text = piece.content[:MAX_PLAIN]
            htmls.append(as_html(text))
            lines += lines_of_text(text)
    return "\n".join(htmls), lines


def _unless_pixel(image: re.Match[str]) -> str:
    return "" if _PIXEL.search(image[0]) else image[0]


def _page(message: Message, lines: Sequence[TextLine]) -> str | None:
    """The mail on the web: where it says so, else the first page that it leads to."""
    archived = web_url(mime.header(message, "archived-at").strip("<> "))
    known = links(lines)
    in_browser = (to for text, to in known if IN_BROWSER.search(text))
    first = (to for text, to in known if not FOOT.search(f"{text} {to}"))
    return next(filter(None, map(_followed, (archived, *in_browser, *first))), None)


def _followed(url: str | None) -> str | None:
    """The address that an item may have: nobody who follows it shall end the letter."""
    to = letter_links.straight(url or "")
    return None if not to or letter_links.leaves(to) or letter_links.leaves(url or "") else to


def _own_addresses(entries: Sequence[Entry], page: str | None) -> tuple[Entry, ...]:
    """An address makes two items one, so it must be the item's own.

    It is not when it is the mail's, when several share it, or when it is a whole site's.
    """
    shared = Counter(entry.canonical_url for entry in entries)
    return tuple(
        entry
        if entry.canonical_url
        and entry.url != page
        and shared[entry.canonical_url] == 1
        and len(urlsplit(entry.canonical_url).path) > 1
        else replace(entry, canonical_url=None)
        for entry in entries
    )


def _sent_at(message: Message) -> datetime | None:
    """By its own date, else by when the last server received it."""
    received = mime.header(message, "received").rpartition(";")[2]
    return parse_date(mime.header(message, "date")) or parse_date(received)
