"""A transaction on PostgreSQL in as few trips to the server as its answers take.

    BEGIN; UPDATE ...            the first statement takes BEGIN along
    INSERT ...; UPDATE ...; SELECT ...   what nobody wants an answer to waits for one that does
    INSERT ...; COMMIT           and the end takes along what is left

Each trip costs both sides more than most statements, and a thread of a busy daemon waits for
the interpreter after each. So the connection is in autocommit, and the words that begin and
end a transaction are ours.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from sqlalchemy import Connection, Engine, event

_UNSENT = "unsent"
"""Where a connection keeps what is to go with the next trip, as long as it has a transaction."""
_BEGIN = b"BEGIN"
_SEPARATOR = b";"

_Unsent = list[bytes]


@contextmanager
def transaction(connection: Connection) -> Iterator[None]:
    """Committed at the end, rolled back on any error."""
    unsent = connection.info[_UNSENT] = [_BEGIN]
    try:
        yield
        if unsent != [_BEGIN]:
            _send(connection, unsent, b"COMMIT")
    except BaseException:
        _undo(connection)
        raise
    finally:
        if not connection.invalidated:
            connection.info.pop(_UNSENT, None)


def answered(connection: Connection, sql: str, parameters: dict[str, Any]) -> Any:
    """The driver's cursor, with what the server answers."""
    driver = connection.connection
    cursor, unsent = driver.cursor(), driver.info.get(_UNSENT)
    if unsent:
        unsent.append(cursor.mogrify(sql, parameters))
        _send_all(cursor, unsent)
    else:
        cursor.execute(sql, parameters)
    return cursor


def queue(connection: Connection, sql: str, parameters: dict[str, Any]) -> None:
    """For the next trip."""
    driver = connection.connection
    driver.info[_UNSENT].append(driver.cursor().mogrify(sql, parameters))


def watch(engine: Engine) -> None:
    """What waits goes before any statement that SQLAlchemy sends."""

    def send_first(connection: Connection, cursor: Any, *_: Any) -> None:
        if unsent := connection.info.get(_UNSENT):
            _send_all(cursor, unsent)

    event.listen(engine, "before_cursor_execute", send_first)


def _send(connection: Connection, unsent: _Unsent, last: bytes) -> None:
    unsent.append(last)
    _send_all(connection.connection.cursor(), unsent)


def _send_all(cursor: Any, unsent: _Unsent) -> None:
    together = _SEPARATOR.join(unsent)
    unsent.clear()
    cursor.execute(together)


def _undo(connection: Connection) -> None:
    if connection.closed or connection.invalidated:
        return
    driver: Any = connection.connection.driver_connection
    psycopg2: Any = connection.dialect.loaded_dbapi
    idle = psycopg2.extensions.TRANSACTION_STATUS_IDLE
    if driver.closed or driver.get_transaction_status() == idle:
        return
    try:
        driver.cursor().execute("ROLLBACK")
    except psycopg2.Error as error:
        connection.invalidate(error)
