"""Summaries of the corpora: what a checker of its own holds against them, beside lead sentences.

`python -m tests.quality.summaries 20` prints that many of each set, to be read by a person.
"""

from __future__ import annotations

import random
import re
import sys
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from statistics import mean

from morningdeck.enrichers.document import read_article
from morningdeck.enrichers.summary import summarise
from morningdeck.model.making import Article
from tests.conftest import CORPORA
from tests.quality.articles import Told, of_feeds, of_pages
from tests.quality.figures import Figures
from tests.quality.summary_checker import LONGEST, MOST_SENTENCES, faults, pieces

SETS = {"pages": of_pages, "feeds": of_feeds}
NEVER = ("title", "fragment", "leans", "long", "code", "cookies")
"""Of these faults there may be none."""
FEWEST_WORDS = 8
"""Of a description that is a summary, and no name of the site."""
WITH_SUMMARY = 0.95
"""Of the pages, all of which have an article."""


@dataclass
class Tally:
    summaries: list[str] = field(default_factory=list)
    found: Counter[str] = field(default_factory=Counter)
    examples: list[str] = field(default_factory=list)
    overlaps: list[float] = field(default_factory=list)

    def add(self, told: Told, summary: str) -> None:
        if not summary:
            return
        self.summaries.append(summary)
        wrong = faults(summary, title=told.article.title, text=told.article.text)
        self.found.update({re.split(r"[: ]", fault)[0] for fault in wrong})
        self.examples += [f"{told.name}: {fault}" for fault in wrong]
        if len(_words(told.description)) >= FEWEST_WORDS:
            self.overlaps.append(overlap(summary, told.description))


def run(figures: Figures) -> None:
    for name, read in SETS.items():
        told = tuple(read(CORPORA))
        ours, rival = _tally(told, _ours), _tally(told, _lead)
        for fault in NEVER:
            what, rivals = f"summaries of {name}, {fault}", rival.found[fault]
            figures.at_most(what, ours.found[fault], 0, rival=rivals, name="first sentences")
        for example in ours.examples:
            figures.say(example)
        if not ours.overlaps:
            continue
        with_one, with_rival = (len(each.summaries) / len(told) for each in (ours, rival))
        figures.at_least(f"{name} with a summary", with_one, WITH_SUMMARY, rival=with_rival)
        figures.at_least(
            f"words shared with the publishers' own, {name}",
            mean(ours.overlaps),
            mean(rival.overlaps) - 0.01,
            rival=mean(rival.overlaps),
            name="first sentences",
        )


def _tally(told: Iterable[Told], summariser: Callable[[Article], str]) -> Tally:
    tally = Tally()
    for one in told:
        tally.add(one, summariser(one.article))
    return tally


def _ours(article: Article) -> str:
    return summarise(read_article(article))


def _lead(article: Article) -> str:
    """The simplest rival: the first sentences as they stand, as many as have room."""
    chosen: list[str] = []
    for piece in (piece for line in article.text.splitlines() for piece in pieces(line)):
        if len(" ".join([*chosen, piece])) > LONGEST or len(chosen) == MOST_SENTENCES:
            break
        chosen.append(piece)
    return " ".join(chosen)


def overlap(summary: str, description: str) -> float:
    """How many of their words two texts share (F1)."""
    said, wanted = Counter(_words(summary)), Counter(_words(description))
    return 2 * (said & wanted).total() / (said.total() + wanted.total())


def _words(text: str) -> list[str]:
    return re.findall(r"\w+", text.lower())


def show(count: int) -> None:
    for read in SETS.values():
        told = [one for one in read(CORPORA) if _ours(one.article)]
        for one in random.sample(told, min(count, len(told))):
            print(f"\n{one.name}\n  {one.article.title}\n  = {_ours(one.article)}")


if __name__ == "__main__":
    show(int(sys.argv[1]) if sys.argv[1:] else 20)
