"""Wishes side by side are told what each would be told alone."""

from __future__ import annotations

import random

import numpy as np
import pytest

from morningdeck.enrichers.boards import board_of, word_table
from morningdeck.enrichers.embedding import DIMENSIONS, WordEmbedder
from morningdeck.enrichers.learning import LearntWish, first_learnt
from morningdeck.enrichers.relevance import Relevance
from morningdeck.enrichers.vocabulary import NOTHING_READ
from morningdeck.enrichers.wishes import wish_of
from morningdeck.model.making import Article

ARTICLE = Article(
    "Offshore wind farm feeds the grid",
    "The wind farm off the coast has fed its first megawatts into the grid. Storage comes next.",
    language="en",
)
WISHES = (
    "Coffee harvests",
    "Offshore wind and grid storage",
    "Grid storage. Chess tournaments and their rules. Orchestras on tour.",
    "no football",
)
MIDDLE = np.zeros(DIMENSIONS, np.float32)


@pytest.fixture
def learnt(embedder: WordEmbedder) -> list[LearntWish]:
    asked = [wish_of(text, embedder, DIMENSIONS) for text in WISHES]
    return [first_learnt(one, ["en"], NOTHING_READ) for one in asked]


@pytest.mark.parametrize("seed", range(20))
def test_a_table_weighs_as_if_each_row_were_added_up(seed: int) -> None:
    chance = random.Random(seed)
    keys = range(1, 40)
    rows = [
        {key: chance.random() for key in chance.sample(keys, chance.randint(0, 12))}
        for _ in range(chance.randint(1, 9))
    ]
    article = {key: chance.random() for key in chance.sample(keys, chance.randint(1, 25))}

    weighed = word_table(rows).weigh(
        np.array(list(article), np.uint32), np.array(list(article.values()), np.float32)
    )

    added = [sum(row[key] * article[key] for key in row if key in article) for row in rows]
    assert weighed == pytest.approx(added, abs=1e-5)


def test_a_table_without_a_word_weighs_nothing() -> None:
    empty = word_table([{}, {}])

    assert empty.weigh(np.array([1], np.uint32), np.ones(1, np.float32)).tolist() == [0, 0]


def test_a_wish_is_met_as_well_beside_others_as_alone(
    embedder: WordEmbedder, learnt: list[LearntWish]
) -> None:
    profile = Relevance(embedder).profile(ARTICLE)

    together = board_of(learnt, "en", MIDDLE).evidence(profile, 20.0)

    for number, one in enumerate(learnt):
        alone = board_of([one], "en", MIDDLE).evidence(profile, 20.0)
        for kind in ("own", "more", "meaning", "near"):
            found, expected = getattr(together, kind)[number], getattr(alone, kind)[0]
            assert found == pytest.approx(expected, abs=1e-5), (WISHES[number], kind)


def test_the_best_of_its_parts_speaks_for_a_wish(
    embedder: WordEmbedder, learnt: list[LearntWish]
) -> None:
    profile = Relevance(embedder).profile(ARTICLE)

    own = board_of(learnt, "en", MIDDLE).evidence(profile, 20.0).own

    assert own[1] > own[2] > own[0], "one of its sentences is enough, another subject is not"


def test_rows_of_a_single_word_go_by_where_it_stands() -> None:
    table = word_table([{1: 2.0}, {1: 2.0}], [True, False])
    made, alone = np.array([3.0], np.float32), np.array([1.0], np.float32)

    assert table.weigh(np.array([1], np.uint32), made, alone).tolist() == [2, 6]
