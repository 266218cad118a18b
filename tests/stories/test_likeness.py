"""What of an item is compared: words with their marks, and fingerprints of a text that speaks."""

from __future__ import annotations

import numpy as np
import pytest

from morningdeck.model.making import Likeness
from morningdeck.stories import likeness as likenesses
from morningdeck.stories.likeness import A_NAME, A_NUMBER, MARKS, likeness, speaks_of
from tests.contracts.similarity import SimilarityContract

REPORT = " ".join(f"The {n}th ship of the year took {n * 7} containers aboard." for n in range(40))


class TestLikeness(SimilarityContract):
    @pytest.fixture
    def similarity(self) -> object:
        return likenesses


def of(title: str, text: str = "") -> Likeness:
    return likeness(title, text, None, b"")


def marks(words: bytes) -> list[int]:
    return [code & MARKS for code in np.frombuffer(words, "<u4").tolist()]


def shared(one: bytes, other: bytes) -> int:
    codes = [
        {code & ~MARKS for code in np.frombuffer(each, "<u4").tolist()} for each in (one, other)
    ]
    return len(codes[0] & codes[1])


def test_names_of_two_letters_count() -> None:
    assert len(marks(of("GM and Mt. Gox: a b").title_words)) == 4


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("approves", "Approved"),
        ("Fed's", "FED"),
        ("東京電力が発表", "東京電力の値上げ"),
    ],
)
def test_forms_of_a_word_are_the_same_word(one: str, other: str) -> None:
    assert shared(of(one).title_words, of(other).title_words) >= 1


def test_numbers_and_dates_are_marked() -> None:
    assert marks(of("Q3 up 4.1 on Tuesday, may rise").title_words) == [
        *(A_NUMBER, 0, A_NUMBER, 0, A_NUMBER, 0, 0)
    ]


def test_names_are_known_by_capitals_inside_a_sentence() -> None:
    found = of("quake hits tokyo", "Help came late. Ships left Osaka for Tokyo.")

    assert marks(found.title_words) == [0, 0, A_NAME]
    assert marks(found.lead_words)[-3:] == [A_NAME, 0, A_NAME]


def test_a_text_that_does_not_speak_of_its_title_has_no_fingerprints() -> None:
    consent = of("Harbour opens", "Before you go on, we and our partners store cookies. " * 9)

    assert (consent.text_hash, consent.simhash) == ("", 0)
    assert consent.lead_words


def test_a_line_that_only_repeats_the_title_does_not_speak_of_it() -> None:
    assert not speaks_of("Harbour opens\nWe value your privacy.", "Harbour opens")
    assert speaks_of("Harbour opens\nThe harbour is open again.", "Harbour opens")
    assert speaks_of("anything", "?!")


def test_fingerprints_fit_the_database() -> None:
    hashes = [of("ship", f"{n} {REPORT} {n}").simhash for n in range(50)]

    assert all(-(2**63) <= simhash < 2**63 for simhash in hashes)
    assert any(simhash != 0 for simhash in hashes)


def test_a_text_of_few_words_has_no_simhash() -> None:
    assert of("Title", "Only a few words of a title").simhash == 0
    assert of("Title", "").text_hash == ""


def test_a_vector_keeps_its_direction_in_a_byte_for_each_number() -> None:
    vector = np.random.default_rng(1).normal(size=256).astype("<f4")
    vector /= np.linalg.norm(vector)

    kept = np.frombuffer(likeness("", "", None, vector.tobytes()).vector, np.int8).astype(float)

    assert kept @ vector / np.linalg.norm(kept) > 0.999
