"""Deliveries as their sender sees them."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import and_, select, true

from morningdeck.model.sending import Delivery
from morningdeck.store.database.bulk import change
from morningdeck.store.expressions.repository import Repository, made_of
from morningdeck.store.notices.troubles import check_open, end_what_is_over
from morningdeck.store.tables.briefs import deliveries, report_texts
from morningdeck.work import Job


class SqlDeliveryRows(Repository):
    def load(self, delivery_id: int) -> Delivery | None:
        texts = report_texts.c.report_id == deliveries.c.report_id
        query = (
            select(deliveries, report_texts.c.html)
            .outerjoin(report_texts, texts)
            .where(deliveries.c.id == delivery_id)
        )
        row = self._row(query)
        if row is None or row.content is None:
            return None
        return made_of(row, Delivery)

    def final(self, job: Job, owner: str, at: datetime | None) -> bool:
        """Set since when it may have arrived (None: it has not); False if the claim was lost."""
        changed = self._change(
            deliveries,
            deliveries.c.id == job.id,
            deliveries.c.status == "SENDING",
            deliveries.c.attempts == job.attempt,
            deliveries.c.claimed_by == owner,
            final_at=at,
        )
        return changed == 1

    def of_report(self, report_id: int) -> tuple[int, ...]:
        query = select(deliveries.c.id).where(deliveries.c.report_id == report_id)
        return self._column(query.order_by(deliveries.c.id))

    def in_work(self, report_id: int) -> bool:
        query = select(deliveries.c.id).where(
            deliveries.c.report_id == report_id, deliveries.c.status == "SENDING"
        )
        return bool(self._scalar(query.limit(1)))

    def send_again(self, report_id: int, now: datetime, address: str | None = None) -> int:
        """Make everything that is not `SENT` (nor being sent) due now, or only what goes to
        that address; returns how many. A closed report is refused.
        """
        kept = and_(deliveries.c.report_id == report_id, deliveries.c.content.is_not(None))
        unsent = deliveries.c.status.in_(("PENDING", "RETRY", "REFUSED", "UNKNOWN"))
        to = true() if address is None else deliveries.c.address == address
        anew = {"status": "PENDING", "due_at": now, "final_at": None, "failures": 0, "losses": 0}
        with self._database.write() as connection:
            check_open(connection, report_id)
            due = change(connection, deliveries, kept, unsent, to, **anew)
            end_what_is_over(connection)
        return due
