"""What is owed to the ping address of a briefing: one ping for each run of its deliveries.

It is owed in the transaction that ends the last delivery of a report, so no crash loses it.
"""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import Connection, select

from morningdeck.store.database.bulk import insert
from morningdeck.store.tables.briefs import briefings, deliveries, pings, reports

UNDER_WAY = frozenset({"PENDING", "RETRY", "SENDING"})


def ping_after_delivery(connection: Connection, delivery_id: int, now: datetime) -> None:
    """If it was the last of its report that was under way."""
    of = select(deliveries.c.report_id).where(deliveries.c.id == delivery_id)
    report_id = connection.scalar(of)
    if report_id is None or not _is_wanted(connection, report_id):
        return
    # two that end at the same time pass here one after the other, so the second sees the first
    this = select(reports.c.id).where(reports.c.id == report_id)
    connection.execute(this.with_for_update(key_share=True))
    query = select(deliveries.c.status).where(deliveries.c.report_id == report_id)
    states = connection.scalars(query).all()
    if UNDER_WAY.isdisjoint(states):
        sent = sum(state == "SENT" for state in states)
        told = f"report {report_id}: {sent} of {len(states)} delivered"
        _owe(connection, report_id, sent == len(states), told, now)


def ping_after_writing(connection: Connection, report_id: int, now: datetime) -> None:
    """A report that goes to nobody, as there was nothing to tell, has run as well."""
    if _is_wanted(connection, report_id):
        _owe(connection, report_id, True, f"report {report_id}: nothing to send", now)


def _is_wanted(connection: Connection, report_id: int) -> bool:
    query = select(briefings.c.ping_url).join(reports).where(reports.c.id == report_id)
    return bool(connection.scalar(query))


def _owe(connection: Connection, report_id: int, ok: bool, told: str, now: datetime) -> None:
    owed = {"ok": ok, "told": told, "due_at": now, "attempts": 0}
    statement = insert(connection, pings).values(report_id=report_id, **owed)
    connection.execute(statement.on_conflict_do_update(index_elements=("report_id",), set_=owed))
