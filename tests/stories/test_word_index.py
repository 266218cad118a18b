"""Which of the recent items have a word: against a search through all of them."""

from __future__ import annotations

import random

import numpy as np
import pytest

from morningdeck.stories.likeness import A_NAME, A_NUMBER
from morningdeck.stories.rules import Codes
from morningdeck.stories.word_index import MOST_PER_WORD, TITLE_WORDS_KEPT, WORDS_KEPT, WordIndex

STEP = 4
"""The lowest two bits of a word are its marks."""


def codes(*words: int) -> Codes:
    return np.array([word * STEP for word in words], np.uint32)


def add(index: WordIndex, *words: int) -> None:
    index.add(codes(*words)[:WORDS_KEPT], codes(*words))


def test_the_items_with_a_word_are_found_the_newest_first() -> None:
    index = WordIndex()
    for words in ((1, 2), (2, 3), (1, 4)):
        add(index, *words)

    assert index.rows_with(codes(1)) == [2, 0]
    assert set(index.rows_with(codes(2, 4))) == {0, 1, 2}
    assert index.rows_with(codes(9)) == []


@pytest.mark.parametrize("seed", range(10))
def test_a_look_up_finds_what_a_search_through_all_does(seed: int) -> None:
    chance = random.Random(seed)
    index = WordIndex()
    items: list[set[int]] = []
    for _ in range(120):
        words = set(chance.sample(range(1, 60), chance.randint(1, 12)))
        add(index, *sorted(words))
        items.append(words)
        if chance.random() < 0.1:
            gone = chance.randint(1, len(items))
            index.drop(gone)
            del items[:gone]
    assert len(index) == len(items)

    for word in range(1, 60):
        rows = [at for at, words in enumerate(items) if word in words]
        assert sorted(index.rows_with(codes(word))) == rows


def test_a_common_word_leads_to_its_newest_items_only() -> None:
    index = WordIndex()
    for number in range(3 * MOST_PER_WORD):
        add(index, 1, 1_000 + number)

    rows = index.rows_with(codes(1))

    assert rows == list(range(3 * MOST_PER_WORD - 1, 2 * MOST_PER_WORD - 1, -1))


def test_a_word_is_the_rarer_the_fewer_have_it_and_fades_with_them() -> None:
    index = WordIndex()
    for number in range(100):
        add(index, 1, *((2,) if number < 10 else ()))

    common, rare, unknown = index.rarity(codes(1, 2, 3))
    assert common < rare < unknown
    index.drop(50)

    assert index.rarity(codes(2))[0] == pytest.approx(rare, abs=0.7)
    assert index.rarity(np.zeros(1, np.uint32))[0] == 0, "where there is no word, nothing is rare"


def test_of_an_item_its_title_is_kept_then_facts_then_what_is_rare() -> None:
    index = WordIndex()
    for _ in range(30):
        add(index, *range(200, 260))
    title = codes(*range(1, 30))
    common, rare = codes(*range(200, 260)), codes(300)
    number, name = codes(210) | A_NUMBER, codes(211) | A_NAME

    kept, of_title = index.telling(title, np.concatenate([common, rare, number, name]))

    assert of_title == TITLE_WORDS_KEPT
    assert len(kept) == WORDS_KEPT
    assert kept[:of_title].tolist() == title[:of_title].tolist()
    assert {*number.tolist(), *name.tolist(), *rare.tolist()} <= {*kept.tolist()}
    assert np.isin(index.telling(title[:1], title[:1])[0], title[:1]).all(), "nothing stands twice"
