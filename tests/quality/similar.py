"""More like this: of the ten that are nearest to an item, how many are on its subject.

The rivals are plain BM25 over the words of the titles, and the embedding alone.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence

import numpy as np

from morningdeck.enrichers.embedding import DIMENSIONS
from morningdeck.model.finding import Comparable
from morningdeck.stories.neighbours import Neighbours
from tests.conftest import CORPORA
from tests.quality.bm25 import PlainBM25
from tests.quality.figures import Figures
from tests.quality.ranking import mean
from tests.quality.relevance import newswire
from tests.quality.stories import headlines, likeness_of

FIRST = 10
EVERY = 10
"""Of the headlines each tenth is asked about, or BM25 would take minutes."""
WIRE_GOAL, HEADLINES_GOAL = 0.64, 0.88

Subjects = Mapping[int, frozenset[int]]
"""By the place of an item: all that is on a subject of its own."""
Order = Callable[[int], Sequence[int]]


def run(figures: Figures) -> None:
    news = newswire()
    places = {key: place for place, key in enumerate(news.articles)}
    of: dict[int, frozenset[int]] = defaultdict(frozenset)
    for relevant in news.relevant.values():
        those = frozenset(places[key] for key in relevant)
        for place in those:
            of[place] |= those
    wire = [(article.title, article.text) for article in news.articles.values()]
    _tell(figures, "newswire", wire, of, sorted(of), WIRE_GOAL)
    rows = headlines(CORPORA)
    stories: dict[str, set[int]] = defaultdict(set)
    for place, row in enumerate(rows):
        stories[row["story"]].add(place)
    of = {place: frozenset(stories[row["story"]]) for place, row in enumerate(rows)}
    titles = [(row["title"], "") for row in rows]
    _tell(figures, "headlines", titles, of, range(0, len(rows), EVERY), HEADLINES_GOAL)


def _tell(
    figures: Figures,
    name: str,
    texts: Sequence[tuple[str, str]],
    of: Subjects,
    asked: Sequence[int],
    goal: float,
) -> None:
    known = [_comparable(place, *text) for place, text in enumerate(texts)]
    plain = PlainBM25([title for title, _ in texts])
    vectors = np.stack([np.frombuffer(one.vector or bytes(DIMENSIONS), np.int8) for one in known])
    vectors = vectors / np.maximum(np.linalg.norm(vectors, axis=1, keepdims=True), 1e-6)
    ours = _share(asked, of, lambda one: _ours(known, one))
    bm25 = _share(asked, of, lambda one: _best(plain.scores(texts[one][0]), one))
    alone = _share(asked, of, lambda one: _best(vectors @ vectors[one], one))
    what = f"more like this, {name}: of the first ten on the subject"
    figures.at_least(what, ours, goal, rival=bm25, name="BM25 on titles")
    figures.beside(what, ours, rival=alone, name="embedding alone")


def _comparable(place: int, title: str, text: str) -> Comparable:
    likeness = likeness_of(title, text)
    return Comparable(place, place, likeness.vector, likeness.title_words)


def _ours(known: Sequence[Comparable], one: int) -> list[int]:
    neighbours = Neighbours(known[one], dimensions=DIMENSIONS)
    for start in range(0, len(known), 1000):
        neighbours.look(known[start : start + 1000])
    return [item for item, _ in neighbours.best(FIRST)]


def _best(scores: Sequence[float], one: int) -> list[int]:
    order = np.argsort(-np.asarray(scores), kind="stable")
    return [int(place) for place in order[: FIRST + 1] if place != one][:FIRST]


def _share(asked: Sequence[int], of: Subjects, order: Order) -> float:
    """A place that is left empty is one that is not on the subject."""
    shares = []
    for one in asked:
        possible = min(FIRST, len(of[one]) - 1)
        if possible:
            shares.append(sum(found in of[one] for found in order(one)) / possible)
    return mean(shares)
