"""What is near in meaning, whatever words it has."""

from __future__ import annotations

import numpy as np

from morningdeck.enrichers.embedding import DIMENSIONS, WordEmbedder
from morningdeck.stories.likeness import in_bytes
from morningdeck.stories.meaning import Meaning

EMBEDDER = WordEmbedder()
TITLES = (
    "Refineries process less petroleum after the pipeline leak",
    "Grandmasters draw in the final round of the chess tournament",
    "Drilling for crude begins off the coast",
    "A recipe for sourdough bread",
)


def looked_at(asked: str, size: int) -> list[int]:
    vectors = EMBEDDER.embed(TITLES)
    meaning = Meaning(EMBEDDER.embed([asked])[0])
    those = [(number, in_bytes(vector)) for number, vector in enumerate(vectors, start=1)]
    for start in range(0, len(those), size):
        meaning.look(those[start : start + size])
    return meaning.nearest()


def test_the_nearest_come_first_without_a_word_of_the_query() -> None:
    assert set(looked_at("oil wells", 4)) == {1, 3}
    assert looked_at("oil wells", 4) == looked_at("oil wells", 1)


def test_of_equals_the_newest_comes_first() -> None:
    (vector,) = EMBEDDER.embed(["oil"])
    meaning = Meaning(vector)
    meaning.look([(7, in_bytes(vector)), (9, in_bytes(vector))])

    assert meaning.nearest() == [9, 7]


def test_what_has_no_meaning_is_near_to_nothing() -> None:
    (vector,) = EMBEDDER.embed(["oil"])
    nothing, damaged = Meaning(b""), Meaning(vector)
    nothing.look([(1, in_bytes(vector))])
    damaged.look([(1, b""), (2, b"\1\2"), (3, vector), (4, np.zeros(DIMENSIONS, "i1").tobytes())])

    assert (nothing.nearest(), damaged.nearest()) == ([], [3])
