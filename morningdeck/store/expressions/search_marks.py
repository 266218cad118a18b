"""The mark of an item that the search index is to be told of."""

from __future__ import annotations

from collections.abc import Sequence

from sqlalchemy import ColumnElement, Connection, select

from morningdeck.store.database.bulk import change, in_chunks
from morningdeck.store.tables.news import items, next_search_mark


def mark_for_search(connection: Connection, which: ColumnElement[bool]) -> Sequence[int]:
    """Returns those that are there. Locked in the order of their ids, so that two who mark many
    never wait for each other.
    """
    query = select(items.c.id).where(which).order_by(items.c.id)
    ids = connection.scalars(query.with_for_update(key_share=True)).all()
    for chunk in in_chunks(ids):
        change(connection, items, items.c.id.in_(chunk), search_mark=next_search_mark)
    return ids
