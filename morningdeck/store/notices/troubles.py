"""Failures for good that a person must look at, as notices to the users concerned.

`follow_up` looks at a row right after its job has ended and tells what is wrong with it, in the
same transaction. `end_what_is_over` runs after each command that tries again, sends again or
removes, as that may have put things right.
"""

from __future__ import annotations

from datetime import datetime, timedelta

from sqlalchemy import ColumnElement, Connection, Text, cast, exists, func, select, update

from morningdeck import notice_texts
from morningdeck.model import Health
from morningdeck.store.expressions.texts import source_title
from morningdeck.store.notices.telling import MISSED_SLOT, source_trouble, tell, tell_readers
from morningdeck.store.notices.undelivered import close_unreachable, send_unknown_again
from morningdeck.store.tables.briefs import briefings, deliveries, reports
from morningdeck.store.tables.columns import among
from morningdeck.store.tables.news import dead_letter, items, sources, subscriptions
from morningdeck.store.tables.running import notices
from morningdeck.work import Settlement, Stage

DEAD_LETTERS = "dead-letters"
DELIVERY = "delivery"
UNREACHABLE = "unreachable"
UNWRITTEN = "unwritten-briefing"
SOURCE_TROUBLES = tuple(source_trouble(health) for health in (Health.DEGRADED, Health.GONE))

STUCK = among(deliveries.c.status, "REFUSED", "UNKNOWN")


def concerns(stage: Stage, settlement: Settlement) -> bool:
    """Whether a job that ends so may need `follow_up`; nearly all end without it."""
    match stage:
        case Stage.PROCESSING:
            return settlement.status == "ERROR"
        case Stage.BRIEFING:
            return settlement.exhausted or settlement.worked
        case Stage.DELIVERY:
            return True
        case Stage.FETCH:  # told by what saves the health of the source
            return False


def follow_up(
    connection: Connection,
    stage: Stage,
    row_id: int,
    now: datetime,
    resend: tuple[timedelta, ...] = (),
) -> None:
    """Tell what is wrong with this row, or end the notice if nothing is any more."""
    match stage:
        case Stage.PROCESSING:
            _tell_dead_letter(connection, row_id)
        case Stage.BRIEFING:
            _tell_unwritten(connection, row_id)
        case Stage.DELIVERY:
            send_unknown_again(connection, row_id, resend, now)
            close_unreachable(connection, row_id, now)
            _tell_stuck(connection, row_id)


def _tell_dead_letter(connection: Connection, item_id: int) -> None:
    """One notice for all dead letters of a source: a broken one may bring thousands."""
    query = (
        select(items.c.title, items.c.last_error, sources.c.id, source_title())
        .select_from(items.join(sources))
        .where(items.c.id == item_id, dead_letter)
    )
    for title, error, source_id, name in connection.execute(query):
        text = notice_texts.item_unreadable(name, title, error)
        tell_readers(connection, source_id, DEAD_LETTERS, text)


def _tell_unwritten(connection: Connection, briefing_id: int) -> None:
    query = select(briefings).where(briefings.c.id == briefing_id)
    row = connection.execute(query).one_or_none()
    if row is None or row.last_error is None:
        _end(connection, UNWRITTEN, notices.c.subject == str(briefing_id))
        return
    text = notice_texts.briefing_unwritten(row.title, briefing_id, row.last_error)
    tell(connection, [row.user_id], UNWRITTEN, str(briefing_id), text)


def _tell_stuck(connection: Connection, delivery_id: int) -> None:
    query = (
        select(deliveries, reports.c.slot, reports.c.closed_at, briefings.c.title)
        .add_columns(reports.c.briefing_id, briefings.c.user_id)
        .select_from(deliveries.join(reports).join(briefings))
        .where(deliveries.c.id == delivery_id)
    )
    row = connection.execute(query).one()
    if row.status not in ("REFUSED", "UNKNOWN"):
        _end(connection, DELIVERY, notices.c.subject == str(delivery_id))
        if row.status == "SENT":
            _end(connection, UNREACHABLE, notices.c.subject == str(row.briefing_id))
        return
    report = notice_texts.report_name(row.title, row.report_id, row.slot)
    if row.closed_at is not None:
        text = notice_texts.report_reached_nobody(report, row.last_error)
        tell(connection, [row.user_id], UNREACHABLE, str(row.briefing_id), text)
        end_what_is_over(connection)
        return
    refused = row.status == "REFUSED"
    say = notice_texts.report_refused if refused else notice_texts.report_may_have_arrived
    text = say(report, row.report_id, row.address, row.last_error)
    tell(connection, [row.user_id], DELIVERY, str(delivery_id), text)


# ---- what is over


def end_what_is_over(connection: Connection) -> None:
    """End each notice whose trouble is gone, was removed, or is no longer its reader's."""
    read = exists().where(
        subscriptions.c.user_id == notices.c.user_id,
        cast(subscriptions.c.source_id, Text) == notices.c.subject,
    )
    dead = exists().where(dead_letter, cast(items.c.source_id, Text) == notices.c.subject)
    closed = select(reports.c.id).where(reports.c.closed_at.is_not(None))
    stuck = exists().where(
        STUCK,
        deliveries.c.report_id.not_in(closed),
        cast(deliveries.c.id, Text) == notices.c.subject,
    )
    unreachable = exists().where(
        reports.c.closed_at.is_not(None), cast(reports.c.briefing_id, Text) == notices.c.subject
    )
    there = exists().where(cast(briefings.c.id, Text) == notices.c.subject)
    of_briefing = exists().where(notices.c.subject.like(cast(briefings.c.id, Text) + ":%"))
    _end(connection, DEAD_LETTERS, ~read | ~dead)
    _end(connection, DELIVERY, ~stuck)
    _end(connection, UNWRITTEN, ~there)
    _end(connection, MISSED_SLOT, ~of_briefing)
    _end(connection, UNREACHABLE, ~unreachable)
    for kind in SOURCE_TROUBLES:
        _end(connection, kind, ~read)


def _end(connection: Connection, kind: str, over: ColumnElement[bool]) -> None:
    connection.execute(
        update(notices)
        .where(notices.c.kind == kind, notices.c.ended_at.is_(None), over)
        .values(ended_at=func.now())
    )
