"""Rows that one statement inserts, made ready once for a few numbers of rows.

What SQLAlchemy does for each row costs more than SQLite's own work. And the driver's `executemany`
lets other threads have the interpreter at each row: a writer, whom all others wait for, would wait
for them as often.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from sqlalchemy import BindParameter, Connection, Table, bindparam

from morningdeck.store.database.prepared import Prepared, Rows

TOGETHER = (32, 16, 8, 4, 2, 1)
"""So many rows in one statement: six of them are kept, whatever the number of rows."""


class Several:
    """`made` has the statement for so many rows, whose values are called as `numbered` says."""

    def __init__(self, columns: Sequence[str], made: Callable[[int], Prepared]) -> None:
        self._columns = columns
        self._made = made
        self._kept: dict[int, tuple[Prepared, Sequence[str]]] = {}

    def within(self, connection: Connection, rows: Sequence[Mapping[str, Any]]) -> Rows:
        """What all of them return."""
        found: Rows = []
        for some in _in_parts(rows):
            statement, names = self._of(len(some))
            values = (row[name] for row in some for name in self._columns)
            found += statement.within(connection, dict(zip(names, values, strict=True)))
        return found

    def _of(self, count: int) -> tuple[Prepared, Sequence[str]]:
        if count not in self._kept:
            names = [numbered(name, place) for place in range(count) for name in self._columns]
            self._kept[count] = (self._made(count), names)
        return self._kept[count]


def open_rows(
    table: Table, columns: Sequence[str], count: int
) -> list[dict[str, BindParameter[Any]]]:
    """For `values` of an INSERT; their values are filled in later."""
    return [
        {name: bindparam(numbered(name, place), type_=table.c[name].type) for name in columns}
        for place in range(count)
    ]


def numbered(name: str, place: int) -> str:
    return f"{name}_{place}"


def _in_parts(rows: Sequence[Mapping[str, Any]]) -> Iterator[Sequence[Mapping[str, Any]]]:
    start = 0
    for size in TOGETHER:
        while len(rows) - start >= size:
            yield rows[start : start + size]
            start += size
