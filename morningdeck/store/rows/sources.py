"""Sources as the fetch verb sees them."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import NamedTuple

from sqlalchemy import bindparam, select

from morningdeck.model import Health, Source
from morningdeck.store.database.connect import Database
from morningdeck.store.database.prepared import Prepared
from morningdeck.store.tables.news import sources


class SourceRow(NamedTuple):
    """The columns that a Source is made of."""

    id: int
    type: str
    url: str
    title: str
    etag: str | None
    last_modified: str | None
    refresh_seconds: int
    last_success_at: datetime | None
    health: str
    moved_to: str | None
    rhythm_seconds: int | None
    to_ask: tuple[str, ...]
    prompt: str


_LOADING = Prepared(
    select(*(sources.c[name] for name in SourceRow._fields)).where(
        sources.c.id == bindparam("source_id")
    )
)


class SqlSourceRows:
    def __init__(self, database: Database) -> None:
        self._database = database

    def load(self, source_id: int) -> Source | None:
        rows = self._database.run(_LOADING, {"source_id": source_id})
        return _source(SourceRow._make(rows[0])) if rows else None


def _source(row: SourceRow) -> Source:
    return Source(
        id=row.id,
        type=row.type,
        url=row.url,
        title=row.title,
        etag=row.etag,
        last_modified=row.last_modified,
        refresh=timedelta(seconds=row.refresh_seconds),
        first_import=row.last_success_at is None,
        health=Health(row.health),
        moving=row.moved_to is not None,
        rhythm=_length(row.rhythm_seconds),
        to_ask=row.to_ask,
        prompt=row.prompt,
    )


def _length(seconds: int | None) -> timedelta | None:
    return None if seconds is None else timedelta(seconds=seconds)
