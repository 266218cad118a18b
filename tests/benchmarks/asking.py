"""What it costs to keep a model within its budget: calls of half a second by many workers.

Beside it the ideal: as many calls at once as there are workers, and nothing in between.
"""

from __future__ import annotations

import time
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta
from decimal import Decimal

from morningdeck.model.asking import CallUsage, ModelCall, Purpose
from morningdeck.prices import PriceList
from morningdeck.store.database.connect import Database
from morningdeck.store.rows.breaker import SqlBreaker
from morningdeck.store.rows.ledger import SqlLedger
from tests.benchmarks.grounds import KINDS, fresh_database
from tests.benchmarks.report import Report

LATENCY_SECONDS = 0.5
WORKERS = (4, 32, 128)
SHARE = 0.95
CALL = ModelCall("model.example", "gpt-4o-mini", Purpose.ENRICH, 2_000, 500)


def run(report: Report) -> None:
    calls = 1 if report.quick else 12
    for kind in KINDS:
        with fresh_database(kind) as database:
            for workers in WORKERS[:1] if report.quick else WORKERS:
                ours = workers * calls / _seconds(database, workers, calls)
                what = (
                    f"calls of {LATENCY_SECONDS:g} s that are paid for, {workers} workers, {kind}"
                )
                ideal = workers / LATENCY_SECONDS
                report.rate(what, ours, share=SHARE, beside=ideal, name="workers / latency")


def _seconds(database: Database, workers: int, calls: int) -> float:
    prices = PriceList()
    ledger = SqlLedger(database, _now, prices.find, Decimal(1_000))
    breaker = SqlBreaker(database, _now, lease=timedelta(minutes=2))

    def work(_: int) -> None:
        for _ in range(calls):
            reservation = ledger.reserve(CALL)
            admission = breaker.admit(CALL.endpoint)
            time.sleep(LATENCY_SECONDS)
            breaker.succeeded(admission)
            ledger.settle(reservation, CallUsage(1_500, 300))

    with ThreadPoolExecutor(workers) as threads:
        began = time.perf_counter()
        list(threads.map(work, range(workers)))
        return time.perf_counter() - began


def _now() -> datetime:
    return datetime.now(UTC)
