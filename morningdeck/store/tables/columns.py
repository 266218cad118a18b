"""What the tables share: their metadata, column types and groups, partial indexes.

A stage's rows all carry the same columns under the same keys (`status`, `due_at`,
`failures`, ...), whatever the database calls them: so one engine serves every table.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict
from datetime import UTC, datetime
from typing import Any

from sqlalchemy import (
    JSON,
    BigInteger,
    CheckConstraint,
    Column,
    ColumnElement,
    DateTime,
    Dialect,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    Table,
    Text,
    TypeDecorator,
    false,
    func,
    literal_column,
    true,
)
from sqlalchemy.schema import SchemaItem
from sqlalchemy.types import Boolean, TypeEngine

from morningdeck.work import Lifecycle

metadata = MetaData(
    naming_convention={
        "ix": "ix_%(table_name)s_%(column_0_N_name)s",
        "uq": "uq_%(table_name)s_%(column_0_N_name)s",
        "ck": "ck_%(table_name)s_%(constraint_name)s",
        "fk": "fk_%(table_name)s_%(column_0_name)s",
        "pk": "pk_%(table_name)s",
    }
)

BigInt = BigInteger().with_variant(Integer, "sqlite")


class UtcTime(TypeDecorator[datetime]):
    """Aware UTC in Python on every database; SQLite itself would drop the zone."""

    impl = DateTime(timezone=True)
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: Any) -> datetime | None:
        if value is None:
            return None
        if value.tzinfo is None:
            raise ValueError(f"a time without a zone: {value!r}")
        return value.astimezone(UTC)

    def process_result_value(self, value: datetime | None, dialect: Any) -> datetime | None:
        if value is None:
            return None
        return value.replace(tzinfo=UTC) if value.tzinfo is None else value.astimezone(UTC)


def storable(value: str) -> str:
    """Without what PostgreSQL refuses and nobody can read: NUL and half characters."""
    kept = value.replace("\0", "")
    return kept if kept.isascii() else kept.encode("utf-8", "replace").decode()


class AnyText(Text):
    """Text from wherever it comes: kept as far as both databases can keep it."""

    def bind_processor(self, dialect: Any) -> Callable[[str | None], str | None]:
        return lambda value: None if value is None else storable(value)


class Json(TypeDecorator[Any]):
    """JSON whose strings are texts as above."""

    impl = JSON
    cache_ok = True

    def load_dialect_impl(self, dialect: Dialect) -> TypeEngine[Any]:
        if dialect.name != "postgresql":
            return dialect.type_descriptor(JSON())
        from sqlalchemy.dialects.postgresql import JSONB  # a deck on SQLite imports no other

        return dialect.type_descriptor(JSONB())

    def process_bind_param(self, value: Any, dialect: Any) -> Any:
        return _storable(value)


def _storable(value: Any) -> Any:
    match value:
        case str():
            return storable(value)
        case list() | tuple():
            return [_storable(each) for each in value]
        case dict():
            return {_storable(key): _storable(each) for key, each in value.items()}
    return value


class StringTuple(TypeDecorator[tuple[str, ...]]):
    """A tuple of strings, kept as a JSON array."""

    impl = Json
    cache_ok = True

    def process_bind_param(self, value: Any, dialect: Any) -> list[str]:
        return list(value or ())

    def process_result_value(self, value: Any, dialect: Any) -> tuple[str, ...]:
        return tuple(value or ())


class Records(TypeDecorator[tuple[Any, ...]]):
    """A tuple of dataclasses of one kind, kept as a JSON array of objects; a plain string in it is
    the first field of one.
    """

    impl = Json
    cache_ok = True

    def __init__(self, kind: type[Any]) -> None:
        super().__init__()
        self.kind = kind

    def process_bind_param(self, value: Any, dialect: Any) -> list[Any]:
        return [each if isinstance(each, str) else asdict(each) for each in value or ()]

    def process_result_value(self, value: Any, dialect: Any) -> tuple[Any, ...]:
        return tuple(
            self.kind(**each) if isinstance(each, dict) else self.kind(each) for each in value or ()
        )


def table(name: str, *parts: SchemaItem, dated: bool = True, **options: Any) -> Table:
    """Its rows say when they were made and changed, if it is `dated`."""
    return Table(name, metadata, *parts, *(times() if dated else ()), **options)


def key() -> Column[int]:
    return Column("id", BigInt, primary_key=True, autoincrement=True)


def times() -> tuple[Column[datetime], Column[datetime]]:
    return (
        Column("created_at", UtcTime, nullable=False, server_default=func.now()),
        Column(
            "updated_at", UtcTime, nullable=False, server_default=func.now(), onupdate=func.now()
        ),
    )


def text(name: str, default: str | None = "", **options: Any) -> Column[str]:
    """Text that is never null unless `default` is None."""
    return Column(name, AnyText, nullable=default is None, server_default=default, **options)


def number(name: str, default: int | None = 0, **options: Any) -> Column[int]:
    """A whole number that is never null unless `default` is None."""
    server_default = None if default is None else str(default)
    return Column(name, BigInt, nullable=default is None, server_default=server_default, **options)


def flag(name: str, *, default: bool = False) -> Column[bool]:
    return Column(name, Boolean, nullable=False, server_default=true() if default else false())


def time(name: str, **options: Any) -> Column[datetime]:
    return Column(name, UtcTime, **options)


def strings(name: str) -> Column[tuple[str, ...]]:
    return Column(name, StringTuple, nullable=False, server_default="[]")


def records(name: str, kind: type[Any]) -> Column[Any]:
    return Column(name, Records(kind), nullable=False, server_default="[]")


def blob(name: str, **options: Any) -> Column[bytes]:
    return Column(name, LargeBinary, **options)


def link(name: str, target: str, *, optional: bool = False, **options: Any) -> Column[int]:
    """A foreign key that goes with the row it points to (or is emptied, if optional)."""
    ondelete = "SET NULL" if optional else "CASCADE"
    return Column(name, BigInt, ForeignKey(target, ondelete=ondelete), nullable=optional, **options)


def one_of(name: str, values: tuple[str, ...]) -> CheckConstraint:
    listed = ", ".join(f"'{value}'" for value in values)
    return CheckConstraint(f"{name} IN ({listed})", name=f"{name}_known")


def among(column: ColumnElement[str], *values: str) -> ColumnElement[bool]:
    """The values stand in the statement itself: SQLite uses a partial index only where it
    reads the very words that the index was made with, not a parameter of them.
    """
    words = [literal_column(f"'{value}'", Text) for value in values]
    return column == words[0] if len(words) == 1 else column.in_(words)


def partial(name: str, *columns: ColumnElement[Any], where: ColumnElement[bool]) -> Index:
    """An index of only the rows that are looked for; both databases keep it small.

    `migrate` tells PostgreSQL's dialect, which a deck on SQLite need not import.
    """
    return Index(name, *columns, sqlite_where=where)


def work(
    states: Lifecycle,
    *,
    status: str = "status",
    due_at: str = "due_at",
    failures: str = "failures",
) -> tuple[Column[Any] | CheckConstraint, ...]:
    """The columns that the engine writes, and only the engine."""
    return (
        text(status, states.waiting, key="status"),
        time(due_at, key="due_at"),
        text("claimed_by", None),
        time("lease_until"),
        time("queued_at"),
        time("started_at"),
        number("attempts"),
        number(failures, key="failures"),
        number("losses"),
        text("last_error", None),
        one_of(status, states.statuses),
    )
