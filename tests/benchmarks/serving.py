"""A daemon as users start it, in a process of its own, with work for all its stages."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import timedelta
from functools import partial
from pathlib import Path

from sqlalchemy import ColumnElement, func, select, update

from morningdeck.app import App
from morningdeck.model.wanting import NewSource
from morningdeck.store.tables.news import items, sources
from tests.benchmarks.running import WATCHED_SECONDS
from tests.benchmarks.site import ENTRIES, Site
from tests.waiting import until

TURN_SECONDS = 0.5
SHARE = 0.02
"""Of the feeds, so many have something new at each turn."""
STRIDE = 10
"""Between the briefings of two turns: those of one kind shall not come one after the other."""


@dataclass(frozen=True)
class Daemon:
    pid: int
    url: str
    """Empty without a web."""


@contextmanager
def daemon(folder: Path, database_url: str, *words: str) -> Iterator[Daemon]:
    """`morningdeck run`, from its start on; it asks hosts without a pause."""
    log = folder / "log"
    with (
        log.open("w") as told,
        subprocess.Popen(
            [sys.executable, "-m", "morningdeck", "run", *words],
            env=_surroundings(folder, database_url),
            stdout=told,
            stderr=subprocess.STDOUT,
        ) as process,
    ):
        sign = '"started"' if words else '"web_started"'
        try:
            until(lambda: process.poll() is not None or sign in log.read_text(), WATCHED_SECONDS)
            if process.poll() is not None:
                raise RuntimeError(f"the daemon did not start: {log.read_text()[-500:]}")
            line = next(line for line in log.read_text().splitlines() if sign in line)
            yield Daemon(process.pid, json.loads(line).get("url", ""))
        finally:
            process.terminate()


def _surroundings(folder: Path, database_url: str) -> dict[str, str]:
    kept = {name: told for name, told in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    given = {
        "DATA_DIR": str(folder),
        "DATABASE__URL": database_url,
        "WEB__PORT": "0",
        "HTTP__ALLOW_NETWORKS": '["127.0.0.0/8"]',
        "HTTP__REQUESTS_PER_HOST_SECOND": "0",
        "FETCH__FIRST_IMPORT_ITEMS": str(ENTRIES),
        "LOGGING__FORMAT": "json",
    }
    return {**kept, **{f"MORNINGDECK_{name}": value for name, value in given.items()}}


class Work:
    """Feeds that several users read; `app` is not the daemon's, which hears by the database."""

    def __init__(self, app: App, site: Site, user_ids: Sequence[int]) -> None:
        self._app = app
        self._site = site
        later = app.clock() + timedelta(days=1)
        subscribe = partial(app.store.subscriptions.subscribe, now=later)
        self._sources = [
            {subscribe(user_id, NewSource(url)).id for user_id in user_ids}.pop()
            for url in site.urls
        ]
        self._first = self._scalar(select(func.max(items.c.id))) or 0

    def begin(self) -> None:
        """All are due now, and read before this returns; what they brought waits for long."""
        self._due(self._sources)
        brought = ENTRIES * len(self._sources)
        until(lambda: self._count() >= brought, WATCHED_SECONDS, pause_seconds=0.2)

    def done(self) -> int:
        """Items of these feeds."""
        return self._count(items.c.status == "DONE")

    def waiting(self) -> int:
        return self._count(items.c.status == "NEW")

    def _count(self, *only: ColumnElement[bool]) -> int:
        return self._scalar(select(func.count()).where(items.c.id > self._first, *only))

    @contextmanager
    def going_on(self, briefing_ids: Sequence[int]) -> Iterator[None]:
        """Twice a second some feeds have something new, and a briefing is to be written."""
        over = threading.Event()
        thread = threading.Thread(target=self._go_on, args=(briefing_ids, over))
        thread.start()
        try:
            yield
        finally:
            over.set()
            thread.join()

    def _go_on(self, briefing_ids: Sequence[int], over: threading.Event) -> None:
        turn = 0
        while not over.wait(TURN_SECONDS):
            share = max(SHARE, 1 / len(self._sources))
            self._site.change(share)
            some = round(share * len(self._sources) * 2)
            start = turn * some % len(self._sources)
            self._due(self._sources[start : start + some])
            chosen = briefing_ids[turn * STRIDE % len(briefing_ids)]
            self._app.store.briefing_rows.ask_run(chosen, self._app.clock())
            turn += 1

    def _due(self, source_ids: Sequence[int]) -> None:
        with self._app.store.database.write() as connection:
            these = sources.c.id.in_(source_ids)
            connection.execute(update(sources).where(these).values(due_at=self._app.clock()))

    def _scalar(self, query: object) -> int:
        with self._app.store.database.read() as connection:
            return int(connection.scalar(query) or 0)  # type: ignore[call-overload]  # a Select
