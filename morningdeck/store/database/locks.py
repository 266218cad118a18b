"""What only one process may do at a time on PostgreSQL: its advisory locks, each with a number.

On SQLite whoever writes is alone already.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from enum import IntEnum, unique

from sqlalchemy import Connection, func, select

from morningdeck.store.database.connect import Database


@unique
class Lock(IntEnum):
    MIGRATION = 7_264_801
    STORIES = 7_264_802
    RETENTION = 7_264_803
    FIRST_USER = 7_264_804


def hold(connection: Connection, lock: Lock) -> None:
    """Wait for it; it is free again when the transaction ends."""
    if connection.dialect.name == "postgresql":
        connection.execute(select(func.pg_advisory_xact_lock(lock.value)))


@contextmanager
def held_if_free(database: Database, lock: Lock) -> Iterator[bool]:
    """Over many transactions; it goes with the session that took it."""
    if database.is_sqlite:
        yield True
        return
    with database.single() as session:
        mine = bool(session.scalar(select(func.pg_try_advisory_lock(lock.value))))
        try:
            yield mine
        finally:
            if mine:
                session.execute(select(func.pg_advisory_unlock(lock.value)))
