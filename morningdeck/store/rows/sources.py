"""Sources as the fetch verb sees them, and mails of theirs that are not read yet."""

from __future__ import annotations

from sqlalchemy import bindparam, select

from morningdeck.model.reading import Source
from morningdeck.store.database.bulk import insert_new
from morningdeck.store.database.prepared import Prepared
from morningdeck.store.expressions.repository import Repository
from morningdeck.store.expressions.sources import SOURCE_COLUMNS, source_of
from morningdeck.store.tables.news import raw_emails, sources

_LOADING = Prepared(select(*SOURCE_COLUMNS).where(sources.c.id == bindparam("source_id")))


class SqlSourceRows(Repository):
    def load(self, source_id: int) -> Source | None:
        rows = self._database.run(_LOADING, {"source_id": source_id})
        return source_of(rows[0]) if rows else None


class RawMails(Repository):
    """The port `RawMail`: received messages, kept until their items are stored."""

    def keep(self, source_id: int, uid_key: str, content: bytes) -> None:
        row = {"source_id": source_id, "uid_key": uid_key, "content": content}
        with self._database.write() as connection:
            insert_new(connection, raw_emails, [row], ("source_id", "uid_key"))

    def unprocessed(self, source_id: int) -> tuple[int, ...]:
        query = select(raw_emails.c.id).filter_by(source_id=source_id).order_by(raw_emails.c.id)
        return self._column(query)

    def load(self, mail_id: int) -> bytes:
        query = select(raw_emails.c.content).where(raw_emails.c.id == mail_id)
        with self._database.read() as connection:
            return bytes(connection.execute(query).scalar_one())
