"""The migrations and the tables in code agree, forwards and backwards, with data in place."""

from __future__ import annotations

from sqlalchemy import func, select

from morningdeck.store.database import migrate
from morningdeck.store.database.connect import Database
from morningdeck.store.tables import sources, users


def test_the_migrations_make_exactly_the_tables_of_the_code(database: Database) -> None:
    assert migrate.differences(database) == []
    assert migrate.current(database) == migrate.head()


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
    assert migrate.current(database) is None
    migrate.upgrade(database)

    assert migrate.differences(database) == []
