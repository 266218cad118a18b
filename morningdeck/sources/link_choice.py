"""Which links of a page are its news, as a model says it: by their numbers, and nothing else.

What becomes of a link is what stands in the page; a model adds no address and no word to it.
"""

from __future__ import annotations

from collections.abc import Sequence
from urllib.parse import urlsplit

from morningdeck.model.asking import Purpose, Question
from morningdeck.model.reading import Entry
from morningdeck.plaintext import one_line, shorten
from morningdeck.ports.asking import Model
from morningdeck.prompts import PromptText

MOST_OFFERED = 200
NO_WISH = "the page's own news"
TOKENS_PER_LINK = 4


class LinkChoice:
    def __init__(self, model: Model, prompt: PromptText) -> None:
        self._model = model
        self._prompt = prompt

    def choose(self, wish: str, title: str, links: Sequence[Entry]) -> tuple[Entry, ...]:
        """Those that are what the reader wants, in the page's order."""
        offered = {str(n): link for n, link in enumerate(links[:MOST_OFFERED], start=1)}
        said = {"wish": one_line(wish) or NO_WISH, "title": shorten(title, 200)}
        instructions, around = self._prompt.around(said, "links")
        number = {"type": "string", "enum": list(offered)}
        several = {"type": "array", "items": number, "maxItems": MOST_OFFERED}
        question = Question(
            purpose=Purpose.WEB,
            instructions=instructions,
            around=around,
            text="\n".join(f"{n}: {_written(link)}" for n, link in offered.items()),
            focus=wish,
            schema={"type": "object", "properties": {"links": several}},
            tokens_out=100 + TOKENS_PER_LINK * len(offered),
            heavy=True,
        )
        chosen = set(self._model.ask(question).value["links"])
        return tuple(link for n, link in offered.items() if n in chosen)


def _written(link: Entry) -> str:
    """Only what does not change by itself: the same page is the same question."""
    return f"{shorten(link.title, 120)} ({shorten(urlsplit(link.url or '').path, 80)})"
