"""Notices: what a user must know, each told once until it has ended."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, datetime

from sqlalchemy import Connection, and_, delete, select

from morningdeck.discreet import said
from morningdeck.model.kinds import Health
from morningdeck.store.database.bulk import change, insert
from morningdeck.store.tables.news import subscriptions
from morningdeck.store.tables.people import users
from morningdeck.store.tables.running import endpoints, notices

SOURCE_MOVED = "source-moved"
MISSED_SLOT = "missed-slot"
BUDGET_SPENT = "budget-spent"
MODEL_HELD = "model-held"
MAIL_HELD = "mail-held"
SEARCH_HELD = "search-held"
SEARCH_REFUSED = "search-refused"
"""The subject is the item's id."""
BROKER_AWAY = "broker-away"
WEB_AWAY = "web-away"
BOUNCES_UNREAD = "bounces-unread"
HELD = (MODEL_HELD, MAIL_HELD, SEARCH_HELD)
EVENTS = (SOURCE_MOVED, MISSED_SLOT, BUDGET_SPENT)
"""Kinds that report an event: no action of anybody ends them, only time does."""


def source_trouble(health: Health) -> str:
    return f"source-{health.value}"


def tell(
    connection: Connection, user_ids: Sequence[int], kind: str, subject: str, text: str
) -> None:
    """`kind` and `subject` identify the trouble; while it is told already, nothing changes."""
    shown = {"kind": kind, "subject": subject, "text": said(text)}
    rows = [{"user_id": user_id, **shown} for user_id in user_ids]
    if not rows:
        return
    statement = insert(connection, notices)
    connection.execute(
        statement.on_conflict_do_update(
            index_elements=("user_id", "kind", "subject"),
            set_={"text": statement.excluded.text, "ended_at": None, "mailed_at": None},
            where=notices.c.ended_at.is_not(None),
        ),
        rows,
    )


def tell_readers(
    connection: Connection, source_id: int, kind: str, text: str, *, subject: str = ""
) -> None:
    """To all who read the source; the subject is its id unless another one is given."""
    readers = connection.scalars(
        select(subscriptions.c.user_id)
        .where(subscriptions.c.source_id == source_id, ~subscriptions.c.paused)
        # in one order, so that two transactions which tell the same readers do not deadlock
        .order_by(subscriptions.c.user_id)
    ).all()
    tell(connection, readers, kind, subject or str(source_id), text)


def tell_admins(connection: Connection, kind: str, subject: str, text: str) -> None:
    """Trouble that whoever runs the installation can end."""
    admins = select(users.c.id).where(users.c.role == "admin", users.c.enabled)
    tell(connection, connection.scalars(admins.order_by(users.c.id)).all(), kind, subject, text)


def tell_end(connection: Connection, kind: str, subject: str, now: datetime) -> None:
    """The trouble is over: its notices end, whoever has them."""
    same = and_(notices.c.kind == kind, notices.c.subject == subject)
    change(connection, notices, same, notices.c.ended_at.is_(None), ended_at=now)


def open_subjects(connection: Connection, kind: str) -> Sequence[str]:
    """What is told of that kind and has not ended."""
    told = (notices.c.kind == kind, notices.c.ended_at.is_(None))
    return connection.scalars(select(notices.c.subject).where(*told).distinct()).all()


def tell_days_end(connection: Connection, kind: str, today: date, now: datetime) -> None:
    """Of a kind whose subjects begin with the day that they are about."""
    earlier = and_(notices.c.kind == kind, notices.c.subject < today.isoformat())
    change(connection, notices, earlier, notices.c.ended_at.is_(None), ended_at=now)


def tell_release(connection: Connection, now: datetime) -> None:
    """End the notices of endpoints that are held no more, or are not used any more."""
    held = select(endpoints.c.name).where(endpoints.c.held_until.is_not(None))
    over = and_(notices.c.kind.in_(HELD), notices.c.subject.not_in(held))
    change(connection, notices, over, notices.c.ended_at.is_(None), ended_at=now)


def tell_no_more(connection: Connection, before: datetime, now: datetime) -> None:
    """End the notices of events that are older than that, and delete what ended before then."""
    told = and_(notices.c.kind.in_(EVENTS), notices.c.created_at < before)
    change(connection, notices, told, notices.c.ended_at.is_(None), ended_at=now)
    connection.execute(delete(notices).where(notices.c.ended_at < before))


def tell_source_is_well(connection: Connection, source_id: int, now: datetime) -> None:
    for health in (Health.DEGRADED, Health.GONE):
        tell_end(connection, source_trouble(health), str(source_id), now)
