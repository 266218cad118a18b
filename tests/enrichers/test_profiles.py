"""What is kept of an article, and what many of them side by side tell of a word."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np

from morningdeck.enrichers.columns import columns_of
from morningdeck.enrichers.document import read_article
from morningdeck.enrichers.embedding import DIMENSIONS, WordEmbedder
from morningdeck.enrichers.profiles import (
    MOST_WORDS,
    WORD_BYTES,
    make_profile,
    meaning_of,
    word_keys,
)
from morningdeck.model.making import Article, Profile


def profile(title: str, text: str = "", vector: bytes = b"") -> Profile:
    return make_profile(read_article(Article(title, text, language="en")), "other", vector)


def weights(*profiles: Profile, word: str) -> list[float]:
    columns = columns_of(profiles, dimensions=DIMENSIONS)
    (key,) = word_keys(word, "en")
    return [round(float(one), 3) for one in columns.weigh({key: 1.0})]


def test_a_word_of_the_title_counts_more_than_one_of_the_lead_and_that_more_than_one_after() -> (
    None
):
    rest = " ".join(f"Sentence {name} follows." for name in ("one", "blue", "green", "red", "old"))

    title, lead, text, none = weights(
        profile("Coffee", rest),
        profile("Tea", f"Coffee is here. {rest}"),
        profile("Tea", f"{rest} Coffee is here."),
        profile("Tea", rest),
        word="coffee",
    )

    assert title > lead > text > none == 0


def test_a_word_counts_more_in_a_short_text_and_endings_do_not_matter() -> None:
    short = profile("Report", "The harvests were small.")
    long = profile("Report", "The harvest was small. " + "Ships left port with much timber. " * 40)

    first, second = weights(short, long, word="harvest")

    assert first > second > 0


def test_words_with_hyphens_are_found_whole_and_in_parts() -> None:
    one = profile("Oil-producing countries meet")

    assert weights(one, word="oil") > [0.0]
    assert weights(one, word="producing") > [0.0]


def test_numbers_and_fillers_are_no_words() -> None:
    assert word_keys("1987", "en") == word_keys("the", "en") == word_keys("x", "en") == ()
    assert word_keys("m1", "en") != ()


def test_scripts_without_spaces_are_read_in_pairs() -> None:
    assert len(word_keys("東京証券", "ja")) == 3
    assert set(word_keys("東京", "ja")) <= set(word_keys("東京証券", "ja"))


def test_one_word_is_another_in_another_language() -> None:
    assert word_keys("gift", "en") != word_keys("gift", "de")


def test_a_profile_stays_small(corpora: Path) -> None:
    long = profile("Title", " ".join(f"word{number} sentence." for number in range(5_000)))

    assert len(long.words) <= MOST_WORDS * WORD_BYTES
    naughty = json.loads((corpora / "naughty-strings" / "blns.json").read_text())
    columns_of([profile(text, text) for text in naughty], dimensions=DIMENSIONS)


def test_the_meaning_survives_its_rounding(embedder: WordEmbedder) -> None:
    (vector,) = embedder.embed(["Wind farms in the North Sea deliver power."])

    kept = meaning_of(profile("Wind", vector=vector).meaning, DIMENSIONS)

    assert float(kept @ np.frombuffer(vector, "<f4")) > 0.999
    assert not meaning_of(b"", DIMENSIONS).any()
