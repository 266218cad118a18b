"""The metadata that all tables belong to, and how their indexes are named."""

from __future__ import annotations

from typing import Any

from sqlalchemy import Index, MetaData
from sqlalchemy.sql.expression import ColumnElement

metadata = MetaData(
    naming_convention={
        "ix": "ix_%(table_name)s_%(column_0_N_name)s",
        "uq": "uq_%(table_name)s_%(column_0_N_name)s",
        "ck": "ck_%(table_name)s_%(constraint_name)s",
        "fk": "fk_%(table_name)s_%(column_0_name)s",
        "pk": "pk_%(table_name)s",
    }
)


def partial(name: str, *columns: ColumnElement[Any], where: ColumnElement[bool]) -> Index:
    """An index of only the rows that are looked for; both databases keep it small.

    `migrate` tells PostgreSQL's dialect, which a deck on SQLite need not import.
    """
    return Index(name, *columns, sqlite_where=where)
