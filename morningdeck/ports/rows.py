"""The rows that the verbs read; what a job has found is stored by `JobStore.settle`."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from datetime import datetime
from typing import Protocol

from morningdeck.model import Briefing, Candidate, Criteria, Item, Likeness, Source, StoryRole


class SourceRows(Protocol):
    def load(self, source_id: int) -> Source | None: ...


class ItemRows(Protocol):
    def load(self, item_id: int) -> Item | None: ...

    def unscored(self, item_id: int, leader: int | None) -> tuple[Criteria, ...]:
        """The briefings that the item serves without a current score of it or its leader."""

    def next_slot(self, item_id: int) -> datetime | None:
        """When the first of the briefings that it serves is to be written."""

    def has_readers(self, item_id: int) -> bool:
        """Does anybody read its source?"""


class StoryRows(Protocol):
    def role(self, item_id: int) -> StoryRole | None:
        """None before it has a story; it takes over from a leader that cannot lead any more."""

    def assign(self, item_id: int, likeness: Likeness, now: datetime) -> StoryRole:
        """Find the item's story, or make it; one at a time, so that no story is made twice."""


class BriefingRows(Protocol):
    def load(self, briefing_id: int) -> Briefing | None: ...

    def candidates(self, briefing: Briefing, since: datetime) -> tuple[Candidate, ...]:
        """Scores that no report has weighed yet, of items first seen after `since`."""

    def open_report(self, briefing_id: int, slot: str | None) -> int | None:
        """Make the slot's report row, once; None when it has been written already. Without a slot,
        for a manual run, the next number is taken, or the one left unfinished.
        """

    def also_in(
        self, user_id: int, story_ids: Collection[int]
    ) -> Mapping[int, tuple[tuple[int, str], ...]]:
        """By story: (source id, name) of each of the reader's own sources that tell it."""

    def broken_sources(self, briefing_id: int) -> tuple[str, ...]: ...
