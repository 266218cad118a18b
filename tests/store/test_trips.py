"""What goes to the database together is stored together, or not at all."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from sqlalchemy import bindparam, func, select, text, update
from sqlalchemy.exc import IntegrityError

from morningdeck.errors import DatabaseAwayError
from morningdeck.store.database.connect import Database, open_database
from morningdeck.store.database.prepared import Prepared
from morningdeck.store.tables.news import items
from tests.factories import make_items, make_source, rows_of

RENAMING = Prepared(
    update(items).where(items.c.id == bindparam("which")).values(guid=bindparam("new"))
)
COUNTING = Prepared(select(func.count()).where(items.c.guid == bindparam("new")))


def guids(database: Database) -> set[str]:
    return {row.guid for row in rows_of(database, items)}


def rename_soon(database: Database, ids: Sequence[int], new: str) -> None:
    with database.write() as connection:
        for id_ in ids:
            RENAMING.soon(connection, {"which": id_, "new": new})


def test_what_may_wait_is_stored_at_the_end_of_its_transaction(database: Database) -> None:
    ids = make_items(database, make_source(database), 2)

    with database.write() as connection:
        for id_ in ids:
            RENAMING.soon(connection, {"which": id_, "new": f"100% of n{id_}"})

    assert guids(database) == {f"100% of n{id_}" for id_ in ids}


def test_what_may_wait_comes_before_the_next_statement_whoever_sends_it(
    database: Database,
) -> None:
    first, second = make_items(database, make_source(database), 2)

    with database.write() as connection:
        RENAMING.soon(connection, {"which": first, "new": "one"})
        assert COUNTING.within(connection, {"new": "one"}) == [(1,)]
        RENAMING.soon(connection, {"which": second, "new": "two"})
        assert connection.scalar(select(func.count()).where(items.c.guid == "two")) == 1


def test_what_waits_fails_with_all_of_its_transaction(database: Database) -> None:
    ids = make_items(database, make_source(database), 2)
    before = guids(database)

    with pytest.raises(IntegrityError):
        rename_soon(database, ids, "the same")

    assert guids(database) == before
    database.run(RENAMING, {"which": ids[0], "new": "later"})
    assert "later" in guids(database)


def test_an_error_of_ours_undoes_what_was_sent_and_what_waits(database: Database) -> None:
    first, second = make_items(database, make_source(database), 2)
    before = guids(database)

    def fail() -> None:
        with database.write() as connection:
            RENAMING.within(connection, {"which": first, "new": "sent"})
            RENAMING.soon(connection, {"which": second, "new": "waits"})
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        fail()
    assert guids(database) == before
    rename_soon(database, [first], "later")
    assert "later" in guids(database)


def test_a_connection_that_breaks_within_a_transaction_is_replaced(postgres_url: str) -> None:
    database = open_database(postgres_url)
    (id_,) = make_items(database, make_source(database), 1)
    before = guids(database)

    def fail() -> None:
        with database.write() as connection:
            RENAMING.within(connection, {"which": id_, "new": "sent"})
            session = connection.scalar(select(func.pg_backend_pid()))
            with database.read() as other:
                other.execute(text("SELECT pg_terminate_backend(:session)"), {"session": session})
            RENAMING.within(connection, {"which": id_, "new": "again"})

    with pytest.raises(DatabaseAwayError):
        fail()
    assert guids(database) == before
    rename_soon(database, [id_], "later")
    assert guids(database) == {"later"}
    database.close()


def test_who_reads_hears_for_all_that_the_server_is_another(postgres_url: str) -> None:
    database = open_database(postgres_url)
    make_items(database, make_source(database), 1)

    def fail() -> None:
        with database.read() as connection:
            with database.read() as other:
                sessions = [
                    one.scalar(select(func.pg_backend_pid())) for one in (connection, other)
                ]
            with database.write() as killing:
                for session in sessions:
                    killing.execute(text("SELECT pg_terminate_backend(:it)"), {"it": session})
            COUNTING.within(connection, {"new": "sent"})

    with pytest.raises(DatabaseAwayError):
        fail()
    with database.read() as connection:
        assert COUNTING.within(connection, {"new": "sent"}) == [(0,)]
    database.close()
