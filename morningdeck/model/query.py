"""What a search asks for, once its words are understood: a tree of plain values.

`AllOf(())` is met by everything, `AnyOf(())` by nothing: the former is what an empty search asks
for, the latter a search without anything that could be looked for.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Literal, TypeAlias

Place = Literal["", "title", "topic", "author"]
"""Where a term has to stand; anywhere if empty."""


@dataclass(frozen=True, slots=True)
class Term:
    """A word, or words that stand side by side, as the reader wrote them."""

    text: str
    quoted: bool = False
    """Exactly so: no other forms of its words."""
    prefix: bool = False
    """Its end is left open by a star."""
    unfinished: bool = False
    """The last word of all that was typed: what only begins so is found too, as a lesser match."""
    place: Place = ""


@dataclass(frozen=True, slots=True)
class NamedSource:
    """A part of the name, title or host of the source, or its number."""

    name: str


@dataclass(frozen=True, slots=True)
class NamedBriefing:
    """Scored by this briefing of the reader: a part of its title, or its number."""

    name: str


@dataclass(frozen=True, slots=True)
class InLanguage:
    """`de` is met by `de-AT` too."""

    code: str


@dataclass(frozen=True, slots=True)
class Dated:
    """Since `after` (included) or before `before`; `said` is that moment in the reader's zone."""

    said: str
    after: datetime | None = None
    before: datetime | None = None


@dataclass(frozen=True, slots=True)
class Scored:
    """Its best score by the reader's briefings, or by those that stand beside it in the query."""

    sign: Literal[">", ">=", "<", "<=", "="]
    value: int
    briefings: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Marked:
    mark: Literal["read", "unread", "saved"]


@dataclass(frozen=True, slots=True)
class Without:
    what: Asks


@dataclass(frozen=True, slots=True)
class AllOf:
    those: tuple[Asks, ...] = ()


@dataclass(frozen=True, slots=True)
class AnyOf:
    those: tuple[Asks, ...] = ()


Filter: TypeAlias = NamedSource | NamedBriefing | InLanguage | Dated | Scored | Marked
Asks: TypeAlias = Term | Filter | Without | AllOf | AnyOf


@dataclass(frozen=True, slots=True)
class Asked:
    """A query: what was typed, and what it asks for."""

    text: str = ""
    asks: Asks = AllOf()
    left_out: int = 0
    """So many words at its end were too many to look for."""
