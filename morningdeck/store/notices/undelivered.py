"""What follows when a delivery ends without a receipt, in the transaction that ends it.

    UNKNOWN   sent again if the settings want that, as often as there are retries
    REFUSED   the last of its report: nobody can get that any more, so it is closed

What a closed report has weighed is free for the next one, so it is never sent again itself:
the same news would come twice.
"""

from __future__ import annotations

from datetime import datetime, timedelta

from sqlalchemy import Connection, or_, select, update

from morningdeck.errors import ConflictError
from morningdeck.store.tables.briefs import deliveries, item_scores, reports


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
    worth_it = or_(deliveries.c.give_up_at.is_(None), deliveries.c.give_up_at >= due_at)
    connection.execute(
        update(deliveries)
        .where(deliveries.c.id == delivery_id, worth_it)
        .values(status="RETRY", final_at=None, due_at=due_at)
    )


def close_unreachable(connection: Connection, delivery_id: int, now: datetime) -> None:
    """Close the report once all of its deliveries are refused. Two that end at the same time pass
    the lock one after the other, so the second sees the first.
    """
    refused = select(deliveries.c.report_id).where(
        deliveries.c.id == delivery_id, deliveries.c.status == "REFUSED"
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
    connection.execute(update(reports).where(reports.c.id == report_id).values(closed_at=now))
    connection.execute(update(item_scores).where(weighed).values(considered_in=None))


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
