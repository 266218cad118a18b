"""Whether the database is whole, and whether its schema is the one that the code knows."""

from __future__ import annotations

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
        problems += database.damage()
    return DatabaseView(database.kind, revision, newest, not problems, tuple(problems))
