"""Deliveries as their sender sees them."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime

from sqlalchemy import and_, select, true

from morningdeck.discreet import said
from morningdeck.model.sending import MAIL_ENDPOINT, Delivery
from morningdeck.store.database.bulk import change
from morningdeck.store.expressions.repository import Repository, made_of
from morningdeck.store.notices.troubles import check_open, end_what_is_over
from morningdeck.store.rows.breaker import end_wait
from morningdeck.store.tables.briefs import (
    briefings,
    deliveries,
    ended_addresses,
    report_texts,
    reports,
)
from morningdeck.work import Job

WHY_ENDED = (
    select(ended_addresses.c.reason)
    .join(reports, reports.c.briefing_id == ended_addresses.c.briefing_id)
    .where(reports.c.id == deliveries.c.report_id)
    .where(ended_addresses.c.address == deliveries.c.address)
    .scalar_subquery()
    .label("ended")
)
RECIPIENTS = (
    select(briefings.c.recipients)
    .join(reports, reports.c.briefing_id == briefings.c.id)
    .where(reports.c.id == deliveries.c.report_id)
    .scalar_subquery()
    .label("recipients")
)


class SqlDeliveryRows(Repository):
    def load(self, delivery_id: int) -> Delivery | None:
        texts = report_texts.c.report_id == deliveries.c.report_id
        query = (
            select(deliveries, report_texts.c.html, WHY_ENDED, RECIPIENTS)
            .outerjoin(report_texts, texts)
            .where(deliveries.c.id == delivery_id)
        )
        row = self._row(query)
        if row is None or row.content is None:
            return None
        delivery = made_of(row, Delivery)
        # a channel without addresses gets one copy, named like itself
        wanted = (*row.recipients, delivery.channel)
        if delivery.ended is None and delivery.address not in wanted:
            return replace(delivery, ended="it is no recipient of this briefing any more")
        return delivery

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
        that address; returns how many. A closed report is refused. Who asks for it by hand may
        have put right what kept the mail server from being asked.
        """
        kept = and_(deliveries.c.report_id == report_id, deliveries.c.content.is_not(None))
        unsent = deliveries.c.status.in_(("PENDING", "RETRY", "REFUSED", "UNKNOWN"))
        to = true() if address is None else deliveries.c.id.in_(self._to(report_id, address))
        anew = {"status": "PENDING", "due_at": now, "final_at": None, "failures": 0, "losses": 0}
        with self._database.write() as connection:
            check_open(connection, report_id)
            end_wait(connection, MAIL_ENDPOINT, now)
            due = change(connection, deliveries, kept, unsent, to, **anew)
            end_what_is_over(connection)
        return due

    def _to(self, report_id: int, address: str) -> tuple[int, ...]:
        """Those to this address, be it given in full or as lists show it."""
        query = select(deliveries.c.id, deliveries.c.address)
        rows = self._rows(query.where(deliveries.c.report_id == report_id))
        return tuple(row.id for row in rows if address in (row.address, said(row.address)))
