"""The migrations and the tables in code agree, forwards and backwards, with data in place."""

from __future__ import annotations

from alembic.script import ScriptDirectory
from sqlalchemy import func, select

from morningdeck.store.database import migrate
from morningdeck.store.database.connect import Database
from morningdeck.store.database.revision import current, head
from morningdeck.store.tables import sources, users


def test_the_migrations_make_exactly_the_tables_of_the_code(database: Database) -> None:
    assert migrate.differences(database) == []
    assert current(database) == head()


def test_alembic_agrees_which_migration_is_the_newest() -> None:
    assert head() == ScriptDirectory.from_config(migrate.config_for()).get_current_head()


def test_upgrading_twice_keeps_what_is_there(database: Database) -> None:
    with database.write() as connection:
        connection.execute(users.insert().values(email="ada@example.org"))

    migrate.upgrade(database)

    with database.read() as connection:
        assert connection.scalar(select(func.count()).select_from(users)) == 1


def test_a_downgrade_with_data_leaves_nothing_and_can_be_undone(database: Database) -> None:
    with database.write() as connection:
        connection.execute(sources.insert().values(url="https://example.org/feed"))

    migrate.downgrade(database, "base")
    assert current(database) is None
    migrate.upgrade(database)

    assert migrate.differences(database) == []
