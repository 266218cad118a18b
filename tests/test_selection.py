"""Which candidates a briefing shows, and in which order."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from morningdeck.model.sending import Candidate
from morningdeck.selection import select
from tests.conftest import NOW


def candidate(item_id: int, score: int = 50, **fields: Any) -> Candidate:
    """Of a source of its own, unless the fields say otherwise."""
    values: dict[str, Any] = {
        "source_id": item_id,
        "source_title": "News",
        "story_id": None,
        "title": f"Item {item_id}",
        "url": None,
        "summary": "",
        "reason": "",
        "published_at": None,
        "first_seen_at": NOW,
        **fields,
    }
    return Candidate(item_id=item_id, score=score, **values)


def chosen(
    *candidates: Candidate, min_score: int = 0, max_items: int = 10, per_source: int = 3
) -> list[int]:
    found = select(candidates, min_score=min_score, max_items=max_items, per_source=per_source)
    return [one.item_id for one in found]


def test_the_best_come_first() -> None:
    assert chosen(candidate(1, 20), candidate(2, 90), candidate(3, 50)) == [2, 3, 1]


def test_of_equals_the_newest_then_the_latest_stored_comes_first() -> None:
    old = candidate(3, first_seen_at=NOW - timedelta(hours=1))

    assert chosen(old, candidate(1), candidate(2)) == [2, 1, 3]


def test_a_story_is_told_by_whom_its_summary_is_of() -> None:
    leader = candidate(1, 60, story_id=7, is_leader=True, first_seen_at=NOW - timedelta(hours=1))

    assert chosen(candidate(2, 60, story_id=7), leader, candidate(3, 60)) == [3, 1]
    assert chosen(candidate(2, 70, story_id=7), leader) == [2]


def test_what_scores_too_little_is_left_out() -> None:
    assert chosen(candidate(1, 39), candidate(2, 40), min_score=40) == [2]


def test_only_so_many_are_shown() -> None:
    assert chosen(*(candidate(number, number) for number in range(20)), max_items=2) == [19, 18]


def test_a_story_takes_one_place_told_by_its_best_item() -> None:
    told = [candidate(1, 60, story_id=7), candidate(2, 80, story_id=7), candidate(3, 70)]

    assert chosen(*told) == [2, 3]


def test_items_without_a_story_are_stories_of_their_own() -> None:
    assert chosen(candidate(1), candidate(2)) == [2, 1]


def test_a_story_that_was_told_before_is_not_told_again() -> None:
    assert chosen(candidate(1, 99, story_id=7, story_shown=True), candidate(2)) == [2]


def test_no_source_takes_more_than_its_places_while_others_could_fill_them() -> None:
    loud = [candidate(number, 90, source_id=1) for number in range(1, 6)]
    quiet = [candidate(number, 10) for number in (11, 12)]

    assert chosen(*loud, *quiet, max_items=5) == [5, 4, 3, 12, 11]


def test_places_that_nobody_else_fills_are_filled_by_rank() -> None:
    loud = [candidate(number, 90 - number, source_id=1) for number in range(1, 6)]

    assert chosen(*loud, candidate(11, 10), max_items=5) == [1, 2, 3, 4, 11]
    assert chosen(*loud, per_source=1, max_items=3) == [1, 2, 3]


def test_hidden_members_of_a_story_take_no_place_of_their_source() -> None:
    hidden = [candidate(number, 80, source_id=1, story_id=7) for number in (1, 2, 3)]
    best = candidate(9, 90, story_id=7)

    assert chosen(best, *hidden, candidate(4, 70, source_id=1), per_source=1) == [9, 4]


def test_nothing_comes_of_nothing() -> None:
    assert chosen() == []
