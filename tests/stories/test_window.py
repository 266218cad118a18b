"""The likenesses in memory."""

from __future__ import annotations

import tracemalloc
from datetime import UTC, datetime, timedelta

import numpy as np
import pytest

from morningdeck.enrichers.embedding import DIMENSIONS
from morningdeck.model.making import Likeness
from morningdeck.stories.likeness import likeness
from morningdeck.stories.window import RecentStories
from tests.contracts.story_window import StoryWindowContract

NOON = datetime(2026, 11, 18, 12, 0, tzinfo=UTC)


class TestRecentStories(StoryWindowContract):
    @pytest.fixture
    def window(self) -> RecentStories:
        return RecentStories(dimensions=4)


def page(number: int) -> Likeness:
    return likeness("", "", f"https://news.example/{number}", b"")


def headline(title: str) -> Likeness:
    return likeness(title, "", None, b"")


def test_where_too_much_is_told_the_oldest_is_forgotten() -> None:
    recent = RecentStories(dimensions=4, most=8)

    for number in range(1, 11):
        recent.forget(NOON)
        recent.add(number, number, NOON, page(number))

    found = [recent.match(page(number)).stories for number in range(1, 11)]
    assert found == [(), (), *((number,) for number in range(3, 11))]


def test_words_are_found_after_the_oldest_were_forgotten() -> None:
    """Each of them a link in the chains of its words."""
    recent = RecentStories(dimensions=4)
    titles = [f"Harbour {chr(97 + n % 26)}{chr(97 + n // 26)}x opens its quay" for n in range(600)]
    for number, title in enumerate(titles, start=1):
        recent.add(number, number, NOON + timedelta(seconds=number), headline(title))

    recent.forget(NOON + timedelta(seconds=400))

    assert recent.match(headline(titles[100])).stories != (101,)
    for number in (450, 600):
        assert recent.match(headline(titles[number - 1])).stories[0] == number


def test_a_vector_of_an_earlier_version_is_read() -> None:
    vector = np.zeros(DIMENSIONS, "<f4")
    vector[3] = 1.0
    recent = RecentStories(dimensions=DIMENSIONS)
    recent.add(7, 7, NOON, Likeness(None, "Sbarro files", "", 0, vector.tobytes()))

    found = recent.match(likeness("Pizza chain Sbarro files", "", None, vector.tobytes()))

    assert found.stories == (7,)


def test_an_item_takes_less_than_700_bytes() -> None:
    count, vector = 4_000, (np.ones(DIMENSIONS, "<f4") / 16).tobytes()
    headlines = [
        likeness(f"Title {number} with some ten words of which none says much", "", None, vector)
        for number in range(1, count + 1)
    ]
    recent = RecentStories(dimensions=DIMENSIONS)
    tracemalloc.start()
    for number, one in enumerate(headlines, start=1):
        recent.add(number, number, NOON, one)
    grown = tracemalloc.get_traced_memory()[0]
    tracemalloc.stop()

    assert grown / count < 700


def test_addresses_that_are_none_are_no_pages() -> None:
    recent = RecentStories(dimensions=4)
    for number, url in enumerate(("https://news.example", "http://[", "", None), start=1):
        recent.add(number, number, NOON, likeness("", "", url, b""))

        assert recent.match(likeness("", "", url, b"")).stories == ()


def test_texts_of_single_letters_are_compared_as_well() -> None:
    recent = RecentStories(dimensions=4)
    recent.add(1, 1, NOON, likeness("", "a b c", None, b""))

    assert recent.match(likeness("", "a b c", None, b"")).stories == (1,)


def test_after_days_without_news_stories_are_found_as_ever() -> None:
    recent = RecentStories(dimensions=4)
    for number in range(1, 301):
        recent.add(number, number, NOON, headline(f"Harbour number {number} opens its quay"))

    recent.forget(NOON + timedelta(days=4))
    recent.add(301, 301, NOON, headline("Orchestra strikes over unpaid tours of Peru"))

    assert recent.match(headline("Orchestra strikes over unpaid tours of Peru")).stories == (301,)
