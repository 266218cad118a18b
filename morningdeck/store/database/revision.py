"""Which schema a database has, which one the code knows, and whether all is well with it.

Read without Alembic: every command asks, and importing that takes longer than most commands.
"""

from __future__ import annotations

from importlib import import_module
from pathlib import Path

from sqlalchemy import column, select, table

from morningdeck.store.database.connect import Database
from morningdeck.views.running import DatabaseView

_VERSION = table("alembic_version", column("version_num"))
"""The table in which Alembic keeps its one row."""


def head() -> str:
    """The newest migration's: `0005` of `0005_closed_reports.py`."""
    versions = Path(import_module("morningdeck.migrations").__path__[0], "versions")
    return max(file.name for file in versions.glob("[0-9]*.py")).partition("_")[0]


def current(database: Database) -> str | None:
    with database.read() as connection:
        if not connection.dialect.has_table(connection, _VERSION.name):
            return None
        return connection.scalar(select(_VERSION.c.version_num))


def examine(database: Database, *, thorough: bool = False) -> DatabaseView:
    """Is the database whole, and its schema the one that the code knows?

    `thorough` reads every page of a SQLite file and compares every table.
    """
    revision, newest = current(database), head()
    problems = []
    if revision != newest:
        problems.append(f"the schema is {revision}, not {newest}: morningdeck db upgrade")
    if thorough:
        from morningdeck.store.database import migrate  # with Alembic

        problems += [f"the schema differs: {found}" for found in migrate.differences(database)]
        problems += database.damage()
    return DatabaseView(database.kind, revision, newest, not problems, tuple(problems))
