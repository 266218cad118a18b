"""A newsletter's lines as the several pieces of news in it, and what is left of the letter.

    headline   a heading, or a line that is one link, or a line in bold, of some words; also
               such a beginning of a line that goes on with a new sentence
    story      a headline, then text, with a link as headline or as a line of its own;
               beside stories also a headline alone, when it is a link
    section    a heading with text and no link, where most have one
    several    three stories or more with addresses of their own, or a list of five headlines;
               fewer are one letter
    rest       whatever is in none of them

No word is lost but those of two kinds of lines: before the first headline and below the last
story the short ones that offer the letter in a browser or speak of unsubscribing and rights,
and in a story those that only lead on, such as `Read more`.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from morningdeck.parsing.mail_lines import TextLine, TextRun
from morningdeck.parsing.mail_phrases import any_of
from morningdeck.parsing.urls import canonical_url

FEWEST_STORIES, MOST_STORIES = 3, 60
SHORTEST_LIST = 5
SHORTEST_STORY = 40
SHORTEST_LETTER = 40
LONGEST_BOILERPLATE = 300

IN_BROWSER = re.compile(any_of("in_browser"), re.I)
FOOT = re.compile(any_of("foot"), re.I)
_LEADS_ON = re.compile(rf"\W*{any_of('leads_on')}", re.I)
_TITLE = re.compile(r"\W*\w+\W+\w+\W+\w.*|.*[^\x00-\u024f]{8}.*")
_MARK = re.compile(r"[\W\d]*")
_GOES_ON = re.compile(r"\s*[,;)'\u2019]|\s*$")
_BULLETS = " \t\xa0*\u00b7\u2022\u2023\u25aa\u25ba\u25b6\u25cf\u25e6\u2013\u2014-"
_SEPARATORS = " \t\xa0:.|\u2013\u2014-"


@dataclass(slots=True)
class Story:
    """One piece of news of a mail; what is left of the letter has neither title nor address."""

    title: str
    url: str | None
    lines: list[TextLine]

    @property
    def html(self) -> str:
        return "".join(f"<p>{line.html}</p>" for line in self.lines if line.runs)

    @property
    def has_text(self) -> bool:
        return sum(len(line.text) for line in self.lines) >= SHORTEST_STORY


@dataclass(slots=True)
class Cut:
    """One way to take a letter apart."""

    stories: list[Story] = field(default_factory=list)
    rest: list[TextLine] = field(default_factory=list)
    foot: list[TextLine] = field(default_factory=list)
    by_address: dict[str, Story] = field(default_factory=dict)
    is_sure: bool = False

    def add(self, story: Story, *, is_section: bool) -> None:
        """What has the address of a story before goes on with it; so does text in bold."""
        before = self.by_address.get(story.url or "")
        if story.url and before is None:
            self.by_address[story.url] = story
        if before is None and (story.url or is_section):
            self.stories.append(story)
            return
        lines = before.lines if before else self.stories[-1].lines if self.stories else self.rest
        if before is None or story.title != before.title:
            lines.append(TextLine([TextRun(story.title, story.url)]))
        lines += story.lines


_WAYS: tuple[Callable[[TextLine], bool], ...] = (
    lambda line: line.heading,
    lambda line: line.heading or line.link is not None,
    lambda line: line.heading or line.link is not None or line.bold,
)
"""What a headline may look like, from the surest sign on."""


def split_stories(lines: Sequence[TextLine]) -> tuple[Story, ...]:
    """The news in it, with the rest of the letter before; none when it is one letter."""
    lines = opened_lines(lines)
    titles = [is_title(line) for line in lines]
    feet = [FOOT.search(line.text) is not None for line in lines]
    heading, link, weight = (
        _cut(lines, [told and is_way(line) for told, line in zip(titles, lines, strict=True)], feet)
        for is_way in _WAYS
    )
    # Headings may be those of sections, each with its stories.
    coarse = link.is_sure and len(link.by_address) > 2 * len(heading.by_address)
    for cut in (link, weight) if coarse else (heading, link, weight):
        if cut.is_sure:
            return with_rest(cut)
    return ()


def opened_lines(lines: Iterable[TextLine]) -> list[TextLine]:
    """The lines, headlines that open one apart from it."""
    return [part for line in lines for part in _opened(line)]


def with_rest(cut: Cut) -> tuple[Story, ...]:
    """As an item of its own if it says anything, else below the last story."""
    found, rest = cut.stories[:MOST_STORIES], list(cut.rest)
    for story in cut.stories[MOST_STORIES:]:
        rest += [TextLine([TextRun(story.title, story.url)]), *story.lines]
    if sum(len(line.text) for line in rest if line.link is None) >= SHORTEST_LETTER:
        return (Story("", None, [*rest, *cut.foot]), *found)
    found[-1].lines += [line for line in (*rest, *cut.foot) if line.text]
    return tuple(found)


def _cut(lines: Sequence[TextLine], headlines: Sequence[bool], feet: Sequence[bool]) -> Cut:
    full = _starts(lines, headlines, feet)
    alone = _alone(lines, headlines)
    after = full[-1] if full else min(alone, default=len(lines))
    foot = next((at for at in range(after + 1, len(lines)) if feet[at]), len(lines))
    starts = sorted({*full, *(number for number in alone if number < foot)})
    begins = [above(lines, number, floor) for floor, number in pairwise([-1, *starts])]
    repeated = named_alike(lines, FEWEST_STORIES)
    cut = Cut(
        rest=told_lines(lines[: begins[0] if begins else foot]), foot=told_lines(lines[foot:])
    )
    for number, begin, end in zip(starts, begins, [*begins, foot][1:], strict=True):
        story = cut_story(lines, begin, number, end, repeated)
        cut.add(story, is_section=lines[number].heading)
    found = len(cut.by_address)
    cut.is_sure = (found >= FEWEST_STORIES and _has_stories(cut, [lines[at] for at in full])) or (
        found >= SHORTEST_LIST and _is_list(lines[:foot], [lines[at] for at in starts])
    )
    return cut


def _has_stories(cut: Cut, headlines: Iterable[TextLine]) -> bool:
    """With text and addresses; a letter most of whose sections have none is one letter."""
    titles = {line.text for line in headlines}
    full = [story for story in cut.stories if story.title in titles]
    linked = sum(story.url is not None for story in full)
    return linked >= FEWEST_STORIES and 2 * linked >= len(full)


def _is_list(lines: Iterable[TextLine], headlines: Iterable[TextLine]) -> bool:
    """Of headlines, with little beside."""
    return 2 * sum(len(line.text) for line in headlines) >= sum(len(line.text) for line in lines)


def _opened(line: TextLine) -> list[TextLine]:
    """A line that begins with its headline as two lines."""
    runs = line.runs
    first = next((at for at, run in enumerate(runs) if not _MARK.fullmatch(run.text)), None)
    if line.heading or first is None:
        return [line]
    link, bold = runs[first].link, runs[first].bold
    end = first
    while end < len(runs) and (
        runs[end].link == link and link if link else bold and runs[end].bold
    ):
        end += 1
    marks = [TextRun(run.text.lstrip(_BULLETS), link, bold, run.image) for run in runs[:first]]
    headline, rest = TextLine([*marks, *runs[first:end]]), "".join(run.text for run in runs[end:])
    if not (link or bold) or not is_title(headline) or _GOES_ON.match(rest):
        return [line]
    if rest.lstrip()[0].islower():
        return [line]
    mark = TextRun(
        runs[end].text.lstrip(_SEPARATORS), runs[end].link, runs[end].bold, runs[end].image
    )
    return [headline, TextLine([mark, *runs[end + 1 :]])]


def is_title(line: TextLine) -> bool:
    text = line.text
    return (
        8 <= len(text) <= 200
        and _TITLE.fullmatch(text) is not None
        and not text.startswith(("http://", "https://"))
        and not FOOT.search(text)
        and not IN_BROWSER.search(text)
        and not (line.link and _LEADS_ON.fullmatch(text))
    )


def _starts(
    lines: Sequence[TextLine], headlines: Sequence[bool], feet: Sequence[bool]
) -> list[int]:
    """Where a story begins: at a headline that text follows before the next one."""
    starts: list[int] = []
    following = 0
    for number in range(len(lines) - 1, -1, -1):
        line = lines[number]
        if headlines[number]:
            if following >= SHORTEST_STORY:
                starts.append(number)
            following = 0
        elif feet[number]:
            following = 0
        elif line.link is None:
            following += len(line.text)
    return starts[::-1]


def _alone(lines: Sequence[TextLine], headlines: Sequence[bool]) -> list[int]:
    """Headlines that need no text: they are links, or stand right above their address."""
    repeated = named_alike(lines, 2)
    return [
        number
        for number, line in enumerate(lines)
        if headlines[number]
        and line.text not in repeated
        and (line.link or any(map(_is_address, lines[number + 1 : number + 2])))
    ]


def _is_address(line: TextLine) -> bool:
    return line.link is not None and line.text == line.link


def named_alike(lines: Iterable[TextLine], times: int) -> set[str]:
    """What so many links are called tells nothing of where each leads."""
    counted = Counter(line.text for line in lines if line.link)
    return {text for text, links in counted.items() if links >= times}


def above(lines: Sequence[TextLine], number: int, floor: int) -> int:
    """With the pictures above a headline, and the name of the section that begins with it."""
    while number - 1 > floor and (not lines[number - 1].text or lines[number - 1].heading):
        number -= 1
    return number


def cut_story(
    lines: Sequence[TextLine], begin: int, start: int, end: int, repeated: Collection[str]
) -> Story:
    headline, body = lines[start], lines[start + 1 : end]
    own_lines = (line.link for line in body if line.link and line.text)
    url = headline.link or next(own_lines, None)
    kept = [line for line in body if not _only_leads_on(line, url, repeated)]
    return Story(headline.text, url, [*lines[begin:start], *kept])


def _only_leads_on(line: TextLine, url: str | None, repeated: Collection[str]) -> bool:
    if line.link is None or not line.text or url is None:
        return False
    if line.text in repeated:
        return True
    return not is_title(line) and canonical_url(line.link) == canonical_url(url)


def told_lines(lines: Iterable[TextLine]) -> list[TextLine]:
    """Without what every letter says."""
    return [
        line
        for line in lines
        if len(line.text) > LONGEST_BOILERPLATE
        or not (IN_BROWSER.search(line.text) or FOOT.search(line.text))
    ]
