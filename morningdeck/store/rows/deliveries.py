"""Deliveries as their sender sees them."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import select, update

from morningdeck.model import Delivery
from morningdeck.store.database.connect import Database
from morningdeck.store.expressions.from_rows import made_of
from morningdeck.store.notices.troubles import end_what_is_over
from morningdeck.store.notices.undelivered import check_open
from morningdeck.store.tables.briefs import deliveries, report_texts
from morningdeck.work import Job


class SqlDeliveryRows:
    def __init__(self, database: Database) -> None:
        self._database = database

    def load(self, delivery_id: int) -> Delivery | None:
        texts = report_texts.c.report_id == deliveries.c.report_id
        query = (
            select(deliveries, report_texts.c.html)
            .outerjoin(report_texts, texts)
            .where(deliveries.c.id == delivery_id)
        )
        with self._database.read() as connection:
            row = connection.execute(query).one_or_none()
        if row is None or row.content is None:
            return None
        return made_of(row, Delivery)

    def final(self, job: Job, owner: str, at: datetime | None) -> bool:
        """Set since when it may have arrived (None: it has not); False if the claim was lost."""
        statement = (
            update(deliveries)
            .where(
                deliveries.c.id == job.id,
                deliveries.c.status == "SENDING",
                deliveries.c.attempts == job.attempt,
                deliveries.c.claimed_by == owner,
            )
            .values(final_at=at)
        )
        with self._database.write() as connection:
            return connection.execute(statement).rowcount == 1

    def of_report(self, report_id: int) -> tuple[int, ...]:
        query = select(deliveries.c.id).where(deliveries.c.report_id == report_id)
        with self._database.read() as connection:
            return tuple(connection.scalars(query.order_by(deliveries.c.id)))

    def in_work(self, report_id: int) -> bool:
        query = select(deliveries.c.id).where(
            deliveries.c.report_id == report_id, deliveries.c.status == "SENDING"
        )
        with self._database.read() as connection:
            return connection.execute(query).first() is not None

    def send_again(self, report_id: int, now: datetime, address: str | None = None) -> int:
        """Make everything that is not `SENT` (nor being sent) due now, or only what goes to
        that address; returns how many. A closed report is refused.
        """
        statement = (
            update(deliveries)
            .where(
                deliveries.c.report_id == report_id,
                deliveries.c.status.in_(("PENDING", "RETRY", "REFUSED", "UNKNOWN")),
                deliveries.c.content.is_not(None),
            )
            .values(status="PENDING", due_at=now, final_at=None, failures=0, losses=0)
        )
        if address is not None:
            statement = statement.where(deliveries.c.address == address)
        with self._database.write() as connection:
            check_open(connection, report_id)
            due = connection.execute(statement).rowcount
            end_what_is_over(connection)
        return due
