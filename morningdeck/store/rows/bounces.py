"""Mails that came back: which delivery each was, and when they end an address.

The place in the mailbox is stored with what the mail has caused, so each counts once.
"""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import ColumnElement, Connection, Row, and_, func, select

from morningdeck import notice_texts
from morningdeck.model.reading import Bounce, BounceKind
from morningdeck.store.database.bulk import insert
from morningdeck.store.expressions.repository import Repository
from morningdeck.store.notices.leaving import end_address
from morningdeck.store.notices.telling import BOUNCES_UNREAD, tell_admins, tell_end
from morningdeck.store.tables.briefs import (
    bounces,
    briefings,
    deliveries,
    mail_cursors,
    reports,
)

BOUNCES_ALLOWED = 3
"""So many reports that came back within `TROUBLED` end an address that may be alive."""
TROUBLED = timedelta(days=30)
GIVEN_UP_WITHIN = timedelta(days=6)
"""No server tries a mail for longer."""


class SqlBounces(Repository):
    def cursor(self, mailbox: str) -> str | None:
        return self._scalar(select(mail_cursors.c.cursor).where(mail_cursors.c.mailbox == mailbox))

    def save(self, mailbox: str, cursor: str, bounce: Bounce, now: datetime) -> str | None:
        """Returns the address that it ends, if it does. One of a mail that was never sent by us
        ends nothing; one that names an address alone counts as trouble of the last mail there.
        """
        ended = None
        with self._database.write() as connection:
            statement = insert(connection, mail_cursors).values(mailbox=mailbox, cursor=cursor)
            connection.execute(
                statement.on_conflict_do_update(
                    index_elements=("mailbox",), set_={"cursor": statement.excluded.cursor}
                )
            )
            if bounce.kind is not BounceKind.NONE:
                ended = _count(connection, bounce, now)
        return ended

    def unread(self, why: str | None, now: datetime) -> None:
        """Tell that the mailbox cannot be read; None: it can, or there is none any more."""
        with self._database.write() as connection:
            if why is None:
                tell_end(connection, BOUNCES_UNREAD, "", now)
            else:
                text = notice_texts.bounces_unread(why)
                tell_admins(connection, BOUNCES_UNREAD, "", text)


def _sent(connection: Connection, which: ColumnElement[bool]) -> Row[Any] | None:
    """The newest such mail of ours."""
    query = (
        select(deliveries.c.id, deliveries.c.address, reports.c.briefing_id)
        .add_columns(briefings.c.title, briefings.c.user_id, briefings.c.at_once)
        .select_from(deliveries.join(reports).join(briefings))
        .where(which, deliveries.c.channel == "smtp", deliveries.c.attempts > 0)
        .order_by(deliveries.c.id.desc())
    )
    return connection.execute(query.limit(1)).one_or_none()


def _named(bounce: Bounce) -> ColumnElement[bool]:
    return deliveries.c.message_id.in_([f"<{one}>" for one in bounce.message_ids])


def _to_recipient(bounce: Bounce, now: datetime) -> ColumnElement[bool]:
    lately = reports.c.generated_at.between(now - GIVEN_UP_WITHIN, now)
    return and_(func.lower(deliveries.c.address) == bounce.recipient.lower(), lately)


def _count(connection: Connection, bounce: Bounce, now: datetime) -> str | None:
    sent = _sent(connection, _named(bounce)) if bounce.message_ids else None
    dead = bounce.kind is not BounceKind.TROUBLE
    if bounce.recipient and not bounce.message_ids:
        # anybody can write that, so one alone proves nothing
        sent, dead = _sent(connection, _to_recipient(bounce, now)), False
    if sent is None:
        return None
    is_new = _is_new(connection, sent.id, dead, bounce.reason, now)
    if not is_new and bounce.kind is not BounceKind.LEFT:
        return None  # the address may have been taken up again since
    if not dead and _came_back(connection, sent.briefing_id, sent.address, now) < BOUNCES_ALLOWED:
        return None
    left = bounce.kind is BounceKind.LEFT
    if not end_address(connection, sent, sent.address, bounce.reason, left=left):
        return None
    return str(sent.address)


def _is_new(
    connection: Connection, delivery_id: int, dead: bool, reason: str, now: datetime
) -> bool:
    """False for what is known of that mail already; an end is news after a trouble."""
    statement = insert(connection, bounces).values(
        delivery_id=delivery_id, dead=dead, reason=reason, created_at=now
    )
    worse = statement.on_conflict_do_update(
        index_elements=("delivery_id",),
        set_={"dead": True, "reason": statement.excluded.reason},
        where=and_(statement.excluded.dead, ~bounces.c.dead),
    )
    return connection.scalar(worse.returning(bounces.c.delivery_id)) is not None


def _came_back(connection: Connection, briefing_id: int, address: str, now: datetime) -> int:
    """How many reports of the briefing, lately."""
    lately = and_(bounces.c.created_at >= now - TROUBLED, bounces.c.created_at <= now)
    query = (
        select(func.count())
        .select_from(bounces.join(deliveries).join(reports))
        .where(reports.c.briefing_id == briefing_id, deliveries.c.address == address, lately)
    )
    return connection.scalar(query) or 0
