"""Failures for good that a person must look at, as notices to the users concerned.

`follow_up` looks at a row right after its job has ended and tells what is wrong with it, in the
same transaction. `end_what_is_over` runs after each command that tries again, sends again or
removes, as that may have put things right.

A delivery that ends without a receipt is sent again while it is `UNKNOWN`, if the settings want
that and as often as there are retries. With the last one that is `REFUSED` its report is closed:
nobody can get it any more. What that has weighed is free for the next one, so it is never sent
again itself: the same news would come twice.
"""

from __future__ import annotations

from datetime import datetime, timedelta

from sqlalchemy import ColumnElement, Connection, Text, and_, cast, exists, func, or_, select

from morningdeck import notice_texts
from morningdeck.errors import ConflictError
from morningdeck.model.kinds import Health
from morningdeck.model.sending import AT_ONCE_SLOT
from morningdeck.store.database.bulk import change
from morningdeck.store.expressions.ended import ended_of
from morningdeck.store.expressions.texts import source_title
from morningdeck.store.notices.pings import ping_after_delivery
from morningdeck.store.notices.telling import MISSED_SLOT, source_trouble, tell, tell_readers
from morningdeck.store.tables.briefs import (
    briefings,
    deliveries,
    ended_addresses,
    item_scores,
    reports,
)
from morningdeck.store.tables.columns import among
from morningdeck.store.tables.news import dead_letter, items, sources, subscriptions
from morningdeck.store.tables.running import notices
from morningdeck.store.tables.searches import search_hits
from morningdeck.work import Settlement, Stage

DEAD_LETTERS = "dead-letters"
DELIVERY = "delivery"
UNREACHABLE = "unreachable"
UNWRITTEN = "unwritten-briefing"
ENDED_ADDRESS = "ended-address"
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
            ping_after_delivery(connection, row_id, now)


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
    text = (
        notice_texts.search_untold(row.title, row.last_error)
        if row.at_once
        else notice_texts.briefing_unwritten(row.title, briefing_id, row.last_error)
    )
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
    left = ended_of(row.briefing_id).where(ended_addresses.c.address == row.address)
    if refused and connection.scalar(left) is not None:
        return  # told when it was ended
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
    ended = exists().where(
        notices.c.subject
        == cast(ended_addresses.c.briefing_id, Text).concat(":").concat(ended_addresses.c.address)
    )
    there = exists().where(cast(briefings.c.id, Text) == notices.c.subject)
    of_briefing = exists().where(notices.c.subject.like(cast(briefings.c.id, Text) + ":%"))
    _end(connection, DEAD_LETTERS, ~read | ~dead)
    _end(connection, DELIVERY, ~stuck)
    _end(connection, UNWRITTEN, ~there)
    _end(connection, MISSED_SLOT, ~of_briefing)
    _end(connection, UNREACHABLE, ~unreachable)
    _end(connection, ENDED_ADDRESS, ~ended)
    for kind in SOURCE_TROUBLES:
        _end(connection, kind, ~read)


def forget_others(connection: Connection, briefing_id: int, recipients: tuple[str, ...]) -> None:
    """End what is told of refusals by addresses that are no longer its recipients."""
    others = exists().where(
        cast(deliveries.c.id, Text) == notices.c.subject,
        deliveries.c.status == "REFUSED",
        deliveries.c.address.not_in(recipients),
        deliveries.c.address != deliveries.c.channel,  # a copy for nobody
        deliveries.c.report_id == reports.c.id,
        reports.c.briefing_id == briefing_id,
    )
    _end(connection, DELIVERY, others)


def _end(connection: Connection, kind: str, over: ColumnElement[bool]) -> None:
    open_ = and_(notices.c.kind == kind, notices.c.ended_at.is_(None))
    change(connection, notices, open_, over, ended_at=func.now())


# ---- deliveries that ended without a receipt


def send_unknown_again(
    connection: Connection, delivery_id: int, waits: tuple[timedelta, ...], now: datetime
) -> None:
    """Send under the same Message-ID, so that a mailbox can drop a second copy."""
    row = connection.execute(
        select(deliveries.c.attempts).where(
            deliveries.c.id == delivery_id, deliveries.c.status == "UNKNOWN"
        )
    ).one_or_none()
    if row is None or row.attempts > len(waits):
        return
    due_at = now + waits[row.attempts - 1]
    this = deliveries.c.id == delivery_id
    worth_it = or_(deliveries.c.give_up_at.is_(None), deliveries.c.give_up_at >= due_at)
    change(connection, deliveries, this, worth_it, status="RETRY", final_at=None, due_at=due_at)


def close_unreachable(connection: Connection, delivery_id: int, now: datetime) -> None:
    """Close the report once all of its deliveries are refused. Two that end at the same time pass
    the lock one after the other, so the second sees the first.
    """
    refused = (
        select(deliveries.c.report_id)
        .join(reports, reports.c.id == deliveries.c.report_id)
        .where(deliveries.c.id == delivery_id, deliveries.c.status == "REFUSED")
        # what goes out at once would go out again at once, and be refused again
        .where(~reports.c.slot.startswith(AT_ONCE_SLOT))
    )
    report_id = connection.scalar(refused)
    if report_id is None or is_closed(connection, report_id):
        return
    hopeful = select(deliveries.c.id).where(
        deliveries.c.report_id == report_id, deliveries.c.status != "REFUSED"
    )
    if connection.execute(hopeful.limit(1)).first() is not None:
        return
    weighed = item_scores.c.considered_in == report_id
    change(connection, reports, reports.c.id == report_id, closed_at=now)
    change(connection, item_scores, weighed, considered_in=None)
    change(connection, search_hits, search_hits.c.report_id == report_id, report_id=None)
    written = select(reports.c.generated_at).where(reports.c.id == report_id).scalar_subquery()
    change(connection, notices, notices.c.mailed_at == written, mailed_at=None)


def is_closed(connection: Connection, report_id: int) -> bool:
    """Locks the report, so that nobody else closes it before this transaction ends."""
    this = select(reports.c.closed_at).where(reports.c.id == report_id)
    # a plain FOR UPDATE would also wait for transactions that only insert rows of this report
    return connection.scalar(this.with_for_update(key_share=True)) is not None


def check_open(connection: Connection, report_id: int) -> None:
    if is_closed(connection, report_id):
        briefing = select(reports.c.briefing_id).where(reports.c.id == report_id)
        raise ConflictError(
            f"report {report_id} reached nobody and is closed: what it weighed is free for the"
            f" next one, morningdeck briefing run {connection.scalar(briefing)} writes that now"
        )
