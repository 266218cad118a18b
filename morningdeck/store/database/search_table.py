"""The index of the search: FTS5 on SQLite, a tsvector on PostgreSQL, asked the same questions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Protocol

from sqlalchemy import (
    ColumnElement,
    Connection,
    Join,
    bindparam,
    column,
    delete,
    func,
    literal_column,
    table,
    text,
)

from morningdeck.model import SearchTerm
from morningdeck.store.tables.news import items

INDEX = table("item_search", column("item_id"), column("rowid"), column("document"))


class IndexTable(Protocol):
    def put(
        self, connection: Connection, rows: Sequence[Mapping[str, Any]], gone: Sequence[int]
    ) -> None:
        """Add or replace these texts, by their items' ids, and remove those gone."""

    def clear(self, connection: Connection) -> None: ...

    def joined(self) -> Join:
        """The items with what is indexed of them."""

    def matches(self, terms: Sequence[SearchTerm]) -> tuple[ColumnElement[Any], ColumnElement[Any]]:
        """The condition, and how well it is met."""


class Fts5:
    def put(
        self, connection: Connection, rows: Sequence[Mapping[str, Any]], gone: Sequence[int]
    ) -> None:
        self._forget(connection, [*gone, *(row["id"] for row in rows)])  # it cannot overwrite
        statement = text(
            "INSERT INTO item_search (rowid, title, summary, tags, author, content)"
            " VALUES (:id, :title, :summary, :tags, :author, :content)"
        )
        if rows:
            connection.execute(statement, list(rows))

    def clear(self, connection: Connection) -> None:
        connection.execute(delete(INDEX))

    def _forget(self, connection: Connection, ids: Sequence[int]) -> None:
        forget = text("DELETE FROM item_search WHERE rowid = :id")
        if ids:
            connection.execute(forget, [{"id": item_id} for item_id in ids])

    def joined(self) -> Join:
        return items.join(INDEX, INDEX.c.rowid == items.c.id)

    def matches(self, terms: Sequence[SearchTerm]) -> tuple[ColumnElement[Any], ColumnElement[Any]]:
        """Every word quoted, so that nothing in it is an operator; `"ab"*` finds what begins so."""
        asked = " AND ".join(
            '"{}"{}'.format(" ".join(term.words), "*" if term.prefix else "") for term in terms
        )
        match: ColumnElement[Any] = literal_column("item_search").op("MATCH")(asked)
        return match, literal_column("-item_search.rank")


class Tsvector:
    def put(
        self, connection: Connection, rows: Sequence[Mapping[str, Any]], gone: Sequence[int]
    ) -> None:
        connection.execute(delete(INDEX).where(INDEX.c.item_id.in_(gone)))
        statement = text(
            "INSERT INTO item_search (item_id, document) VALUES (:id,"
            " setweight(to_tsvector('simple', :title), 'A')"
            " || setweight(to_tsvector('simple', :summary || ' ' || :tags), 'B')"
            " || setweight(to_tsvector('simple', :author), 'C')"
            " || setweight(to_tsvector('simple', :content), 'D'))"
            " ON CONFLICT (item_id) DO UPDATE SET document = excluded.document"
        )
        if rows:
            connection.execute(statement, list(rows))

    def clear(self, connection: Connection) -> None:
        connection.execute(delete(INDEX))

    def joined(self) -> Join:
        return items.join(INDEX, INDEX.c.item_id == items.c.id)

    def matches(self, terms: Sequence[SearchTerm]) -> tuple[ColumnElement[Any], ColumnElement[Any]]:
        asked: ColumnElement[Any] | None = None
        for number, term in enumerate(terms):
            words = [f"'{word}'" for word in term.words]
            if term.prefix:
                words[-1] += ":*"
            one = func.to_tsquery("simple", bindparam(f"asked_{number}", " <-> ".join(words)))
            asked = one if asked is None else asked.op("&&")(one)
        assert asked is not None
        return INDEX.c.document.op("@@")(asked), func.ts_rank_cd(INDEX.c.document, asked)
