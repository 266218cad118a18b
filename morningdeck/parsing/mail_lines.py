"""A mail as the lines that a reader sees: each a few runs of text, with links and pictures.

A letter is laid out with tables and styles, of which sanitising leaves little to go by. What
stays is the order of its lines, and of each whether it is a heading, bold, or one link.
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterable
from dataclasses import dataclass, field

MAX_IN_PLAIN_TITLE = 100

_TOKEN = re.compile(r"<(/?)([a-z][a-z0-9]*)\b([^<>]*)>|([^<>]+)")
_HREF = re.compile(r'\s(?:href|src)="(https?://[^"]*)"')
_INLINE = frozenset(
    {
        *("abbr", "acronym", "bdi", "bdo", "cite", "code", "data", "del", "dfn", "em", "font", "i"),
        *("ins", "kbd", "mark", "q", "s", "samp", "small", "span", "strike", "sub", "sup", "time"),
        *("tt", "u", "var", "wbr"),
    }
)
_BOLD = frozenset({"b", "strong"})
_HEADING = frozenset({"h1", "h2", "h3", "h4", "h5", "h6"})
_BLANK_LINE = r"\n[ \t\r]*\n"
_ADDRESS = re.compile(r"https?://[^\s<>\"]*[^\s<>\"'.,;:!?)\]]")


@dataclass(frozen=True, slots=True)
class TextRun:
    """A stretch of a line; an image has an address and no text."""

    text: str
    link: str | None = None
    bold: bool = False
    image: str | None = None

    @property
    def html(self) -> str:
        inside = html.escape(self.text, quote=False)
        if self.image:
            inside = f'<img src="{html.escape(self.image)}" alt="">'
        return f'<a href="{html.escape(self.link)}">{inside}</a>' if self.link else inside


@dataclass(slots=True)
class TextLine:
    runs: list[TextRun] = field(default_factory=list)
    heading: bool = False

    @property
    def text(self) -> str:
        return " ".join("".join(run.text for run in self.runs).split())

    @property
    def html(self) -> str:
        return "".join(run.html for run in self.runs).strip()

    @property
    def link(self) -> str | None:
        """The address that all of its text leads to."""
        links = {run.link for run in self.runs if run.text.strip()}
        return links.pop() if len(links) == 1 else None

    @property
    def bold(self) -> bool:
        return all(run.bold for run in self.runs if run.text.strip())


def lines_of_html(clean: str) -> list[TextLine]:
    """The lines of sanitised HTML, as a reader sees them; a link may go over several."""
    lines, line = [], TextLine()
    link: str | None = None
    bold = 0
    for token in _TOKEN.finditer(clean):
        end, tag, attributes, text = token.groups()
        if text is not None:
            line.runs.append(TextRun(html.unescape(text).replace("\n", " "), link, bold > 0))
        elif tag == "a":
            link = None if end else _address(attributes)
        elif tag in _BOLD:
            bold += -1 if end else 1
        elif tag == "img":
            line.runs.append(TextRun("", link, image=_address(attributes)))
        elif tag not in _INLINE:
            lines.append(line)
            line = TextLine(heading=tag in _HEADING and not end)
    return _joined([*lines, line])


def lines_of_text(text: str) -> list[TextLine]:
    """Of plain text: paragraphs, and addresses that stand alone."""
    lines = []
    for paragraph in re.split(_BLANK_LINE, text):
        taken: list[str] = []
        for written in [*map(str.strip, paragraph.splitlines()), ""]:
            alone = _ADDRESS.fullmatch(written.strip("<>[]() "))
            if taken and (alone or not written):
                lines.append(_of_words(taken))
                taken = []
            if alone:
                lines.append(TextLine([TextRun(alone[0], alone[0])]))
            elif written:
                taken.append(written)
    return lines


def as_html(text: str) -> str:
    """Plain text as HTML: paragraphs, line breaks, links."""
    paragraphs = filter(None, map(str.strip, re.split(_BLANK_LINE, text)))
    return "\n".join(
        f"<p>{'<br>'.join(map(_linked, part.splitlines()))}</p>" for part in paragraphs
    )


def links(lines: Iterable[TextLine]) -> list[tuple[str, str]]:
    """(text, address) of each link, in their order."""
    return [(run.text, run.link) for line in lines for run in line.runs if run.link]


def _address(attributes: str) -> str | None:
    found = _HREF.search(attributes)
    return html.unescape(found[1]) if found else None


def _joined(lines: Iterable[TextLine]) -> list[TextLine]:
    """Without empty ones; a link that was broken into lines is one again."""
    joined: list[TextLine] = []
    for line in lines:
        if not line.text and not any(run.image for run in line.runs):
            continue
        before = joined[-1] if joined else None
        if before and line.link and line.text and before.text and before.link == line.link:
            before.runs += [TextRun(" ", line.link), *line.runs]
        else:
            joined.append(line)
    return joined


def _of_words(written: list[str]) -> TextLine:
    """A short line that stands alone is as good as one in bold."""
    text = " ".join(written)
    title = len(written) == 1 and len(text) <= MAX_IN_PLAIN_TITLE and text[-1] not in ".,;:"
    return TextLine(_runs(text, bold=title))


def _runs(text: str, *, bold: bool = False) -> list[TextRun]:
    """Text and addresses in turn."""
    parts = enumerate(re.split(f"({_ADDRESS.pattern})", text))
    return [TextRun(part, part if at % 2 else None, bold) for at, part in parts if part]


def _linked(line: str) -> str:
    return "".join(run.html for run in _runs(line))
