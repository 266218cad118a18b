"""What a search has found, as a terminal shows it."""

from __future__ import annotations

import re
from html import unescape

from rich.console import Console
from rich.text import Text

from morningdeck import moments
from morningdeck.cli.desk import Desk
from morningdeck.cli.output import readable
from morningdeck.model.finding import Hit

SNIPPET_LINES = 2
_MARK = re.compile(r"</?mark>")


def lines(at: Desk, hit: Hit) -> list[Text]:
    """Its title, where and when it stood, the words around the match, and a line between."""
    when = hit.published_at or hit.first_seen_at
    moment = moments.in_words(when, at.now, at.out.zone) if when else ""
    where = " · ".join(part for part in (readable(hit.source), moment, f"item {hit.id}") if part)
    head = [
        Text(readable(hit.title) or f"item {hit.id}", style="bold"),
        Text(where, style="dim"),
    ]
    for line in head:
        line.truncate(at.out.width, overflow="ellipsis")
    shown = snippet(hit.highlight)
    if shown.plain.strip() in hit.title:  # that is there already
        shown = Text(readable(hit.summary))
    wrapped = shown.wrap(Console(), at.out.width)[:SNIPPET_LINES] if shown else ()
    for line in wrapped:
        line.rstrip()
    return [*head, *wrapped, Text()]


def snippet(highlight: str) -> Text:
    """The matches are bold; the rest is plain text, whatever it looks like."""
    text = Text()
    for number, part in enumerate(_MARK.split(highlight)):
        text.append(readable(unescape(part), strip=False), style="bold" if number % 2 else None)
    return text


def plain_snippet(hit: Hit) -> str:
    return snippet(hit.highlight).plain
