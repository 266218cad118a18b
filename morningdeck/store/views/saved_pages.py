"""Pages that a reader saves by hand: items of a source of their own that is never fetched."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import Connection, and_, delete, select

from morningdeck.model.kinds import SourceType
from morningdeck.model.wanting import NewSource
from morningdeck.store.database.bulk import insert_new
from morningdeck.store.database.connect import Database
from morningdeck.store.expressions.indexed import index_items
from morningdeck.store.notices.troubles import end_what_is_over
from morningdeck.store.queue.line import line_up, next_turn_of
from morningdeck.store.tables.news import item_texts, items, seen_guids
from morningdeck.store.views.items import Items, put_state
from morningdeck.store.views.subscriptions import Subscriptions
from morningdeck.views.reading import ItemView

FIRST_IN_LINE = 20
GIVEN_UP = ("ERROR", "CANCELLED")


class SavedPages:
    def __init__(self, database: Database, subscriptions: Subscriptions, items: Items) -> None:
        self._database = database
        self._subscriptions = subscriptions
        self._items = items

    def add(self, user_id: int, url: str, canonical_url: str, now: datetime) -> ItemView:
        """Have the page read next; one that is there already stays, and is retried if dead."""
        own = NewSource(f"saved:{user_id}", SourceType.SAVED, title="Saved pages")
        with self._database.write() as connection:
            source_id, _ = self._subscriptions.subscribe_within(connection, user_id, own, now)
            _insert(connection, source_id, url, canonical_url, now)
            same = and_(items.c.source_id == source_id, items.c.guid == canonical_url)
            given_up = and_(same, items.c.status.in_(GIVEN_UP))
            if line_up(connection, given_up, failures=0, losses=0):
                end_what_is_over(connection)
            item_id = connection.scalars(select(items.c.id).where(same)).one()
            put_state(connection, user_id, (item_id,), saved_at=now)
        return self._items.show(user_id, item_id)


def _insert(
    connection: Connection, source_id: int, url: str, canonical_url: str, now: datetime
) -> None:
    """It has no text yet, and its address for a title."""
    row = {
        "source_id": source_id,
        "guid": canonical_url,
        "url": url,
        "canonical_url": canonical_url,
        "title": canonical_url,
        "first_seen_at": now,
        "priority": FIRST_IN_LINE,
        "turn": next_turn_of(connection, source_id),
        "status": "NEW",
        "search_mark": 1,
    }
    unique = ("source_id", "guid")
    for (item_id,) in insert_new(connection, items, [row], unique, ("id",)):
        connection.execute(item_texts.insert().values(item_id=item_id))
        index_items(connection, [item_id])
        # retention leaves the guid of what it removes, and would fail to leave it twice
        of_old = and_(seen_guids.c.source_id == source_id, seen_guids.c.guid == canonical_url)
        connection.execute(delete(seen_guids).where(of_old))
