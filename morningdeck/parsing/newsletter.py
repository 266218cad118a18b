"""A mail as lines, and a newsletter's lines as the several pieces of news in it.

A newsletter is laid out with tables and styles, of which sanitising leaves little to go
by. What stays is the order of its lines: a headline, text, a link, and the same again.

    headline   a heading, or a line that is one link, or a line in bold, of some words
    story      a headline, then text, with a link as headline or as a line of its own
    several    three stories or more with addresses of their own; fewer are one letter
"""

from __future__ import annotations

import html
import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

FEWEST, MOST = 3, 60
SHORTEST_STORY = 40
SHORTEST_LEAD = 400
MAX_IN_PLAIN_TITLE = 100

BROWSER = re.compile(
    r"(view|read|open|see).{0,30}\b(browser|online|web)\b|online\s?version|web\s?version"
    r"|browser (ansehen|anzeigen|öffnen|lesen)|online (ansehen|lesen)|navigateur|en ligne"
    r"|ver (en|no) (el |la |o )?(navegador|web)|nel browser|versione? web|in de browser"
    r"|webbläsare|przeglądarce|браузере|ブラウザ|浏览器",
    re.I,
)
FOOT = re.compile(
    r"unsubscrib|opt.?out|manage (your |my )?(e-?mail )?(preferences|subscription)|privacy (policy|"
    r"notice)|update your (profile|preferences)|(you('re| are) receiving|you (have )?received) this"
    r"|all rights reserved|©|abmelden|abbestellen|austragen|impressum|datenschutz|désabonn"
    r"|désinscri|dar(se|te)? de baja|cancelar (la |a |su |sua )?(su[bs]|inscri)"
    r"|disiscriv|annulla l.iscrizione|afmelden|uitschrijven|avregistrera|avprenumerera"
    r"|afmeld|wypisz|odhlásit|leiratkoz|отписаться|配信停止|退订|取消订阅",
    re.I,
)
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
_ADDRESS = re.compile(r"https?://[^\s<>\"]*[^\s<>\"'.,;:!?)\]]")
_TITLE = re.compile(r"\W*\w+\W+\w+\W+\w.*|.*[^\x00-\u024f]{8}.*")


@dataclass(frozen=True, slots=True)
class Run:
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
class Line:
    runs: list[Run] = field(default_factory=list)
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


@dataclass(frozen=True, slots=True)
class Story:
    """One piece of news of a mail; the lead, if any, has neither title nor address."""

    title: str
    url: str | None
    lines: Sequence[Line]

    @property
    def html(self) -> str:
        return "".join(f"<p>{line.html}</p>" for line in self.lines if line.runs)


def lines_of_html(clean: str) -> list[Line]:
    """The lines of sanitised HTML, as a reader sees them; a link may go over several."""
    lines, line = [], Line()
    link: str | None = None
    bold = 0
    for token in _TOKEN.finditer(clean):
        end, tag, attributes, text = token.groups()
        if text is not None:
            line.runs.append(Run(html.unescape(text).replace("\n", " "), link, bold > 0))
        elif tag == "a":
            link = None if end else _address(attributes)
        elif tag in _BOLD:
            bold += -1 if end else 1
        elif tag == "img":
            line.runs.append(Run("", link, image=_address(attributes)))
        elif tag not in _INLINE:
            lines.append(line)
            line = Line(heading=tag in _HEADING and not end)
    return _joined([*lines, line])


def lines_of_text(text: str) -> list[Line]:
    """Of plain text: paragraphs, and addresses that stand alone."""
    lines = []
    for paragraph in re.split(r"\n[ \t\r]*\n", text):
        taken: list[str] = []
        for written in [*map(str.strip, paragraph.splitlines()), ""]:
            alone = _ADDRESS.fullmatch(written.strip("<>[]() "))
            if taken and (alone or not written):
                lines.append(_of_words(taken))
                taken = []
            if alone:
                lines.append(Line([Run(alone[0], alone[0])]))
            elif written:
                taken.append(written)
    return lines


def as_html(text: str) -> str:
    """Plain text as HTML: paragraphs, line breaks, links."""
    paragraphs = (part.strip() for part in re.split(r"\n[ \t\r]*\n", text))
    return "\n".join(
        "<p>" + "<br>".join(_linked(line) for line in part.splitlines()) + "</p>"
        for part in paragraphs
        if part
    )


def links(lines: Iterable[Line]) -> list[tuple[str, str]]:
    """(text, address) of each link, in their order."""
    return [(run.text, run.link) for line in lines for run in line.runs if run.link]


def stories(lines: Sequence[Line]) -> tuple[Story, ...]:
    """The news in it, with a longer lead before; none when it is one letter."""
    for is_headline in (_by_heading, _by_link, _by_weight):
        starts = _starts(lines, is_headline)
        found = [_story(lines, *span) for span in pairwise([*starts, len(lines)])]
        told = {story.url: story for story in reversed(found) if story.url}
        if len(told) >= FEWEST:
            several = [story for story in found if story.url and told[story.url] is story]
            return (*_lead(lines[: starts[0]]), *several[:MOST])
    return ()


def _by_heading(line: Line) -> bool:
    return line.heading and _is_title(line)


def _by_link(line: Line) -> bool:
    return (line.heading or line.link is not None) and _is_title(line)


def _by_weight(line: Line) -> bool:
    return (line.heading or line.link is not None or line.bold) and _is_title(line)


def _is_title(line: Line) -> bool:
    text = line.text
    return (
        8 <= len(text) <= 200
        and _TITLE.fullmatch(text) is not None
        and not text.startswith(("http://", "https://"))
        and not FOOT.search(text)
        and not BROWSER.search(text)
    )


def _starts(lines: Sequence[Line], is_headline: Callable[[Line], bool]) -> list[int]:
    """Where a story begins: at a headline that text follows before the next one."""
    starts: list[int] = []
    following = 0
    for number in range(len(lines) - 1, -1, -1):
        line = lines[number]
        if is_headline(line):
            if following >= SHORTEST_STORY:
                starts.append(number)
            following = 0
        elif FOOT.search(line.text):
            following = 0
        elif line.link is None:
            following += len(line.text)
    return starts[::-1]


def _story(lines: Sequence[Line], start: int, end: int) -> Story:
    """With the pictures that stand above its headline, without those of the next one."""
    first, last = _above(lines, start), _above(lines, end)
    headline, body = lines[start], _before_foot(lines[start + 1 : last])
    own_lines = (line.link for line in body if line.link and line.text)
    url = headline.link or next(own_lines, None)
    return Story(headline.text, url, [*lines[first:start], *_told(body)])


def _above(lines: Sequence[Line], number: int) -> int:
    while number and not lines[number - 1].text:
        number -= 1
    return number


def _lead(before: Sequence[Line]) -> tuple[Story, ...]:
    body = [line for line in before if not BROWSER.search(line.text)]
    text = sum(len(line.text) for line in body if line.link is None)
    return (Story("", None, body),) if text >= SHORTEST_LEAD else ()


def _before_foot(body: Sequence[Line]) -> Sequence[Line]:
    ends = (number for number, line in enumerate(body) if FOOT.search(line.text))
    return body[: next(ends, None)]


def _told(body: Sequence[Line]) -> list[Line]:
    """Without the lines that only lead on, such as `Read more`."""
    return [line for line in body if line.link is None or not line.text]


def _address(attributes: str) -> str | None:
    found = _HREF.search(attributes)
    return html.unescape(found[1]) if found else None


def _joined(lines: Iterable[Line]) -> list[Line]:
    """Without empty ones; a link that was broken into lines is one again."""
    joined: list[Line] = []
    for line in lines:
        if not line.text and not any(run.image for run in line.runs):
            continue
        before = joined[-1] if joined else None
        if before and line.link and line.text and before.text and before.link == line.link:
            before.runs += [Run(" ", line.link), *line.runs]
        else:
            joined.append(line)
    return joined


def _of_words(written: list[str]) -> Line:
    """A short line that stands alone is as good as one in bold."""
    text = " ".join(written)
    title = len(written) == 1 and len(text) <= MAX_IN_PLAIN_TITLE and text[-1] not in ".,;:"
    runs = [Run(part, part if number % 2 else None, title) for number, part in _parts(text)]
    return Line(runs)


def _linked(line: str) -> str:
    return "".join(Run(part, part if number % 2 else None).html for number, part in _parts(line))


def _parts(text: str) -> list[tuple[int, str]]:
    """Text and addresses in turn."""
    parts = re.split(f"({_ADDRESS.pattern})", text)
    return [(number, part) for number, part in enumerate(parts) if part]
