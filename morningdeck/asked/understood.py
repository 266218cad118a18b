"""What a query was understood as, told back in one plain line."""

from __future__ import annotations

from morningdeck.model.query import (
    AllOf,
    AnyOf,
    Asked,
    Asks,
    Dated,
    Filter,
    InLanguage,
    Marked,
    NamedBriefing,
    NamedSource,
    Scored,
    Term,
    Without,
)

SIGNS = {">": "above", ">=": "of at least", "<": "below", "<=": "of at most", "=": "of"}
ALL_THERE_IS, NOTHING_ASKED = "everything", "nothing that could be looked for"


def understood(asked: Asked) -> str:
    match asked.asks:
        case AllOf(()):
            return ALL_THERE_IS
        case AnyOf(()):
            return NOTHING_ASKED
        case AllOf(those):
            told = ", ".join(_tell(one) for one in those)
        case _:
            told = _tell(asked.asks)
    more = f"; {asked.left_out} more left out, they are too many" if asked.left_out else ""
    return " ".join(told.split()) + more


def _tell(asking: Asks) -> str:
    match asking:
        case Term():
            return _term(asking)
        case Without(what):
            return f"not {_within(what)}"
        case AnyOf(those):
            return " or ".join(_within(one) for one in those)
        case AllOf(those):
            return " and ".join(_within(one) for one in those)
    return _filter(asking)


def _within(asking: Asks) -> str:
    told = _tell(asking)
    return f"({told})" if isinstance(asking, AllOf | AnyOf) else told


def _term(term: Term) -> str:
    text = f'"{term.text}"' if term.quoted else term.text
    text += "*" if term.prefix else ""
    return f"{term.place} has {text}" if term.place else text


def _filter(asking: Filter) -> str:
    match asking:
        case NamedSource(name):
            return f"from a source called {name}"
        case NamedBriefing(name):
            return f"scored by briefing {name}"
        case InLanguage(code):
            return f"in language {code}"
        case Scored(sign, value):
            return f"score {SIGNS[sign]} {value}"
        case Marked(mark):
            return mark
        case Dated(said, after):
            return f"{'since' if after else 'before'} {said}"
