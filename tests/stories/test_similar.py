"""What makes two items one story, and what must not."""

from __future__ import annotations

import numpy as np
import pytest

from morningdeck.enrichers.embedding import WordEmbedder
from morningdeck.model.making import Likeness
from morningdeck.stories.similar import StorySimilarity
from tests.contracts.similarity import SimilarityContract

SIMILAR = StorySimilarity()
EMBEDDER = WordEmbedder()
REPORT = " ".join(f"The {n}th ship of the year took {n * 7} containers aboard." for n in range(40))


class TestStorySimilarity(SimilarityContract):
    @pytest.fixture
    def similarity(self) -> StorySimilarity:
        return SIMILAR


def like(title: str, text: str = "", url: str | None = None) -> Likeness:
    return SIMILAR.likeness(title, text, url, EMBEDDER.embed([f"{title}\n{text[:1000]}"])[0])


def same(one: Likeness, other: Likeness) -> bool:
    answer = SIMILAR.same_story(one, other)
    assert SIMILAR.same_story(other, one) is answer
    return answer


def test_one_address_is_one_story_whatever_the_titles() -> None:
    url = "https://example.org/news/4711"

    assert same(like("Bridge opens", url=url), like("12 things to know today", url=url))


@pytest.mark.parametrize("url", ["https://example.org", "https://example.org/", "", None])
def test_a_front_page_as_address_says_nothing(url: str | None) -> None:
    assert not same(like("Bridge opens", url=url), like("Chess world cup begins", url=url))


def test_identical_texts_are_one_story_even_if_a_number_differs() -> None:
    assert same(like("Ships in Q2", REPORT), like("Ships in Q3", REPORT))


def test_the_same_filler_instead_of_a_text_is_no_story() -> None:
    assert not same(like("Bridge opens", "Comments"), like("Chess begins", "Comments"))


def test_a_few_changed_words_are_the_same_text() -> None:
    changed = REPORT.replace("The 3th ship", "One more ship") + " Corrected version."

    assert same(like("The year in the port", REPORT), like("Many ships, many boxes", changed))


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("TernDB 4.1 released: faster joins", "TernDB 4.2 released: faster joins"),
        ("Container traffic up 6 percent in Q2", "Container traffic up 9 percent in Q3"),
        ("Quake kills 5 in Chile", "Quake kills 7 in Chile"),
    ],
)
def test_titles_that_differ_in_a_number_are_two_stories(one: str, other: str) -> None:
    assert not same(like(one), like(other))


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (
            "Sbarro pizza chain files for bankruptcy",
            "Pizza chain Sbarro files for bankruptcy again",
        ),
        ("EU approves offshore wind farm in the North Sea", "North Sea wind farm approved by EU"),
        (
            "Quay 9 reopens with shore power for visiting ships",
            "Quay 9 reopens after 14 months with shore power for ships",
        ),
    ],
)
def test_one_event_told_differently_is_one_story(one: str, other: str) -> None:
    assert same(like(one), like(other))


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("EU approves offshore wind farm", "Striker scores twice in cup final"),
        ("Heat pumps pass boilers for the first time", "Tug moves satellite for the first time"),
        ("Das Hochbeet im Herbst", "Die Klappbrücke im Hafen"),
        (
            "Unfall in Lüttenhafen: zwei Verletzte",
            "Lüttenhafen: Einbruch im Rathaus, Täter fliehen",
        ),
        ("Incendio en Valencia deja dos heridos", "El Valencia ficha a un delantero"),
        ("", ""),
        ("🎉", "🎉🎉"),
    ],
)
def test_different_events_are_different_stories(one: str, other: str) -> None:
    assert not same(like(one), like(other))


def test_fingerprints_fit_the_database() -> None:
    hashes = [like("t", f"{n} {REPORT} {n}").simhash for n in range(50)]

    assert all(-(2**63) <= simhash < 2**63 for simhash in hashes)
    assert any(simhash != 0 for simhash in hashes)


def test_the_sign_of_a_fingerprint_does_not_matter() -> None:
    one = Likeness(None, "The port", "a", simhash=-1)

    assert same(one, Likeness(None, "A port", "b", simhash=-(2**62) - 1))
    assert not same(one, Likeness(None, "A port", "b", simhash=2**40 - 1))


def test_a_text_of_few_words_has_no_simhash() -> None:
    assert like("Title", "Only a few words").simhash == 0
    assert like("Title", "").text_hash == ""


def test_items_without_vectors_are_compared_by_their_texts() -> None:
    one = SIMILAR.likeness("The port", REPORT, None, b"")
    other = SIMILAR.likeness("A port", REPORT.upper(), None, np.ones(4, "<f4").tobytes())

    assert same(one, other)
