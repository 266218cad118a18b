"""Which schema a database has, and which one the code knows.

Read without Alembic: every command asks, and importing that takes longer than most commands.
"""

from __future__ import annotations

from importlib.resources import files

from sqlalchemy import Connection, column, select, table

from morningdeck.store.database.connect import Database

_VERSION = table("alembic_version", column("version_num"))
"""The table in which Alembic keeps its one row."""


def head() -> str:
    """The newest migration's: `0005` of `0005_closed_reports.py`."""
    names = (file.name for file in files("morningdeck.migrations").joinpath("versions").iterdir())
    return max(name for name in names if name[0].isdigit()).partition("_")[0]


def current(database: Database) -> str | None:
    with database.read() as connection:
        return _current(connection)


def _current(connection: Connection) -> str | None:
    if not connection.dialect.has_table(connection, _VERSION.name):
        return None
    return connection.scalar(select(_VERSION.c.version_num))
