"""What saved searches find: which there are, what they have found, what becomes of it."""

from __future__ import annotations

from dataclasses import dataclass

from morningdeck.model.weighing import Candidate


@dataclass(frozen=True, slots=True)
class SavedSearch:
    """One that alerts: what is found goes into a report."""

    id: int
    user_id: int
    query: str
    timezone: str
    """Of its reader, whose days the query may speak of."""


@dataclass(frozen=True, slots=True)
class ChangedItem:
    """An item that is to be looked at; `mark` is what clears it."""

    id: int
    mark: int
    searches_before: int | None
    """Searches of that number and below were there when it was first done; None: it was done
    before there were any.
    """


@dataclass(frozen=True, slots=True)
class Found:
    """An item that a search of the name `title` has found, and no report has told."""

    search_id: int
    title: str
    candidate: Candidate
