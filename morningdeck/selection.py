"""Which of its candidates a briefing shows: pure, and the same for preview and report."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from datetime import timedelta
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from morningdeck.model.sending import Candidate

DAILY_WINDOW = timedelta(days=7)
WEEKLY_WINDOW = timedelta(days=10)
"""The longest: an older item is in no briefing any more."""


def select(
    candidates: Iterable[Candidate], *, min_score: int, max_items: int, per_source: int
) -> tuple[Candidate, ...]:
    """The best untold stories in their order: by score, then newest; one entry for each story.

    No source takes more than `per_source` entries while others could fill them.
    """
    worthy = [one for one in candidates if one.score >= min_score and not one.story_shown]
    stories = _one_per_story(sorted(worthy, key=_rank))
    return _spread(stories, max_items, per_source)


def _rank(candidate: Candidate) -> tuple[float, float, int]:
    return (-candidate.score, -candidate.first_seen_at.timestamp(), -candidate.item_id)


def _one_per_story(ranked: Sequence[Candidate]) -> list[Candidate]:
    """Of equals the leader of the story: its headline is of the article that the summary is of."""
    leaders = {one.story_id: one for one in ranked if one.is_leader}
    shown: set[int] = set()
    best = []
    for candidate in ranked:
        if candidate.story_id is None:
            best.append(candidate)
        elif candidate.story_id not in shown:
            shown.add(candidate.story_id)
            leader = leaders.get(candidate.story_id, candidate)
            best.append(leader if leader.score == candidate.score else candidate)
    return best


def _spread(ranked: Sequence[Candidate], most: int, per_source: int) -> tuple[Candidate, ...]:
    taken: Counter[int] = Counter()
    chosen, spare = [], []
    for candidate in ranked:
        if taken[candidate.source_id] < per_source:
            taken[candidate.source_id] += 1
            chosen.append(candidate)
        else:
            spare.append(candidate)
    chosen = chosen[:most]
    chosen += spare[: most - len(chosen)]
    return tuple(sorted(chosen, key=_rank))
