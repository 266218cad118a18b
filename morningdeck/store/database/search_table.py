"""The index of the search: FTS5 on SQLite, a tsvector on PostgreSQL, asked the same questions.

Both are given words that `asked` has made, and take them as they are: no tokeniser of their own
sees a text. So both find the same, and nothing in a word can be an operator.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import dataclass
from typing import Any, Protocol

from sqlalchemy import (
    ColumnClause,
    ColumnElement,
    Connection,
    Row,
    Select,
    Text,
    bindparam,
    cast,
    column,
    desc,
    func,
    literal_column,
    select,
    table,
    text,
)
from sqlalchemy.types import UserDefinedType

from morningdeck.asked.wanted import Wanted, wanted
from morningdeck.model.query import AllOf, AnyOf, Asks, Term
from morningdeck.store.database.prepared import Prepared
from morningdeck.store.database.several import Several, numbered
from morningdeck.store.tables.news import items

INDEX = table("item_search", column("item_id"), column("rowid"), column("document"))
SECTIONS = ("title", "summary", "topics", "names", "author", "content")

IndexWords = Mapping[str, Sequence[str]]
"""Of an item, by section."""


class IndexTable(Protocol):
    item_id: ColumnClause[Any]
    """The column of `INDEX` that says of which item a text is."""
    replaces: bool
    """Whether what is there of an item must be deleted before."""

    def row(self, item_id: int, words: IndexWords) -> dict[str, Any]: ...

    def add(self, connection: Connection, rows: Sequence[dict[str, Any]]) -> None:
        """Rows as above, one at least."""

    def matches(self, asks: Asks) -> ColumnElement[bool]:
        """The condition; `asks` is made of terms, `AllOf` and `AnyOf`."""

    def planned(self, connection: Connection) -> AbstractContextManager[None]:
        """Searches are asked in here."""

    def join(
        self, found: Select[Any], asks: Asks, among: Sequence[int] | None = None
    ) -> Select[Any]:
        """Those of `found`, a choice of items, that match; `among` are all that it can be."""

    def best(
        self, connection: Connection, found: Select[Any], asks: Asks, order: Order, limit: int
    ) -> Best:
        """Of those that match, the best of the `MOST_RANKED` newest; equals in this order."""


MOST_RANKED = 1_000
"""To find a match costs little, to rank it costs much."""
Order = Sequence[ColumnElement[Any]]


@dataclass(frozen=True, slots=True)
class Best:
    total: int
    """How many match."""
    rows: Sequence[Row[Any]]
    first: int = 0
    """Items with smaller ids match too, and are not ranked."""


# ---- SQLite


class Fts5:
    item_id = INDEX.c.rowid
    replaces = True
    _adding = Several(("id", *SECTIONS), lambda count: Prepared(text(_adding(count))))

    def row(self, item_id: int, words: IndexWords) -> dict[str, Any]:
        return {"id": item_id, **{section: " ".join(words[section]) for section in SECTIONS}}

    def matches(self, asks: Asks) -> ColumnElement[bool]:
        asked = bindparam(None, _fts5(asks), Text, unique=True)
        return literal_column("item_search").op("MATCH", is_comparison=True)(asked)

    def add(self, connection: Connection, rows: Sequence[dict[str, Any]]) -> None:
        self._adding.within(connection, rows)

    def planned(self, connection: Connection) -> AbstractContextManager[None]:
        return nullcontext()

    def join(
        self, found: Select[Any], asks: Asks, among: Sequence[int] | None = None
    ) -> Select[Any]:
        """FTS5 would ask the whole question anew for each of them."""
        return found.join(INDEX, self.item_id == items.c.id).where(self.matches(asks))

    def best(
        self, connection: Connection, found: Select[Any], asks: Asks, order: Order, limit: int
    ) -> Best:
        """FTS5 ranks only in the statement that it is asked in, and counts fast."""
        matching = self.join(found, asks)
        total = connection.scalar(select(func.count()).select_from(matching.subquery())) or 0
        first = 0
        if total > MOST_RANKED:  # by its own ids, which it goes through from their end
            newest = matching.with_only_columns(self.item_id).order_by(self.item_id.desc())
            first = connection.scalar(newest.offset(MOST_RANKED - 1).limit(1)) or 0
            matching = matching.where(self.item_id >= first)
        best = matching.order_by(literal_column("item_search.rank"), *order).limit(limit)
        return Best(total, connection.execute(best).all(), first)


def _adding(count: int) -> str:
    columns = ("id", *SECTIONS)
    rows = (", ".join(f":{numbered(name, place)}" for name in columns) for place in range(count))
    values = ", ".join(f"({row})" for row in rows)
    return f"INSERT INTO item_search (rowid, {', '.join(SECTIONS)}) VALUES {values}"


FTS5_PLACES = {"": "", "title": "{title} : ", "topic": "{topics} : ", "author": "{author} : "}


def _fts5(asks: Asks) -> str:
    match asks:
        case AllOf(those):
            return "(" + " AND ".join(_fts5(one) for one in those) + ")"
        case AnyOf(those):
            return "(" + " OR ".join(_fts5(one) for one in those) + ")"
        case Term():
            return _fts5_of(wanted(asks))
    raise TypeError(f"no text: {asks!r}")


def _fts5_of(term: Wanted) -> str:
    """Every word quoted, so that nothing in it is an operator; `"ab"*` finds what begins so."""
    either = [f'"{form}"' for form in term.instead]
    if term.phrase:
        phrase = f'"{" ".join(term.phrase)}"'
        either += [phrase, f"{phrase}*"] if term.open_end else [phrase]
    parts = [f'"{form}"' for form in term.besides]
    if either:
        parts.append(f"({' OR '.join(either)})")
    return f"{FTS5_PLACES[term.place]}({' AND '.join(parts)})"


# ---- PostgreSQL

WEIGHTS = {"title": "A", "summary": "B", "topics": "B", "names": "B", "author": "C", "content": "D"}
RANKED = "{0.1, 0.3, 0.5, 1.0}"
"""What a word counts in D, C, B, A."""
OF_TOPIC = "="
"""Before the words of topics once more: there are only four weights to tell sections by."""
_GAP = 2
"""Between sections, so that no phrase goes over."""
LAST_POSITION = 16_383
MOST_POSITIONS = 255


class Tsquery(UserDefinedType[str]):
    cache_ok = True

    def get_col_spec(self, **_: Any) -> str:
        return "tsquery"


class Tsvector:
    item_id = INDEX.c.item_id
    replaces = False
    _adding = Prepared(
        text(
            "INSERT INTO item_search (item_id, document) SELECT * FROM"
            " unnest(CAST(:ids AS bigint[]), CAST(:documents AS tsvector[]))"
            " ON CONFLICT (item_id) DO UPDATE SET document = excluded.document"
        )
    )

    def row(self, item_id: int, words: IndexWords) -> dict[str, Any]:
        places: dict[str, list[str]] = {}
        at = 0
        for section in SECTIONS:
            at += _GAP
            for word in words[section]:
                at = min(at + 1, LAST_POSITION)
                place = f"{at}{WEIGHTS[section]}"
                places.setdefault(word, []).append(place)
                if section == "topics":
                    places.setdefault(OF_TOPIC + word, []).append(place)
        document = " ".join(
            f"'{word}':{','.join(those[:MOST_POSITIONS])}" for word, those in places.items()
        )
        return {"id": item_id, "document": document}

    def matches(self, asks: Asks) -> ColumnElement[bool]:
        return INDEX.c.document.op("@@", is_comparison=True)(_asked(asks))

    def add(self, connection: Connection, rows: Sequence[dict[str, Any]]) -> None:
        """All in one statement: the driver would send one for each."""
        ids, documents = [row["id"] for row in rows], [row["document"] for row in rows]
        self._adding.soon(connection, {"ids": ids, "documents": documents})

    @contextmanager
    def planned(self, connection: Connection) -> Iterator[None]:
        """PostgreSQL often takes it for cheaper to look into the words of every item than into the
        index, and is wrong: to it, a look into a long text costs no more than one at a number.
        """
        connection.exec_driver_sql("SET enable_seqscan = off")
        try:
            yield
        finally:
            if not connection.invalidated:  # what broke it is the error to tell
                connection.exec_driver_sql("RESET enable_seqscan")

    def join(
        self, found: Select[Any], asks: Asks, among: Sequence[int] | None = None
    ) -> Select[Any]:
        """The matches are looked up first, by themselves, for the same reason."""
        matches = select(self.item_id.label("id")).select_from(INDEX).where(self.matches(asks))
        if among is not None:
            matches = matches.where(self.item_id.in_(among))
        matching = matches.cte("matching").prefix_with("MATERIALIZED")
        return found.join(matching, matching.c.id == items.c.id)

    def best(
        self, connection: Connection, found: Select[Any], asks: Asks, order: Order, limit: int
    ) -> Best:
        """One statement, as the way through the items costs most."""
        ids = self.join(found, asks).with_only_columns(items.c.id)
        every = ids.cte("every").prefix_with("MATERIALIZED")
        newest = select(every.c.id).order_by(every.c.id.desc()).limit(MOST_RANKED).cte("newest")
        rank = func.ts_rank(literal_column(f"'{RANKED}'"), INDEX.c.document, _asked(asks))
        best = (
            select(
                *found.selected_columns,
                select(func.count()).select_from(every).scalar_subquery().label("total"),
                select(func.min(newest.c.id)).scalar_subquery().label("first"),
            )
            .join(newest, newest.c.id == items.c.id)
            .join(INDEX, self.item_id == newest.c.id)
            .order_by(desc(rank), *order)
            .limit(limit)
        )
        rows: Sequence[Any] = connection.execute(best).all()
        if not rows:
            return Best(0, ())
        total = rows[0].total
        return Best(total, rows, rows[0].first if total > MOST_RANKED else 0)


def _asked(asks: Asks) -> ColumnElement[Any]:
    """As it is: to_tsquery would take the words apart once more."""
    return cast(bindparam(None, _tsquery(asks), Text, unique=True), Tsquery)


def _tsquery(asks: Asks) -> str:
    match asks:
        case AllOf(those):
            return "(" + " & ".join(_tsquery(one) for one in those) + ")"
        case AnyOf(those):
            return "(" + " | ".join(_tsquery(one) for one in those) + ")"
        case Term():
            return _tsquery_of(wanted(asks))
    raise TypeError(f"no text: {asks!r}")


def _tsquery_of(term: Wanted) -> str:
    either = [_lexeme(form, term) for form in term.instead]
    if term.phrase:
        *before, last = term.phrase
        words = [*(_lexeme(form, term) for form in before), _lexeme(last, term, term.open_end)]
        either.append(f"({' <-> '.join(words)})")
    parts = [_lexeme(form, term) for form in term.besides]
    if either:
        parts.append(f"({' | '.join(either)})")
    return f"({' & '.join(parts)})"


def _lexeme(form: str, term: Wanted, open_end: bool = False) -> str:
    before = OF_TOPIC if term.place == "topic" else ""
    weight = {"title": "A", "author": "C"}.get(term.place, "")
    how = ("*" if open_end else "") + weight
    return f"'{before}{form}'" + (f":{how}" if how else "")


TABLES_BY_KIND: dict[str, IndexTable] = {"sqlite": Fts5(), "postgresql": Tsvector()}
