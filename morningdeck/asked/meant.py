"""What a query means, apart from what it forbids: for an order by meaning.

Plain words say what it is about, and need not be there. What was left out, fields and words in
quotation marks were meant as they stand, and keep filtering.
"""

from __future__ import annotations

from collections.abc import Iterator

from morningdeck.model.query import AllOf, AnyOf, Asks, Term


def words_meant(asks: Asks) -> str:
    """All that the reader wrote of its subject, in one line."""
    return " ".join(_words(asks))


def _words(asks: Asks) -> Iterator[str]:
    match asks:
        case Term(text, place="" | "title" | "topic"):
            yield text
        case AllOf(those) | AnyOf(those):
            for one in those:
                yield from _words(one)


def limits(asks: Asks) -> Asks:
    """The query without its plain words; `AllOf(())` if nothing else was asked for."""
    match asks:
        case Term(quoted=False, place=""):
            return AllOf()
        case AllOf(those):
            kept = tuple(limit for one in those if (limit := limits(one)) != AllOf())
            return kept[0] if len(kept) == 1 else AllOf(kept)
        case AnyOf(those):
            # where a plain word would do, nothing is forbidden
            kept = tuple(limits(one) for one in those)
            return AllOf() if AllOf() in kept else AnyOf(kept)
    return asks
