"""A statement made ready once, for the driver alone.

Every job goes through two tiny transactions and a look-up. What the toolkit does anew for each
execution costs several times what the database needs, so these few statements are
compiled when the store is made, and only their values are filled in later.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from sqlalchemy import BindParameter, Connection, Dialect, Engine, PoolProxiedConnection, Select
from sqlalchemy.engine.interfaces import DBAPIModule
from sqlalchemy.exc import DBAPIError
from sqlalchemy.sql.dml import UpdateBase
from sqlalchemy.types import TypeEngine

Convert = Callable[[Any], Any]
Statement = UpdateBase | Select[Any]


class Prepared:
    """Its `bindparam`s without a value are filled in later."""

    def __init__(self, statement: Statement, dialect: Dialect) -> None:
        compiled = statement.compile(dialect=dialect)
        self.core = statement
        self.sql = str(compiled)
        self._dialect = dialect
        self._fixed: dict[str, Any] = {}
        self._open: list[tuple[str, Convert]] = []
        for bind, name in compiled.bind_names.items():
            convert = _to_driver(bind, dialect)
            if bind.required:
                self._open.append((name, convert))
            else:
                self._fixed[name] = convert(bind.value)
        kinds = (column.type for column in statement.exported_columns)
        self._converts = tuple(
            (place, convert)
            for place, convert in enumerate(_from_driver(kind, dialect) for kind in kinds)
            if convert is not None
        )

    def parameters(self, values: dict[str, Any]) -> dict[str, Any]:
        """The values as the driver wants them, for `run`."""
        filled = self._fixed.copy()
        for name, convert in self._open:
            filled[name] = convert(values[name])
        return filled

    def run(
        self, connection: PoolProxiedConnection, parameters: dict[str, Any]
    ) -> list[tuple[Any, ...]]:
        """The rows, their values in the order of the statement's columns; an empty one for each
        that was changed if it returns none.
        """
        with toolkit_errors(self._dialect, connection):
            cursor = connection.cursor()
            cursor.execute(self.sql, parameters)
            if cursor.description is None:
                return [()] * cursor.rowcount
            return [self._from_driver(row) for row in cursor.fetchall()]

    def run_by_toolkit(
        self, connection: Connection, values: dict[str, Any]
    ) -> list[tuple[Any, ...]]:
        """The same, within a transaction of the toolkit."""
        result = connection.execute(self.core, values)
        if not result.returns_rows:
            return [()] * result.rowcount
        return [tuple(row) for row in result]

    def _from_driver(self, row: tuple[Any, ...]) -> tuple[Any, ...]:
        if not self._converts:
            return tuple(row)
        values = list(row)
        for place, convert in self._converts:
            values[place] = convert(values[place])
        return tuple(values)


def driver_connection(engine: Engine) -> PoolProxiedConnection:
    """One of the pool; only here the toolkit lets through what the driver raises."""
    with toolkit_errors(engine.dialect):
        return engine.raw_connection()


@contextmanager
def toolkit_errors(
    dialect: Dialect, connection: PoolProxiedConnection | None = None
) -> Iterator[None]:
    """What the driver raises comes out as the toolkit would have raised it."""
    try:
        yield
    except dialect.loaded_dbapi.Error as error:
        raise by_toolkit(error, dialect, connection) from error


def by_toolkit(
    error: DBAPIModule.Error, dialect: Dialect, connection: PoolProxiedConnection | None = None
) -> DBAPIError:
    """What the toolkit would have made of the driver's error."""
    driver = dialect.loaded_dbapi
    made = DBAPIError.instance(
        None,
        None,
        error,
        driver.Error,
        connection_invalidated=dialect.is_disconnect(error, connection, None),
        dialect=dialect,
    )
    assert isinstance(made, DBAPIError)  # of a driver's error it makes nothing else
    return made


def _to_driver(bind: BindParameter[Any], dialect: Dialect) -> Convert:
    convert = bind.type.dialect_impl(dialect).bind_processor(dialect)
    return (lambda value: value) if convert is None else convert


def _from_driver(kind: TypeEngine[Any], dialect: Dialect) -> Convert | None:
    return kind.dialect_impl(dialect).result_processor(dialect, None)
