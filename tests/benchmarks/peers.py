"""Other people's job engines doing nothing, durably: each keeps what became of a job."""

from __future__ import annotations

import asyncio
import logging
import tempfile
import threading
import time
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from tests.benchmarks.grounds import empty_url

Peer = Callable[[int, int], float]
"""Jobs a second, given how many jobs and how many threads."""
NAMES = {"huey": "Huey, fsync, results", "procrastinate": "Procrastinate"}


def of(kind: str) -> tuple[Peer, str] | None:
    """None when it is not installed: `make bench` does that, the tests do without."""
    peer = huey if kind == "sqlite" else procrastinate
    return (peer, NAMES[peer.__name__]) if find_spec(peer.__name__) else None


def huey(count: int, threads: int) -> float:
    """With fsync, as ours; a job that was taken dies with its worker, which ours does not."""
    from huey import SqliteHuey
    from huey.signals import SIGNAL_COMPLETE

    logging.getLogger("huey").setLevel(logging.WARNING)
    with tempfile.TemporaryDirectory(prefix="morningdeck-bench-") as folder:
        app = SqliteHuey(filename=str(Path(folder) / "huey.db"), fsync=True)
        nothing = app.task()(_nothing)
        finished = threading.Semaphore(0)
        app.signal(SIGNAL_COMPLETE)(lambda *_: finished.release())
        for number in range(count):
            nothing(number)
        consumer = app.create_consumer(workers=threads, periodic=False, check_worker_health=False)
        began = time.perf_counter()
        consumer.start()
        for _ in range(count):
            finished.acquire()
        taken = time.perf_counter() - began
        assert app.storage.result_store_size() == count
        consumer.stop(graceful=True)
        app.storage.close()
    return count / taken


def procrastinate(count: int, threads: int) -> float:
    with empty_url("postgresql") as url:
        return asyncio.run(_procrastinate(url.replace("+psycopg2", ""), count, threads))


async def _procrastinate(url: str, count: int, threads: int) -> float:
    from procrastinate import App, PsycopgConnector

    logging.getLogger("procrastinate").setLevel(logging.WARNING)
    app = App(connector=PsycopgConnector(conninfo=url, min_size=threads, max_size=threads + 2))

    @app.task(name="nothing")
    async def nothing(number: int) -> int:
        return number

    async with app.open_async():
        await app.schema_manager.apply_schema_async()
        jobs: list[Any] = [{"number": number} for number in range(count)]
        await nothing.batch_defer_async(*jobs)
        began = time.perf_counter()
        await app.run_worker_async(
            concurrency=threads, wait=False, install_signal_handlers=False, listen_notify=False
        )
        taken = time.perf_counter() - began
        succeeded = await app.job_manager.list_jobs_async(status="succeeded")
        assert len(list(succeeded)) == count
    return count / taken


def _nothing(number: int) -> int:
    return number
