"""`python -m tests.store.asker WHAT URL NUMBER [USER]`: one of two processes that ask a model.

Each prints one JSON document of what its threads did.
"""

from __future__ import annotations

import json
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from pathlib import Path
from typing import Any

from morningdeck.errors import BudgetSpentError, EndpointHeldError
from morningdeck.model.asking import NANODOLLARS, CallUsage, FailureKind, ModelCall, Price, Purpose
from morningdeck.store.database.connect import Database, open_database
from morningdeck.store.rows.breaker import SqlBreaker
from morningdeck.store.rows.ledger import SqlLedger

ROOT = Path(__file__).parents[2]
ITEMS, MONEY_FOR, THREADS, PROCESSES = 5_000, 1_000, 16, 2
PRICE = Price(Decimal("0.15"), Decimal("0.6"))
COST = PRICE.of(1000, 1000)
DAY = datetime(2026, 11, 18, 7, tzinfo=UTC)
ENDPOINT = "model.example"
SECONDS = 3.0
EVERY = 40
"""One call in so many is told to wait a moment."""


def two_at_once(what: str, url: str, *more: str) -> list[Any]:
    """What each of the processes printed."""
    at_work = [
        subprocess.Popen(
            [sys.executable, "-m", "tests.store.asker", what, url, str(number), *more],
            cwd=ROOT,
            stdout=subprocess.PIPE,
            text=True,
        )
        for number in range(PROCESSES)
    ]
    said = [process.communicate(timeout=300)[0] for process in at_work]
    assert [process.returncode for process in at_work] == [0] * PROCESSES
    return [json.loads(text) for text in said]


@contextmanager
def one_at_work(what: str, url: str, *more: str) -> Iterator[subprocess.Popen[str]]:
    """Killed when the block ends."""
    words = [sys.executable, "-m", "tests.store.asker", what, url, *more]
    with subprocess.Popen(words, cwd=ROOT, stdout=subprocess.PIPE, text=True) as process:
        yield process
        process.kill()


def spend(database: Database, number: int, user: int | None) -> int:
    """Ask about every second item; returns how many calls were made."""
    budget = Decimal(MONEY_FOR * COST) / NANODOLLARS
    ledger = SqlLedger(database, lambda: DAY, lambda _: PRICE, budget)
    made: list[int] = []

    def ask(item: int) -> None:
        call = ModelCall(ENDPOINT, "small", Purpose.ENRICH, 1000, 1000, user, None, item)
        try:
            reservation = ledger.reserve(call)
        except BudgetSpentError:
            return
        made.append(item)
        # of two in three nobody knows what they did cost
        ledger.settle(reservation, CallUsage() if item % 3 else CallUsage(1000, 1000))

    with ThreadPoolExecutor(THREADS) as threads:
        list(threads.map(ask, range(number, ITEMS, PROCESSES)))
    return len(made)


def meet_holds(database: Database, number: int) -> dict[str, list[Any]]:
    """Ask as fast as is allowed; returns when each call was asked for and admitted, and from when
    until when all were told to wait.
    """
    breaker = SqlBreaker(database, lambda: datetime.now(UTC), lease=timedelta(seconds=1))
    calls: list[tuple[float, float]] = []
    holds: list[tuple[float, float]] = []
    numbers, over = iter(range(number, 10**9)), time.monotonic() + SECONDS
    lock = threading.Lock()

    def ask(_: int) -> None:
        while time.monotonic() < over:
            asked_at = time.time()
            try:
                admission = breaker.admit(ENDPOINT)
            except EndpointHeldError:
                time.sleep(0.005)
                continue
            calls.append((asked_at, time.time()))
            with lock:
                mine = next(numbers)
            time.sleep(0.002)
            if mine % EVERY:
                breaker.succeeded(admission)
            elif until := breaker.failed(admission, "1", FailureKind.LIMITED):
                holds.append((time.time(), until.timestamp()))

    with ThreadPoolExecutor(THREADS) as threads:
        list(threads.map(ask, range(THREADS)))
    return {"calls": calls, "holds": holds}


def main(what: str, url: str, number: str, user: str = "") -> None:
    database = open_database(url, pool_size=THREADS + 4)
    if what == "spend":
        said: Any = spend(database, int(number), int(user) if user else None)
    else:
        said = meet_holds(database, int(number))
    database.close()
    print(json.dumps(said))


if __name__ == "__main__":
    main(*sys.argv[1:])
