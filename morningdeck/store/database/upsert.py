"""INSERT ... ON CONFLICT, which both databases speak in their own dialect objects."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from sqlalchemy import Connection, Row, Table

if TYPE_CHECKING:
    from sqlalchemy.dialects import postgresql, sqlite


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
