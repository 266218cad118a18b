"""Morning Deck in a process of its own, doing what it is told word by word, as its peers do.

Only its fetching is switched on, because its peers do no more; all else is as users have
it: the real engine, its log, and every change of a status safe on the disk.
"""

from __future__ import annotations

import sys
from datetime import timedelta
from pathlib import Path

from sqlalchemy import Select, func, or_, select, update

from morningdeck import logs
from morningdeck.app import App
from morningdeck.model.wanting import NewSource
from morningdeck.store.tables.news import items, sources
from morningdeck.work import Stage
from tests.benchmarks.running import LOOK_SECONDS, WATCHED_SECONDS, running_app
from tests.waiting import until


def main(folder: str, workers: str) -> None:
    logs.configure()
    settings = {
        "data_dir": Path(folder),
        "fetch": {"workers": workers},
        "processing": {"enabled": False},
        "briefing": {"enabled": False},
    }
    with running_app(settings) as app:
        for line in sys.stdin:
            print(obey(app, line), flush=True)


def obey(app: App, line: str) -> int | None:
    match line.split():
        case ["add", url]:
            (user, *_) = app.store.users.list()
            later = app.clock() + timedelta(days=1)
            app.store.subscriptions.subscribe(user.id, NewSource(url), now=later)
        case ["update"]:
            _update(app)
        case ["count"]:
            return _count(app)
    return None


def _update(app: App) -> None:
    now, ended = app.clock(), app.workers[Stage.FETCH].outcomes
    before = ended.total()
    with app.store.database.write() as connection:
        count = connection.execute(update(sources).values(due_at=now)).rowcount
    app.wake("fetch")
    # its own count tells soon, and costs the threads that are at work nothing
    until(lambda: ended.total() >= before + count, WATCHED_SECONDS)
    busy = or_(sources.c.status != "IDLE", sources.c.due_at <= now)
    _wait_until_none(app, select(sources.c.id).where(busy))


def _count(app: App) -> int:
    with app.store.database.read() as connection:
        return connection.scalar(select(func.count()).select_from(items)) or 0


def _wait_until_none(app: App, query: Select[int]) -> None:
    with app.store.database.read() as connection:
        until(
            lambda: connection.execute(query.limit(1)).first() is None,
            WATCHED_SECONDS,
            pause_seconds=LOOK_SECONDS,
        )


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2])
