"""The index of the search: FTS5 on SQLite, a tsvector on PostgreSQL, asked the same questions."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Protocol

from sqlalchemy import (
    ColumnClause,
    ColumnElement,
    TextClause,
    bindparam,
    column,
    func,
    literal_column,
    table,
    text,
)

if TYPE_CHECKING:
    from morningdeck.model.finding import SearchTerm

INDEX = table("item_search", column("item_id"), column("rowid"), column("document"))


class IndexTable(Protocol):
    item_id: ColumnClause[Any]
    """The column of `INDEX` that says of which item a text is."""
    adding: TextClause
    """Asks for the id of an item that has no text there, and for the parts of its text."""

    def matches(self, terms: Sequence[SearchTerm]) -> tuple[ColumnElement[Any], ColumnElement[Any]]:
        """The condition, and how well it is met."""


class Fts5:
    item_id = INDEX.c.rowid
    adding = text(
        "INSERT INTO item_search (rowid, title, summary, tags, author, content)"
        " VALUES (:id, :title, :summary, :tags, :author, :content)"
    )

    def matches(self, terms: Sequence[SearchTerm]) -> tuple[ColumnElement[Any], ColumnElement[Any]]:
        """Every word quoted, so that nothing in it is an operator; `"ab"*` finds what begins so."""
        asked = " AND ".join(
            '"{}"{}'.format(" ".join(term.words), "*" if term.prefix else "") for term in terms
        )
        match: ColumnElement[Any] = literal_column("item_search").op("MATCH")(asked)
        return match, literal_column("-item_search.rank")


class Tsvector:
    item_id = INDEX.c.item_id
    adding = text(
        "INSERT INTO item_search (item_id, document) VALUES (:id,"
        " setweight(to_tsvector('simple', :title), 'A')"
        " || setweight(to_tsvector('simple', :summary || ' ' || :tags), 'B')"
        " || setweight(to_tsvector('simple', :author), 'C')"
        " || setweight(to_tsvector('simple', :content), 'D'))"
        " ON CONFLICT (item_id) DO UPDATE SET document = excluded.document"
    )

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
