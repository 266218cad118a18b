"""A statement made ready once, for the driver alone.

Every job goes through two tiny transactions. What the toolkit does anew for each
execution costs several times what the database needs, so these few statements are
compiled when the store is made, and only their values are filled in later.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from sqlalchemy import BindParameter, Dialect, Engine, PoolProxiedConnection
from sqlalchemy.exc import DBAPIError
from sqlalchemy.sql.dml import UpdateBase

Convert = Callable[[Any], Any]


class Prepared:
    """Its `bindparam`s without a value are filled in later; it must return rows."""

    def __init__(self, statement: UpdateBase, dialect: Dialect) -> None:
        compiled = statement.compile(dialect=dialect)
        self.core = statement
        self.sql = str(compiled)
        self._dialect = dialect
        self._fixed: dict[str, Any] = {}
        self._open: list[tuple[str, Convert]] = []
        for bind, name in compiled.bind_names.items():
            convert = _converter(bind, dialect)
            if bind.required:
                self._open.append((name, convert))
            else:
                self._fixed[name] = convert(bind.value)

    def parameters(self, values: dict[str, Any]) -> dict[str, Any]:
        """The values as the driver wants them, for `run`."""
        filled = self._fixed.copy()
        for name, convert in self._open:
            filled[name] = convert(values[name])
        return filled

    def run(
        self, connection: PoolProxiedConnection, parameters: dict[str, Any]
    ) -> list[tuple[Any, ...]]:
        """The rows; what the driver raises comes out as the toolkit would have raised it."""
        cursor = connection.cursor()
        try:
            cursor.execute(self.sql, parameters)
            return list(cursor.fetchall())
        except self._dialect.loaded_dbapi.Error as error:
            raise DBAPIError.instance(
                None,
                None,
                error,
                self._dialect.loaded_dbapi.Error,
                connection_invalidated=self._dialect.is_disconnect(error, connection, cursor),
                dialect=self._dialect,
            ) from error
        finally:
            cursor.close()


def driver_connection(engine: Engine) -> PoolProxiedConnection:
    """One of the pool; only here the toolkit lets through what the driver raises."""
    driver = engine.dialect.loaded_dbapi
    try:
        return engine.raw_connection()
    except driver.Error as error:
        raise DBAPIError.instance(
            None, None, error, driver.Error, dialect=engine.dialect
        ) from error


def _converter(bind: BindParameter[Any], dialect: Dialect) -> Convert:
    convert = bind.type.dialect_impl(dialect).bind_processor(dialect)
    return (lambda value: value) if convert is None else convert
