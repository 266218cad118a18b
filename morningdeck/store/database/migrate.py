"""Bringing a database to the newest schema, by Alembic, which nothing else imports."""

from __future__ import annotations

import warnings
from importlib.resources import files

from alembic import command
from alembic.autogenerate import compare_metadata
from alembic.config import Config
from alembic.migration import MigrationContext
from sqlalchemy import Connection

from morningdeck.store.database.connect import Database, Lock
from morningdeck.store.tables import metadata

FULLTEXT_PREFIX = "item_search"
"""Tables that Alembic must not touch: SQLite keeps five shadow tables for one FTS5 index."""
ITEM_DATE_INDEX = "ix_items_date"
"""Of an expression, which SQLite hides and PostgreSQL words in its own way."""


for _index in (index for table in metadata.sorted_tables for index in table.indexes):
    if (_where := _index.dialect_kwargs.get("sqlite_where")) is not None:
        _index.dialect_kwargs["postgresql_where"] = _where  # see `partial`


def config_for(connection: Connection | None = None) -> Config:
    config = Config()
    config.set_main_option("script_location", str(files("morningdeck.migrations")))
    config.attributes["connection"] = connection
    return config


def upgrade(database: Database, revision: str = "head") -> None:
    """Safe to run twice and from two processes: the second finds nothing to do."""
    with database.write() as connection:
        database.hold(connection, Lock.MIGRATION)
        command.upgrade(config_for(connection), revision)


def downgrade(database: Database, revision: str) -> None:
    with database.write() as connection:
        command.downgrade(config_for(connection), revision)


def keep(_object: object, name: str | None, kind: str, *_rest: object) -> bool:
    """Have Alembic compare all but the full-text tables and objects that it cannot read back."""
    if kind == "index" and name == ITEM_DATE_INDEX:
        return False
    return not (kind == "table" and name is not None and name.startswith(FULLTEXT_PREFIX))


def differences(database: Database) -> list[object]:
    """The differences between the tables in code and those of the database."""
    with database.write() as connection, warnings.catch_warnings():
        # a migration that copies `items` on SQLite has to make this index again
        warnings.filterwarnings("ignore", ".*expression-based index")
        context = MigrationContext.configure(
            connection, opts={"include_object": keep, "compare_type": True}
        )
        return list(compare_metadata(context, metadata))
