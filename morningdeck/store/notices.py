"""What users must know, told once each."""

from __future__ import annotations

from collections.abc import Sequence

from sqlalchemy import Connection, select

from morningdeck.store.tables import notices, subscriptions
from morningdeck.store.upsert import insert_new


def tell(
    connection: Connection, user_ids: Sequence[int], kind: str, subject: str, text: str
) -> None:
    """`kind` and `subject` name the trouble: it is told once until it has ended."""
    rows = [
        {"user_id": user_id, "kind": kind, "subject": subject, "text": text} for user_id in user_ids
    ]
    insert_new(connection, notices, rows, ("user_id", "kind", "subject"))


def tell_readers(connection: Connection, source_id: int, kind: str, text: str) -> None:
    readers = connection.scalars(
        select(subscriptions.c.user_id).where(
            subscriptions.c.source_id == source_id, ~subscriptions.c.paused
        )
    ).all()
    tell(connection, readers, f"source-{kind}", str(source_id), text)
