"""Saves what the receiving side answered to a delivery."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import Connection, update

from morningdeck.model import Receipt
from morningdeck.store.tables.briefs import deliveries
from morningdeck.work import Job


def save_receipt(connection: Connection, job: Job, receipt: Receipt, now: datetime) -> None:
    connection.execute(
        update(deliveries).where(deliveries.c.id == job.id).values(reply=receipt.reply)
    )
