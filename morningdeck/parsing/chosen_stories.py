"""A letter taken apart by the numbers of its lines, which somebody else has chosen.

    outline_of        the lines as they are offered: what each says, whether it leads somewhere
    chosen_stories    for each chosen headline a story: its lines, its link

As with `split_stories` no word is lost: what nobody has chosen is the rest of the letter.
"""

from __future__ import annotations

from collections.abc import Sequence

from morningdeck.model.reading import MailLine
from morningdeck.parsing.mail_lines import TextLine
from morningdeck.parsing.newsletter import (
    Cut,
    Story,
    above,
    cut_story,
    is_title,
    named_alike,
    opened_lines,
    told_lines,
    with_rest,
)

FEWEST_CHOSEN = 2
"""With one story, a letter is one."""
FEWEST_LINES, MOST_OFFERED_LINES = 6, 400
FEWEST_LINKS = 2
LONGEST_SHOWN = 160
REPEATED = 3
ADDRESS_SHOWN = "(address)"


def outline_of(lines: Sequence[TextLine]) -> tuple[MailLine, ...]:
    """Nothing where there is little to choose from, or too much."""
    lines = opened_lines(lines)
    links = {address for line in lines if (address := _link(line))}
    if len(links) < FEWEST_LINKS or not FEWEST_LINES <= len(lines) <= MOST_OFFERED_LINES:
        return ()
    return tuple(
        MailLine(_shown(line)[:LONGEST_SHOWN], _link(line) is not None, line.heading)
        for line in lines
    )


def _shown(line: TextLine) -> str:
    """Without addresses, which in a letter are its reader's own, and may be secret."""
    parts = (ADDRESS_SHOWN if run.link == run.text else run.text for run in line.runs)
    return " ".join("".join(parts).split())


def chosen_stories(
    lines: Sequence[TextLine], chosen: Sequence[Sequence[int | None]]
) -> tuple[Story, ...]:
    """Each a headline that looks like one, and the lines up to its last; none for too few."""
    lines = opened_lines(lines)
    spans = [
        (title, last, link)
        for title, last, link in chosen
        if title is not None and last is not None and _fits(lines, title, last)
    ]
    if len(spans) < FEWEST_CHOSEN:
        return ()
    repeated = named_alike(lines, REPEATED)
    cut = Cut()
    told: set[int] = set()
    before = -1
    for title, last, link in sorted(spans, key=lambda span: span[0]):
        begin = above(lines, title, before)
        story = cut_story(lines, begin, title, last + 1, repeated)
        if link is not None and title <= link <= last:
            story.url = _link(lines[link]) or story.url
        cut.stories.append(story)
        told.update(range(begin, last + 1))
        before = last
    titles = {story.title for story in cut.stories}
    left = [line for at, line in enumerate(lines) if at not in told]
    # a table of contents says nothing that is not told already
    cut.rest = told_lines(line for line in left if not (line.link and line.text in titles))
    return with_rest(cut)


def _fits(lines: Sequence[TextLine], title: int, last: int) -> bool:
    return 0 <= title <= last < len(lines) and is_title(lines[title])


def _link(line: TextLine) -> str | None:
    """Where it leads: all of it, or else its first link."""
    return line.link or next((run.link for run in line.runs if run.link), None)
