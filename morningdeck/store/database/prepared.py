"""A statement made ready once, for the driver alone.

Every job goes through two tiny transactions and a query. What SQLAlchemy does anew for each
execution costs several times what the database needs, so these few statements are
compiled when they are first run, and only their values are filled in later.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from typing import Any

from sqlalchemy import Connection, Dialect, Select, TextClause
from sqlalchemy.sql.dml import UpdateBase
from sqlalchemy.types import TypeEngine

from morningdeck.store.database import trips

Convert = Callable[[Any], Any]
Rows = list[tuple[Any, ...]]
Statement = UpdateBase | Select[Any] | TextClause


class Prepared:
    """Its `bindparam`s without a value are filled in later.

    One that is not `lasting` may be lost with the machine's power, as long as nothing is that
    was written after it: what only says who works on a row is worth nothing then. A server
    crashes alone, and those who work live on: it forgets only what is `repeatable` beside them.
    A server keeps what is `kept`, planned for whatever values may come: rows by their ids.
    """

    def __init__(
        self,
        statement: Statement,
        *,
        lasting: bool = True,
        repeatable: bool = False,
        kept: bool = False,
    ) -> None:
        self.core = statement
        self.lasting = lasting
        self.repeatable = repeatable
        self.kept = kept
        self.reads = isinstance(statement, Select)
        self._compiled: dict[str, Compiled] = {}

    def on(self, dialect: Dialect) -> Compiled:
        made = self._compiled.get(dialect.name)
        if made is None:
            made = self._compiled[dialect.name] = Compiled(self.core, dialect)
        return made

    def within(self, connection: Connection, values: dict[str, Any]) -> Rows:
        """As one of several statements of a transaction."""
        compiled = self.on(connection.dialect)
        parameters = compiled.parameters(values)
        # SQLAlchemy's part of it costs more than the databases'
        if connection.dialect.name == "sqlite":
            cursor = connection.connection.cursor()
            cursor.execute(compiled.sql, parameters)
            return compiled.rows(rows_of(cursor))
        return compiled.rows(rows_of(trips.answered(connection, compiled.sql, parameters)))

    def soon(self, connection: Connection, values: dict[str, Any]) -> None:
        """As `within`, before the transaction's next statement or its end: nobody wants to know
        what becomes of it. PostgreSQL gets it together with that.
        """
        if connection.dialect.name == "sqlite":
            self.within(connection, values)
        else:
            compiled = self.on(connection.dialect)
            trips.queue(connection, compiled.sql, compiled.parameters(values))


class Compiled:
    """The statement in one database's own words."""

    def __init__(self, statement: Statement, dialect: Dialect) -> None:
        compiled = statement.compile(dialect=dialect)
        self.sql = str(compiled)
        self.fixed: dict[str, Any] = {}
        self._open: list[tuple[str, Convert | None]] = []
        for bind, name in compiled.bind_names.items():
            convert = bind.type.dialect_impl(dialect).bind_processor(dialect)
            if bind.required:
                self._open.append((name, convert))
            else:
                self.fixed[name] = convert(bind.value) if convert else bind.value
        self._binds = {name: bind for bind, name in compiled.bind_names.items() if bind.required}
        self._dialect = dialect
        columns = () if isinstance(statement, TextClause) else statement.exported_columns
        kinds = (column.type for column in columns)
        self._converts = tuple(
            (number, convert)
            for number, convert in enumerate(_from_driver(kind, dialect) for kind in kinds)
            if convert is not None
        )

    @cached_property
    def kinds(self) -> dict[str, str]:
        """The types of the open values, as the database calls them."""
        return {name: bind.type.compile(self._dialect) for name, bind in self._binds.items()}

    def parameters(self, values: dict[str, Any]) -> dict[str, Any]:
        """The values as the driver wants them."""
        filled = self.fixed.copy()
        for name, convert in self._open:
            filled[name] = convert(values[name]) if convert else values[name]
        return filled

    def rows(self, rows: Rows) -> Rows:
        """What the driver has returned, its values in the order of the statement's columns."""
        return [self._from_driver(row) for row in rows] if self._converts else rows

    def _from_driver(self, row: tuple[Any, ...]) -> tuple[Any, ...]:
        values = list(row)
        for number, convert in self._converts:
            values[number] = convert(values[number])
        return tuple(values)


def rows_of(cursor: Any) -> Rows:
    """An empty one for each that was changed if the statement returns none."""
    return [()] * cursor.rowcount if cursor.description is None else cursor.fetchall()


def _from_driver(kind: TypeEngine[Any], dialect: Dialect) -> Convert | None:
    return kind.dialect_impl(dialect).result_processor(dialect, None)
