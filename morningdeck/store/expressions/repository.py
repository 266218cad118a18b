"""What the parts of the store are made from: single statements, and values out of their rows."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import fields
from functools import cache
from operator import attrgetter
from typing import Any, TypeVar, TypeVarTuple

from sqlalchemy import ColumnElement, Connection, Row, Select, Table, func, select

from morningdeck.errors import NotFoundError
from morningdeck.store.database.bulk import change
from morningdeck.store.database.connect import Database

Value = TypeVar("Value")
Column = TypeVar("Column")
Columns = TypeVarTuple("Columns")
Key = TypeVar("Key")
NAMED = ("topics", "people", "companies", "technologies")
"""What the names in an item's tags stand for."""


def found(values: Sequence[Value], what: str) -> Value:
    """The first of them, if there is one."""
    if not values:
        raise NotFoundError(f"there is no {what}")
    return values[0]


def grouped(pairs: Iterable[tuple[Key, Value]]) -> dict[Key, tuple[Value, ...]]:
    """The values of each key, in their order."""
    groups: dict[Key, list[Value]] = {}
    for key, value in pairs:
        groups.setdefault(key, []).append(value)
    return {key: tuple(values) for key, values in groups.items()}


def made_of(row: Any, kind: type[Value], **others: Any) -> Value:
    """The dataclass whose fields are the row's columns of the same names, but for the `others`."""
    names, values_of = _reading(kind, frozenset(others))  # type: ignore[arg-type]  # a class is hashable
    return kind(**dict(zip(names, values_of(row), strict=True)), **others)


@cache
def _reading(kind: Any, others: frozenset[str]) -> tuple[list[str], Callable[[Any], Any]]:
    """The columns of a row that make a value, and what reads them all at once."""
    names = [field.name for field in fields(kind) if field.name not in others]
    if len(names) == 1:
        return names, lambda row: (getattr(row, names[0]),)
    return names, attrgetter(*names)


def names_in(tags: Mapping[str, Any], source_topics: Sequence[str]) -> dict[str, tuple[str, ...]]:
    """The names that an item's tags have, by what they name; until it has topics of its own those
    of its source count.
    """
    names = {of: tuple(tags.get(of, ())) for of in NAMED}
    return {**names, "topics": names["topics"] or tuple(source_topics)}


def count_up_to(cap: int, connection: Connection, query: Select[int]) -> int:
    """How many rows the query finds; it looks for no more than `cap`."""
    counted = select(func.count()).select_from(query.limit(cap).subquery())
    return connection.scalar(counted) or 0


class Repository:
    """Asks one database; each of these is a transaction of its own."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def _rows(self, query: Select[*Columns]) -> Sequence[Row[*Columns]]:
        with self._database.read() as connection:
            return connection.execute(query).all()

    def _row(self, query: Select[*Columns]) -> Row[*Columns] | None:
        """The only one, if there is one."""
        with self._database.read() as connection:
            return connection.execute(query).one_or_none()

    def _column(self, query: Select[Column]) -> tuple[Column, ...]:
        with self._database.read() as connection:
            return tuple(connection.scalars(query))

    def _scalar(self, query: Select[Column]) -> Column | None:
        with self._database.read() as connection:
            return connection.scalar(query)

    def _change(self, table: Table, /, *where: ColumnElement[bool], **values: Any) -> int:
        with self._database.write() as connection:
            return change(connection, table, *where, **values)
