"""From what a search asks for to conditions of SQL.

What can be told by one question to the index is: it is joined, and orders by how well it is met.
The rest are conditions beside it, each of which may ask the index again.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import (
    ColumnElement,
    Connection,
    and_,
    exists,
    false,
    func,
    not_,
    or_,
    select,
    true,
)

from morningdeck.asked.words import forms_in
from morningdeck.model.finding import ItemFilter
from morningdeck.model.query import (
    AllOf,
    AnyOf,
    Asks,
    Dated,
    InLanguage,
    Marked,
    NamedBriefing,
    NamedSource,
    Scored,
    Term,
    Without,
)
from morningdeck.store.database.search_table import INDEX, IndexTable
from morningdeck.store.expressions.texts import source_name
from morningdeck.store.expressions.visibility import (
    briefings_of_reader,
    saved_by_reader,
    subscribes,
)
from morningdeck.store.tables.briefs import briefings, item_scores
from morningdeck.store.tables.news import item_date, item_states, items, sources, subscriptions
from morningdeck.store.views import item_filter


@dataclass(frozen=True, slots=True)
class SearchPlan:
    """`text` is what the index is asked, made of terms alone; `rest` are conditions of an item."""

    text: Asks | None
    rest: tuple[ColumnElement[bool], ...] = ()


def planned(connection: Connection, table: IndexTable, user_id: int, asks: Asks) -> SearchPlan:
    return _Planning(connection, table, user_id).plan(asks)


def asked_condition(
    connection: Connection, table: IndexTable, user_id: int, asks: Asks, first: int | None = None
) -> ColumnElement[bool]:
    """The same as one condition, for lists that are in an order of their own; of items whose ids
    are not below `first`, if the index need not look at others.
    """
    return _Planning(connection, table, user_id, first).condition(asks)


@dataclass(frozen=True, slots=True)
class _Planning:
    connection: Connection
    table: IndexTable
    user_id: int
    first: int | None = None

    def plan(self, asks: Asks) -> SearchPlan:
        those = asks.those if isinstance(asks, AllOf) else (asks,)
        texts = tuple(one for one in those if _is_text(one))
        rest = tuple(self.condition(one) for one in those if not _is_text(one))
        whole = texts[0] if len(texts) == 1 else AllOf(texts)
        return SearchPlan(whole if texts else None, rest)

    def condition(self, asks: Asks) -> ColumnElement[bool]:
        if _is_text(asks):
            match = select(self.table.item_id).select_from(INDEX).where(self.table.matches(asks))
            if self.first is not None:
                match = match.where(self.table.item_id >= self.first)
            return items.c.id.in_(match)
        match asks:
            case AllOf(those):
                return and_(true(), *(self.condition(one) for one in those))
            case AnyOf(those):
                return self._any(those)
            case Without(what):
                return not_(self.condition(what))
            case NamedSource(name):
                return items.c.source_id.in_(self._sources(name))
            case NamedBriefing(name):
                return exists(self._scores((name,)))
            case Scored():
                return self._scored(asks)
        return _of_item(asks, self.user_id)

    def _any(self, those: Sequence[Asks]) -> ColumnElement[bool]:
        texts = tuple(one for one in those if _is_text(one))
        rest = [self.condition(one) for one in those if not _is_text(one)]
        if texts:
            rest.append(self.condition(AnyOf(texts) if len(texts) > 1 else texts[0]))
        return or_(false(), *rest)

    def _scored(self, asks: Scored) -> ColumnElement[bool]:
        scores = self._scores(asks.briefings)
        if asks.sign in (">", ">="):  # one that is high enough will do
            return exists(scores.where(_compared(item_scores.c.score, asks)))
        best = scores.with_only_columns(func.max(item_scores.c.score)).scalar_subquery()
        return func.coalesce(_compared(best, asks), false())

    def _scores(self, names: Sequence[str]) -> Any:
        """Of an item, by the reader's briefings of these names, or by all where none is named."""
        if not names:
            return item_filter.scores(self.user_id, ItemFilter())
        ids = {one for name in names for one in self._briefings(name)}
        of_item = item_scores.c.item_id == items.c.id
        counts = item_scores.c.briefing_id.in_(ids)
        return select(item_scores.c.score).where(of_item, counts).correlate(items)

    def _sources(self, name: str) -> list[int]:
        query = select(sources.c.id, source_name().label("name"), sources.c.host).join(
            subscriptions, subscribes(self.user_id, sources.c.id)
        )
        rows = self.connection.execute(query)
        return [row.id for row in rows if is_called(name, row.id, f"{row.name} {row.host}")]

    def _briefings(self, name: str) -> list[int]:
        """With their sections."""
        columns = (briefings.c.id, briefings.c.title, briefings.c.section_of)
        query = briefings_of_reader(self.user_id).with_only_columns(*columns)
        rows = self.connection.execute(query).all()
        whole = {
            row.id for row in rows if row.section_of is None and is_called(name, row.id, row.title)
        }
        return [row.id for row in rows if row.id in whole or row.section_of in whole]


def _is_text(asks: Asks) -> bool:
    match asks:
        case Term():
            return True
        case AllOf(those) | AnyOf(those):
            return bool(those) and all(_is_text(one) for one in those)
    return False


def is_called(name: str, number: int, title: str) -> bool:
    """Whether the title has these words, the last one perhaps only begun; or it is its number."""
    wanted, there = (" " + " ".join(w.form for w in forms_in(text)) for text in (name, title))
    return name == str(number) or (wanted != " " and wanted in there)


def _compared(score: ColumnElement[Any], asks: Scored) -> ColumnElement[bool]:
    sign: Any = asks.sign
    return score == asks.value if sign == "=" else score.op(sign, is_comparison=True)(asks.value)


def _of_item(asks: Asks, user_id: int) -> ColumnElement[bool]:
    match asks:
        case InLanguage(code):
            language = func.coalesce(items.c.language, "")  # NOT of a NULL is no match
            return or_(language == code, language.startswith(f"{code}-"))
        case Dated(_, after, before):
            sides = [item_date >= after] if after else []
            return and_(true(), *sides, *([item_date < before] if before else []))
        case Marked("saved"):
            return items.c.id.in_(saved_by_reader(user_id))
        case Marked(mark):
            read = exists().where(
                item_states.c.item_id == items.c.id,
                item_states.c.user_id == user_id,
                item_states.c.read_at.is_not(None),
            )
            return read if mark == "read" else ~read
    raise TypeError(f"no condition: {asks!r}")
