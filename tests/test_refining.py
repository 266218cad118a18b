"""When scores are refined, and that nothing is forgotten when it goes wrong in between."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import datetime, timedelta

import pytest

from morningdeck.errors import DatabaseAwayError
from morningdeck.model.making import Criteria, Profile
from morningdeck.model.refining import KeptProfile, RatedProfile, RefinedScore, WordCounts
from morningdeck.refining import Refining
from morningdeck.selection import WEEKLY_WINDOW
from tests.conftest import NOW

SHIPS = Criteria(5, 1, "ships", user_id=7)
PROFILE = Profile("en", b"", b"")


@dataclass
class ProfilesInMemory:
    """The rows that refining needs, of one briefing."""

    kept: list[KeptProfile] = field(default_factory=list)
    marks: dict[int, int] = field(default_factory=dict)
    stored: dict[int, int] = field(default_factory=dict)
    old: list[KeptProfile] = field(default_factory=list)
    counted: list[WordCounts] = field(default_factory=list)
    free: bool = True
    broken: bool = False
    scored_by: Collection[int] = (SHIPS.briefing_id,)
    """The briefings that have scores of all items."""
    held: set[int] = field(default_factory=set)
    """Somebody else writes these items."""

    def arrive(self, item_id: int, score: int) -> None:
        self.kept.append(KeptProfile(item_id, 1, PROFILE))
        self.marks[item_id] = self.marks.get(item_id, 0) + 1
        self.stored[item_id] = score

    @contextmanager
    def alone(self) -> Iterator[bool]:
        yield self.free

    def waits(self, briefing_id: int | None = None) -> bool:
        return briefing_id in (None, *self.scored_by) and bool(self.marks)

    def marked(self) -> Sequence[tuple[int, int]]:
        return list(self.marks.items())

    def recent(self, since: datetime, limit: int) -> Sequence[KeptProfile]:
        assert since == NOW - WEEKLY_WINDOW
        return self.kept[-limit:]

    def counts(self) -> Mapping[str, WordCounts]:
        return {}

    def criteria(self) -> Sequence[Criteria]:
        return [SHIPS]

    def sources_of(self, user_ids: Collection[int | None]) -> Mapping[int | None, frozenset[int]]:
        return {user_id: frozenset({1}) for user_id in user_ids}

    def scores(self, criteria: Criteria, since: datetime) -> Sequence[tuple[int, int]]:
        return list(self.stored.items())

    def rated(self) -> Mapping[int, Sequence[RatedProfile]]:
        return {}

    def save(self, scores: Sequence[RefinedScore]) -> Collection[int]:
        if self.broken:
            raise DatabaseAwayError("away")
        free = [one for one in scores if one.item_id not in self.held]
        self.stored.update({one.item_id: one.value for one in free})
        return self.held & {one.item_id for one in scores}

    def clear(self, marked: Sequence[tuple[int, int]]) -> None:
        for item_id, mark in marked:
            if self.marks.get(item_id) == mark:
                del self.marks[item_id]

    def outdated(self, before: datetime, limit: int) -> Sequence[KeptProfile]:
        return self.old[:limit]

    def replace(self, outdated: Sequence[KeptProfile], counts: Sequence[WordCounts]) -> None:
        del self.old[: len(outdated)]
        self.counted += counts


class Doubling:
    """A refiner that doubles every score; `meanwhile` happens while it learns."""

    def __init__(self, meanwhile: Callable[[], None] = lambda: None) -> None:
        self.rounds = 0
        self._meanwhile = meanwhile

    def learn(
        self,
        kept: Sequence[KeptProfile],
        counts: Mapping[str, WordCounts],
        criteria: Sequence[Criteria],
        sources: Mapping[int | None, frozenset[int]],
        rated: Mapping[int, Sequence[RatedProfile]],
    ) -> Iterator[tuple[Criteria, Callable[[Sequence[tuple[int, int]]], list[RefinedScore]]]]:
        self.rounds += 1
        self._meanwhile()
        for one in criteria:
            yield (
                one,
                lambda stored, one=one: [  # type: ignore[misc]
                    RefinedScore(one.briefing_id, item, one.version, 2 * score, "why", score > 2)
                    for item, score in stored
                ],
            )

    def count(
        self, outdated: Sequence[KeptProfile], counts: Mapping[str, WordCounts], now: datetime
    ) -> Sequence[WordCounts]:
        return [WordCounts("en", len(outdated), b"", now)]


@pytest.fixture
def rows() -> ProfilesInMemory:
    return ProfilesInMemory()


@pytest.fixture
def told() -> list[str]:
    return []


def refining_of(rows: ProfilesInMemory, refiner: Doubling, told: list[str]) -> Refining:
    return Refining(
        rows,
        lambda: refiner,
        busy=lambda: False,
        on_change=lambda: told.append("changed"),
        clock=lambda: NOW,
    )


def test_a_round_stores_better_scores_and_then_nothing_waits(
    rows: ProfilesInMemory, told: list[str]
) -> None:
    rows.arrive(1, 30)
    refining = refining_of(rows, Doubling(), told)
    assert refining.waits()

    assert not refining.round()

    assert rows.stored == {1: 60}
    assert told == ["changed"]


def test_small_changes_tell_nobody(rows: ProfilesInMemory, told: list[str]) -> None:
    rows.arrive(1, 2)

    refining_of(rows, Doubling(), told).round()

    assert (rows.stored, told) == ({1: 4}, [])


def test_what_comes_meanwhile_waits_for_the_next_round(
    rows: ProfilesInMemory, told: list[str]
) -> None:
    rows.arrive(1, 30)
    refining = refining_of(rows, Doubling(lambda: rows.arrive(2, 10)), told)

    assert refining.round()

    assert rows.marks == {2: 1}


def test_what_somebody_else_is_writing_waits_for_the_next_round(
    rows: ProfilesInMemory, told: list[str]
) -> None:
    for item in (1, 2):
        rows.arrive(item, 30)
    rows.held = {1}
    refining = refining_of(rows, Doubling(), told)

    assert refining.refine()
    assert (rows.stored, rows.marks) == ({1: 30, 2: 60}, {1: 1})
    rows.held = set()
    refining.refine()
    assert (rows.stored[1], rows.marks) == (60, {})


def test_a_round_comes_again_for_items_that_had_no_mark(
    rows: ProfilesInMemory, told: list[str]
) -> None:
    for item in (1, 2):
        rows.arrive(item, 30)
    del rows.marks[1]
    rows.held = {1}

    refining_of(rows, Doubling(), told).refine()

    assert rows.marks == {2: 1}


def test_what_could_not_be_stored_is_done_again(rows: ProfilesInMemory, told: list[str]) -> None:
    rows.arrive(1, 30)
    rows.broken = True
    refining = refining_of(rows, Doubling(), told)
    with pytest.raises(DatabaseAwayError):
        refining.round()
    assert refining.waits()

    rows.broken = False
    refining.round()

    assert rows.stored == {1: 60}


def test_nobody_refines_beside_another_process(rows: ProfilesInMemory, told: list[str]) -> None:
    rows.arrive(1, 30)
    rows.free = False
    refiner = Doubling()
    refining = refining_of(rows, refiner, told)

    assert refining.round()

    assert (refiner.rounds, rows.stored) == (0, {1: 30})


def test_a_briefing_has_the_scores_refined_first(rows: ProfilesInMemory, told: list[str]) -> None:
    refiner = Doubling()
    refining = refining_of(rows, refiner, told)
    refining.before_briefing(SHIPS.briefing_id)
    rows.arrive(1, 30)
    refining.before_briefing(SHIPS.briefing_id + 1)
    assert refiner.rounds == 0

    refining.before_briefing(SHIPS.briefing_id)

    assert rows.stored == {1: 60}


def test_after_a_round_others_have_the_processor_for_longer_than_it_took(
    rows: ProfilesInMemory, told: list[str]
) -> None:
    rows.arrive(1, 30)
    refining = refining_of(rows, Doubling(), told)
    assert refining.rest_seconds() == 0

    refining.round()

    assert 0 <= refining.rest_seconds() < 5


def test_what_left_the_window_is_counted_and_forgotten(
    rows: ProfilesInMemory, told: list[str]
) -> None:
    rows.old = [KeptProfile(number, 1, PROFILE) for number in range(700)]

    refining_of(rows, Doubling(), told).forget()

    assert rows.old == []
    assert [one.articles for one in rows.counted] == [500, 200]
    assert rows.counted[0].counted_at - NOW == timedelta(0)
