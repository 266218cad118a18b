"""Received messages, kept from their arrival until their items are stored."""

from __future__ import annotations

from sqlalchemy import select

from morningdeck.store.database.connect import Database
from morningdeck.store.database.upsert import insert_new
from morningdeck.store.tables.news import raw_emails


class RawMails:
    """The port `RawMail`."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def keep(self, source_id: int, uid_key: str, content: bytes) -> None:
        row = {"source_id": source_id, "uid_key": uid_key, "content": content}
        with self._database.write() as connection:
            insert_new(connection, raw_emails, [row], ("source_id", "uid_key"))

    def unprocessed(self, source_id: int) -> tuple[int, ...]:
        query = select(raw_emails.c.id).filter_by(source_id=source_id).order_by(raw_emails.c.id)
        with self._database.read() as connection:
            return tuple(connection.scalars(query))

    def load(self, mail_id: int) -> bytes:
        query = select(raw_emails.c.content).where(raw_emails.c.id == mail_id)
        with self._database.read() as connection:
            return bytes(connection.execute(query).scalar_one())
