"""Better scores for what was read lately, now that more has been read.

A score that an item gets at its arrival knows only what came before. Whenever processing
drains, now and then while it is busy, and before a briefing is written, the items of the
window are scored again for every briefing, and what differs is stored. A crash in between
leaves the marks of the profiles, so it is done again.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from datetime import datetime, timedelta
from typing import Protocol

from morningdeck.model.making import Criteria
from morningdeck.model.refining import KeptProfile, RatedProfile, RefinedScore, WordCounts
from morningdeck.ports.engine import Clock
from morningdeck.selection import WEEKLY_WINDOW

MOST_REFINED = 20_000
"""The newest; older ones keep what they have."""
BUSY_REST, IDLE_REST = 20.0, 3.0
"""After a round so many times as long as it took, while items wait and while none does."""
LONGEST_REST = 60.0
BRIEFING_PATIENCE_SECONDS = 10.0
"""How long a briefing waits for another process that is at it."""
ASK_AGAIN_SECONDS = 0.1
OUTDATED_AT_ONCE = 500
UNSCORED = -1
"""Any score differs from it."""


class ProfileRows(Protocol):
    """What the database keeps for it."""

    def alone(self) -> AbstractContextManager[bool]: ...
    def waits(self, briefing_id: int | None = None) -> bool:
        """Whether any item waits, or any that this briefing or a section of it has a score of."""

    def recent(self, since: datetime, limit: int) -> Sequence[KeptProfile]: ...
    def counts(self) -> Mapping[str, WordCounts]: ...
    def criteria(self) -> Sequence[Criteria]: ...
    def sources_of(
        self, user_ids: Collection[int | None]
    ) -> Mapping[int | None, frozenset[int]]: ...
    def scores(self, criteria: Criteria, since: datetime) -> Sequence[tuple[int, int]]: ...
    def rated(self) -> Mapping[int, Sequence[RatedProfile]]: ...
    def save(self, scores: Sequence[RefinedScore]) -> Collection[int]:
        """Returns the items that are left out, because somebody else is writing them."""

    def marked(self) -> Sequence[tuple[int, int]]: ...
    def clear(self, marked: Sequence[tuple[int, int]]) -> None: ...
    def outdated(self, before: datetime, limit: int) -> Sequence[KeptProfile]: ...
    def replace(self, outdated: Sequence[KeptProfile], counts: Sequence[WordCounts]) -> None: ...


class Refiner(Protocol):
    """What makes scores without a model."""

    def learn(
        self,
        kept: Sequence[KeptProfile],
        counts: Mapping[str, WordCounts],
        criteria: Sequence[Criteria],
        sources: Mapping[int | None, frozenset[int]],
        rated: Mapping[int, Sequence[RatedProfile]],
    ) -> Iterator[tuple[Criteria, Callable[[Sequence[tuple[int, int]]], list[RefinedScore]]]]:
        """For each of the criteria a function from the scores that there are to better ones."""

    def count(
        self, outdated: Sequence[KeptProfile], counts: Mapping[str, WordCounts], now: datetime
    ) -> Sequence[WordCounts]:
        """The counts with the words of these profiles, of the languages that have changed."""


def tried(
    rows: ProfileRows,
    refiner: Refiner,
    criteria: Criteria,
    item_ids: Sequence[int],
    since: datetime,
) -> Mapping[int, RefinedScore]:
    """What these items would score by these criteria, those first seen before then left out.

    Nothing is stored, but `refiner` learns: give it one that nobody else asks.
    """
    kept = rows.recent(since, MOST_REFINED)
    sources = rows.sources_of({criteria.user_id})
    ((_, better),) = refiner.learn(kept, rows.counts(), [criteria], sources, rows.rated())
    return {one.item_id: one for one in better([(item, UNSCORED) for item in item_ids])}


class Refining:
    """One run at a time, in this process and in all; `refiner` is made at first use."""

    def __init__(
        self,
        rows: ProfileRows,
        refiner: Callable[[], Refiner],
        *,
        busy: Callable[[], bool],
        on_change: Callable[[], None],
        clock: Clock,
    ) -> None:
        self._rows = rows
        self._refiner = refiner
        self._busy = busy
        self._on_change = on_change
        self._clock = clock
        self._running = threading.Lock()
        self._ended_at = self._took = 0.0

    def waits(self) -> bool:
        return self._rows.waits()

    def round(self) -> bool:
        """True while something waits that is not refined yet."""
        if self._rows.waits() and self.rest_seconds() <= 0 and not self.refine():
            time.sleep(ASK_AGAIN_SECONDS)
        return self._rows.waits()

    def rest_seconds(self) -> float:
        """How long to leave the processor to others before the next round."""
        if not self._ended_at:
            return 0.0
        rest = min((BUSY_REST if self._busy() else IDLE_REST) * self._took, LONGEST_REST)
        return max(0.0, self._ended_at + rest - time.monotonic())

    def before_briefing(self, briefing_id: int) -> None:
        """Waits a little where somebody else is at it; a briefing is on time all the same."""
        patience = time.monotonic() + BRIEFING_PATIENCE_SECONDS
        while self._rows.waits(briefing_id) and self._outdated():
            if self.refine() or time.monotonic() > patience:
                return
            time.sleep(ASK_AGAIN_SECONDS)

    def _outdated(self) -> bool:
        """Many briefings are due at once: one round serves them all."""
        return time.monotonic() - self._ended_at > IDLE_REST * self._took

    def refine(self) -> bool:
        """False when another process is at it."""
        with self._running, self._rows.alone() as alone:
            if not alone:
                return False
            began = time.monotonic()
            self._refine(self._clock() - WEEKLY_WINDOW)
            self._ended_at = time.monotonic()
            self._took = self._ended_at - began
        return True

    def _refine(self, since: datetime) -> None:
        rows = self._rows
        marked = rows.marked()  # first: what comes meanwhile is for the next round
        kept = rows.recent(since, MOST_REFINED)
        criteria = rows.criteria()
        sources = rows.sources_of({one.user_id for one in criteria})
        changed, left_out = False, set[int]()
        lessons = self._refiner().learn(kept, rows.counts(), criteria, sources, rows.rated())
        for one, better in lessons:
            scores = better(rows.scores(one, since))
            left_out.update(rows.save(scores))
            changed = changed or any(score.shows for score in scores)
        rows.clear(_refined(marked, left_out))
        if changed:
            self._on_change()

    def forget(self) -> None:
        """Count the words of what has left the window, and keep no more of it."""
        with self._running, self._rows.alone() as alone:
            while alone:
                before = self._clock() - WEEKLY_WINDOW - timedelta(days=1)
                outdated = self._rows.outdated(before, OUTDATED_AT_ONCE)
                if not outdated:
                    return
                counts = self._refiner().count(outdated, self._rows.counts(), self._clock())
                self._rows.replace(outdated, counts)


def _refined(
    marked: Sequence[tuple[int, int]], left_out: Collection[int]
) -> Sequence[tuple[int, int]]:
    """What need not be refined again. One mark at least stays for what was left out: a round is
    for all items, marked or not.
    """
    done = [one for one in marked if one[0] not in left_out]
    return done[1:] if left_out and len(done) == len(marked) else done
