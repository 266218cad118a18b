"""What goes into an index beside the database, and how that stands."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class IndexState:
    there: bool
    """An index of that name."""
    live: bool
    """It is as we want it."""
    building: bool
    """A new one is being filled."""
    begun_at: str = field(default="", compare=False)
    """When that was made, in the server's words: it tells one from the next."""


@dataclass(frozen=True, slots=True)
class PackedDocument:
    """A document as it travels: one line of JSON."""

    id: int
    line: bytes


@dataclass(frozen=True, slots=True)
class Refusal:
    """A document that the index does not take, and its word for why."""

    id: int
    why: str


@dataclass(frozen=True, slots=True)
class Reach:
    """What a reader's search is about, as the database knows it now."""

    source_runs: Sequence[tuple[int, int]]
    """The reader's sources: the first and last id of those that follow each other."""
    named_sources: Mapping[str, tuple[int, ...]] = field(default_factory=dict)
    """Those that each name in the query means."""
    named_briefings: Mapping[str, tuple[int, ...]] = field(default_factory=dict)
    has_changed: bool = False
    """Something that the reader has read or saved may not be in the index yet."""
