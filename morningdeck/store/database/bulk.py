"""Many rows in one statement: INSERT ... ON CONFLICT, which both databases speak in their own
dialect objects, and long lists of values, cut to what one statement takes.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, TypeVar

from sqlalchemy import ColumnElement, Connection, Row, Table, update

if TYPE_CHECKING:
    from sqlalchemy.dialects import postgresql, sqlite

T = TypeVar("T")
CHUNK = 500


def change(
    connection: Connection, table: Table, /, *where: ColumnElement[bool], **values: Any
) -> int:
    """Set these columns of the rows that meet the conditions; returns how many do."""
    return connection.execute(update(table).where(*where).values(**values)).rowcount


def insert_into(table: Table, kind: str) -> postgresql.Insert | sqlite.Insert:
    """`kind` is the database's."""
    if kind == "sqlite":
        from sqlalchemy.dialects.sqlite import insert as insert_sqlite

        return insert_sqlite(table)
    from sqlalchemy.dialects.postgresql import insert as insert_postgresql

    return insert_postgresql(table)


def insert(connection: Connection, table: Table) -> postgresql.Insert | sqlite.Insert:
    return insert_into(table, connection.dialect.name)


def insert_new(
    connection: Connection,
    table: Table,
    rows: Sequence[Mapping[str, Any]],
    unique: tuple[str, ...],
    returning: tuple[str, ...] = (),
) -> Sequence[Row[Any]]:
    """Insert what is not there yet, in one statement; returns only what is new."""
    if not rows:
        return ()
    statement = insert(connection, table).on_conflict_do_nothing(index_elements=unique)
    if not returning:
        connection.execute(statement, list(rows))
        return ()
    columns = [table.c[name] for name in returning]
    return connection.execute(statement.returning(*columns), list(rows)).all()


def put(
    connection: Connection,
    table: Table,
    rows: Sequence[Mapping[str, Any]],
    unique: tuple[str, ...],
) -> None:
    """Insert, or overwrite with the new values what is there."""
    if not rows:
        return
    statement = insert(connection, table)
    changed = {name: statement.excluded[name] for name in rows[0] if name not in unique}
    connection.execute(
        statement.on_conflict_do_update(index_elements=unique, set_=changed), list(rows)
    )


def in_chunks(values: Sequence[T]) -> Iterator[Sequence[T]]:
    for start in range(0, len(values), CHUNK):
        yield values[start : start + CHUNK]
