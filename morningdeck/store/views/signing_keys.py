"""The key of a deck: made once, the same for all its processes."""

from __future__ import annotations

from sqlalchemy import select

from morningdeck.store.database.bulk import insert
from morningdeck.store.expressions.repository import Repository
from morningdeck.store.tables.running import signing_keys

LINKS = "links"


class SigningKeys(Repository):
    def key(self, fresh: bytes) -> bytes:
        """The deck's own, which is `fresh` where there was none: random bytes of the caller's."""
        known = select(signing_keys.c.secret).where(signing_keys.c.name == LINKS)
        if (key := self._scalar(known)) is not None:
            return bytes(key)
        with self._database.write() as connection:
            made = insert(connection, signing_keys).values(name=LINKS, secret=fresh)
            connection.execute(made.on_conflict_do_nothing())
            return bytes(connection.execute(known).scalar_one())
