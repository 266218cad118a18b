"""The words of the search as the program makes them: written with the item, and made anew once."""

from collections.abc import Mapping, Sequence
from typing import Any

import sqlalchemy as sa
from alembic import op

from morningdeck.asked.indexed import index_names, index_words
from morningdeck.store.database.search_table import TABLES_BY_KIND

revision = "0018"
down_revision = "0017"
branch_labels = None
depends_on = None

AT_ONCE = 500
CREATED = {
    "sqlite": (
        "CREATE VIRTUAL TABLE item_search USING fts5(title, summary, topics, names, author,"
        " content, tokenize = 'ascii')",
        "INSERT INTO item_search (item_search, rank)"
        " VALUES ('rank', 'bm25(10.0, 5.0, 5.0, 5.0, 3.0, 1.0)')",
    ),
    "postgresql": (
        "CREATE TABLE item_search (item_id BIGINT PRIMARY KEY"
        " REFERENCES items (id) ON DELETE CASCADE, document TSVECTOR NOT NULL)",
        "CREATE INDEX ix_item_search_document ON item_search USING gin (document)",
    ),
}
CREATED_BEFORE = {
    "sqlite": (
        "CREATE VIRTUAL TABLE item_search USING fts5(title, summary, tags, author, content,"
        " tokenize = 'unicode61 remove_diacritics 2', prefix = '2 3')",
        "INSERT INTO item_search (item_search, rank)"
        " VALUES ('rank', 'bm25(10.0, 5.0, 5.0, 3.0, 1.0)')",
    ),
    "postgresql": CREATED["postgresql"],
}
STORED = (
    "SELECT items.id, items.title, items.summary, items.author, items.language, items.tags,"
    " sources.topics AS source_topics, substr(coalesce(nullif(web_content, ''),"
    " nullif(clean_content, ''), raw_content, ''), 1, 10000) AS content"
    " FROM items JOIN sources ON sources.id = items.source_id"
    " LEFT JOIN item_texts ON item_texts.item_id = items.id"
    " WHERE items.id > :after ORDER BY items.id LIMIT :count"
)


def upgrade() -> None:
    _create(CREATED)
    connection = op.get_bind()
    table = TABLES_BY_KIND[connection.dialect.name]
    stored = sa.text(STORED).columns(tags=sa.JSON, source_topics=sa.JSON)
    after = 0
    while rows := connection.execute(stored, {"after": after, "count": AT_ONCE}).all():
        table.add(connection, [table.row(row.id, _words(row)) for row in rows])
        after = rows[-1].id


def downgrade() -> None:
    """What is in it, the program of that time will put there again."""
    _create(CREATED_BEFORE)
    op.execute("UPDATE items SET search_mark = abs(search_mark) + 1")


def _create(statements: Mapping[str, Sequence[str]]) -> None:
    op.execute("DROP TABLE item_search")
    for statement in statements[op.get_bind().dialect.name]:
        op.execute(statement)


def _words(row: sa.Row[Any]) -> dict[str, list[str]]:
    tags, language = row.tags or {}, row.language
    others = ("people", "companies", "technologies")
    names = [name for of in others for name in tags.get(of, ())]
    return {
        "title": index_words(row.title, language),
        "summary": index_words(row.summary, language),
        "topics": index_names(tags.get("topics") or row.source_topics or (), language),
        "names": index_names(names),
        "author": index_words(row.author or ""),
        "content": index_words(row.content, language),
    }
