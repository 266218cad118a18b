"""What the tests of the row protocol share: owners, a lease, a job that has begun."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from sqlalchemy import Row

from morningdeck.model.making import Enriched, Enrichment, Tags
from morningdeck.ports.engine import JobStore
from morningdeck.work import Job, Lost, RetryPolicy, Settlement, Stage, decide
from tests.conftest import NOW

LEASE = timedelta(seconds=90)
LATER = NOW + timedelta(minutes=10)
"""When every lease that was taken now has run out."""
ME = "host-1/0:aaaa"
OTHER = "host-1/1:bbbb"
DONE = Settlement("DONE", None, 0, 0)
ENRICHED = Enrichment("A summary.", "news", "inform", Tags(("energy",)), "en", by="offline")


def started(work: JobStore, item: int, owner: str = ME) -> Job:
    assert work.claim_one(Stage.PROCESSING, item, owner, NOW)
    job = work.start(Stage.PROCESSING, item, owner, NOW)
    assert job is not None
    return job


def due_at_once(job: Job) -> Settlement:
    return decide(job, Lost(), policy=RetryPolicy(()), now=NOW, chance=0.0, rest=lambda _: LATER)


def processed(content_hash: str = "hash") -> Settlement:
    return Settlement("DONE", None, 0, 0, result=Enriched(ENRICHED, content_hash))


def engine_columns(row: Row[Any]) -> tuple[object, ...]:
    return (row.status, row.attempts, row.claimed_by, row.lease_until, row.failures, row.losses)
