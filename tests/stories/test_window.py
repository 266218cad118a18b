"""The likenesses in memory."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from morningdeck.stories.similar import StorySimilarity
from morningdeck.stories.window import RecentStories
from tests.contracts.story_window import StoryWindowContract

NOON = datetime(2026, 11, 18, 12, 0, tzinfo=UTC)


class TestRecentStories(StoryWindowContract):
    @pytest.fixture
    def window(self) -> RecentStories:
        return RecentStories(StorySimilarity(), dimensions=4, near=0.5, near_bits=6)


def test_where_too_much_is_told_the_oldest_is_forgotten() -> None:
    similarity = StorySimilarity()
    recent = RecentStories(similarity, dimensions=4, near=0.5, near_bits=6, most=8)
    told = [
        similarity.likeness("Title", "", f"https://news.example/{number}", b"")
        for number in range(10)
    ]

    for number, likeness in enumerate(told):
        recent.forget(NOON)
        recent.add(number, number, NOON, likeness)

    assert [recent.find(likeness) for likeness in told] == [None, None, *range(2, 10)]
