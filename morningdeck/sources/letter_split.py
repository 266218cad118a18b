"""Which lines of a letter are its pieces of news, as a model says it: by numbers, and nothing else.

What becomes of a number is what stands in the letter; a model adds no address and no word to it.
What it says is taken only if it parts at least half of what the letter itself shows apart.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from itertools import pairwise
from typing import Any

from morningdeck.model.asking import Purpose, Question
from morningdeck.model.reading import ChosenStory, MailLine, ParsedMail
from morningdeck.plaintext import one_line, shorten
from morningdeck.ports.asking import Model
from morningdeck.prompts import PromptText

FEWEST_APART = 2
MOST_CHOSEN = 60
TOKENS_PER_STORY = 25
LINES_PER_STORY = 4
_LARGEST = 10**6
"""In the form that is asked for; what no line has is left out afterwards."""


class LetterSplit:
    def __init__(self, model: Model, prompt: PromptText) -> None:
        self._model = model
        self._prompt = prompt

    def split(self, mail: ParsedMail) -> tuple[ChosenStory, ...]:
        """Its stories in their order; none where it is one, or where the answer is of no use."""
        said = {"sender": shorten(mail.sender_name, 100)}
        instructions, around = self._prompt.around(said, "lines")
        likely = min(MOST_CHOSEN, len(mail.lines) // LINES_PER_STORY)
        question = Question(
            purpose=Purpose.NEWSLETTER,
            instructions=instructions,
            around=around,
            text="\n".join(_written(at, line) for at, line in enumerate(mail.lines, start=1)),
            schema=_SCHEMA,
            tokens_out=100 + TOKENS_PER_STORY * likely,
            heavy=True,
        )
        chosen = _chosen(self._model.ask(question).value["stories"], mail.lines)
        return chosen if _parts(chosen, _headlines(mail)) else ()


_NUMBER = {"type": "integer", "minimum": 0, "maximum": _LARGEST}
_STORY = {"type": "object", "properties": dict.fromkeys(("title", "last", "link"), _NUMBER)}
_STORIES = {"type": "array", "items": _STORY, "maxItems": MOST_CHOSEN}
_SCHEMA: dict[str, Any] = {"type": "object", "properties": {"stories": _STORIES}}


def _written(number: int, line: MailLine) -> str:
    """Without the address, which in a letter is each reader's own."""
    mark = ("#" if line.heading else "") + (">" if line.linked else "")
    return f"{number}{mark}: {one_line(line.text)}"


def _chosen(said: Sequence[dict[str, int]], lines: Sequence[MailLine]) -> tuple[ChosenStory, ...]:
    """Those whose lines there are, each ending before the next begins."""
    known = {one["title"] - 1: one for one in said if 0 < one["title"] <= len(lines)}
    titles = sorted(known)
    found = []
    for title, following in pairwise([*titles, len(lines)]):
        last = min(max(known[title]["last"] - 1, title), following - 1)
        link = known[title]["link"] - 1
        linked = title <= link <= last and lines[link].linked
        found.append(ChosenStory(title, last, link if linked else None))
    return tuple(found)


def _headlines(mail: ParsedMail) -> set[int]:
    """The lines that the letter itself shows as headlines of its stories."""
    titles = {entry.title for entry in mail.entries} if len(mail.entries) > 1 else set()
    return {number for number, line in enumerate(mail.lines) if line.text in titles}


def _parts(chosen: Sequence[ChosenStory], headlines: Collection[int]) -> bool:
    titles = {story.title for story in chosen}
    return len(titles) >= FEWEST_APART and 2 * len(titles & set(headlines)) >= len(headlines)
