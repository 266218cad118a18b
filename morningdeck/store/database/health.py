"""Whether the database is whole, and whether its schema is the one that the code knows."""

from __future__ import annotations

from sqlalchemy import Connection

from morningdeck.store.database.connect import Database
from morningdeck.store.database.revision import current, head
from morningdeck.views import DatabaseView


def examine(database: Database, *, thorough: bool = False) -> DatabaseView:
    """`thorough` reads every page of a SQLite file and compares every table."""
    revision, newest = current(database), head()
    problems = []
    if revision != newest:
        problems.append(f"the schema is {revision}, not {newest}: morningdeck db upgrade")
    if thorough:
        from morningdeck.store.database import migrate  # with Alembic: see `revision`

        problems += [f"the schema differs: {found}" for found in migrate.differences(database)]
        if database.is_sqlite:
            with database.read() as connection:
                problems += _damage(connection)
    return DatabaseView(database.kind, revision, newest, not problems, tuple(problems))


def _damage(connection: Connection) -> list[str]:
    verdicts = connection.exec_driver_sql("PRAGMA integrity_check(10)").scalars()
    orphans = connection.exec_driver_sql("PRAGMA foreign_key_check").all()
    damage = [f"damaged: {verdict}" for verdict in verdicts if verdict != "ok"]
    if orphans:
        damage.append(f"{len(orphans)} rows point to rows that are not there")
    return damage
