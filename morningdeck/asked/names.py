"""The names in a query: only the database knows what they mean for this reader."""

from __future__ import annotations

from dataclasses import dataclass

from morningdeck.model.query import (
    AllOf,
    AnyOf,
    Asks,
    Marked,
    NamedBriefing,
    NamedSource,
    Scored,
    Without,
)


@dataclass(frozen=True, slots=True)
class Named:
    sources: frozenset[str] = frozenset()
    briefings: frozenset[str] = frozenset()
    marks: bool = False
    """It asks for what the reader has read or saved."""

    def __or__(self, other: Named) -> Named:
        marks = self.marks or other.marks
        return Named(self.sources | other.sources, self.briefings | other.briefings, marks)


def named_in(asks: Asks) -> Named:
    match asks:
        case NamedSource(name):
            return Named(sources=frozenset({name}))
        case NamedBriefing(name):
            return Named(briefings=frozenset({name}))
        case Scored(briefings=names):
            return Named(briefings=frozenset(names))
        case Marked():
            return Named(marks=True)
        case Without(what):
            return named_in(what)
        case AllOf(those) | AnyOf(those):
            found = Named()
            for one in those:
                found |= named_in(one)
            return found
    return Named()
