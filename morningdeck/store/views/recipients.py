"""Who gets a briefing, as its mails know them: by addresses, some of which have been ended."""

from __future__ import annotations

from typing import Any

from sqlalchemy import Connection, Row, Select, and_, select

from morningdeck.store.expressions.repository import Repository
from morningdeck.store.notices.leaving import end_address, resume_address
from morningdeck.store.tables.briefs import briefings, ended_addresses
from morningdeck.store.tables.people import users
from morningdeck.views.sent import RecipientView


class Recipients(Repository):
    def of(self, briefing_id: int) -> tuple[RecipientView, ...]:
        """In their order; nobody where there is no such briefing."""
        with self._database.read() as connection:
            row = _briefing(connection, briefing_id)
            if row is None:
                return ()
            ended = select(ended_addresses).where(ended_addresses.c.briefing_id == briefing_id)
            why = {one.address: one.reason for one in connection.execute(ended)}
        return tuple(
            RecipientView(briefing_id, row.title, row.at_once, address, why.get(address))
            for address in row.recipients
        )

    def leave(self, briefing_id: int, address: str, reason: str) -> bool:
        """Nothing goes there any more; False if that is so already."""
        with self._database.write() as connection:
            row = _briefing(connection, briefing_id)
            return row is not None and end_address(connection, row, address, reason, left=True)

    def come_back(self, briefing_id: int, address: str) -> bool:
        """It goes there again, if its reader had left."""
        with self._database.write() as connection:
            return resume_address(connection, briefing_id, address)

    def owner(self, briefing_id: int) -> int | None:
        """Whose briefing it is, unless they are switched off."""
        query = select(users.c.id).join(briefings, briefings.c.user_id == users.c.id)
        return self._scalar(query.where(briefings.c.id == briefing_id, users.c.enabled))


def _briefing(connection: Connection, briefing_id: int) -> Row[Any] | None:
    query: Select[Any] = select(briefings, briefings.c.id.label("briefing_id"))
    this = and_(briefings.c.id == briefing_id, briefings.c.section_of.is_(None))
    return connection.execute(query.where(this)).one_or_none()
