"""A statement made ready once, for the driver alone.

Every job goes through two tiny transactions and a look-up. What the toolkit does anew for each
execution costs several times what the database needs, so these few statements are
compiled when the store is made, and only their values are filled in later.
"""

from __future__ import annotations

from collections import namedtuple
from collections.abc import Callable
from typing import Any

from sqlalchemy import BindParameter, Dialect, Engine, PoolProxiedConnection, Select
from sqlalchemy.exc import DBAPIError
from sqlalchemy.sql.dml import UpdateBase
from sqlalchemy.types import TypeEngine

Convert = Callable[[Any], Any]


class Prepared:
    """Its `bindparam`s without a value are filled in later; it must return rows."""

    def __init__(self, statement: UpdateBase | Select[Any], dialect: Dialect) -> None:
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


class PreparedQuery:
    """A SELECT made ready; its rows know their columns by name."""

    def __init__(self, query: Select[Any], dialect: Dialect) -> None:
        self._prepared = Prepared(query, dialect)
        columns = query.selected_columns
        self._row: Any = namedtuple("Row", columns.keys())  # type: ignore[misc]
        self._converts = tuple(_from_driver(column.type, dialect) for column in columns)

    def rows(self, connection: PoolProxiedConnection, values: dict[str, Any]) -> list[Any]:
        found = self._prepared.run(connection, self._prepared.parameters(values))
        return [self._made(row) for row in found]

    def _made(self, row: tuple[Any, ...]) -> Any:
        pairs = zip(self._converts, row, strict=True)
        return self._row._make(convert(value) if convert else value for convert, value in pairs)


def driver_connection(engine: Engine) -> PoolProxiedConnection:
    """One of the pool; only here the toolkit lets through what the driver raises."""
    driver = engine.dialect.loaded_dbapi
    try:
        return engine.raw_connection()
    except driver.Error as error:
        raise DBAPIError.instance(
            None, None, error, driver.Error, dialect=engine.dialect
        ) from error


def _to_driver(bind: BindParameter[Any], dialect: Dialect) -> Convert:
    convert = bind.type.dialect_impl(dialect).bind_processor(dialect)
    return (lambda value: value) if convert is None else convert


def _from_driver(kind: TypeEngine[Any], dialect: Dialect) -> Convert | None:
    return kind.dialect_impl(dialect).result_processor(dialect, None)
