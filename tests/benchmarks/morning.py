"""Morning Deck in a process of its own, doing what it is told word by word, as its peers do.

Only its fetching is switched on, because its peers do no more; all else is as users have
it: the real engine, its log, and every change of a status safe on the disk.
"""

from __future__ import annotations

import sys
import time
from datetime import timedelta
from pathlib import Path

from sqlalchemy import func, or_, select, update

from morningdeck import logs
from morningdeck.app import App, open_app
from morningdeck.settings import Settings
from morningdeck.store.readership import Wish
from morningdeck.store.tables import items, sources

WORKERS = 8
"""As many as its peers."""
LOOK_SECONDS = 0.02


def main(folder: str) -> None:
    logs.configure()
    settings = Settings.model_validate(
        {
            "data_dir": Path(folder),
            "fetch": {"workers": WORKERS},
            "processing": {"enabled": False},
            "briefing": {"enabled": False},
            "http": {"allow_networks": ["127.0.0.0/8"], "requests_per_host_second": 0},
        }
    )
    with logs.gathering(), open_app(settings) as app:
        app.join("daemon")
        engine = app.build_engine()
        engine.start()
        try:
            for line in sys.stdin:
                print(obey(app, line), flush=True)
        finally:
            engine.stop(10)


def obey(app: App, line: str) -> int | None:
    match line.split():
        case ["add", url]:
            (user, *_) = app.store.users.list()
            now = app.clock()
            later = now + timedelta(days=1)
            app.store.subscriptions.subscribe(user.id, Wish(url), now=now, due_at=later)
        case ["update"]:
            _update(app)
        case ["count"]:
            return _count(app)
    return None


def _update(app: App) -> None:
    now = app.clock()
    with app.store.database.write() as connection:
        connection.execute(update(sources).values(due_at=now))
    app.wake("fetch")
    busy = or_(sources.c.status != "IDLE", sources.c.due_at <= now)
    with app.store.database.read() as connection:
        while connection.execute(select(sources.c.id).where(busy).limit(1)).first() is not None:
            time.sleep(LOOK_SECONDS)


def _count(app: App) -> int:
    """When the search knows them too: that goes on behind a round, and is not part of the next."""
    marked = select(items.c.id).where(items.c.search_mark > 0).limit(1)
    with app.store.database.read() as connection:
        while connection.execute(marked).first() is not None:
            time.sleep(LOOK_SECONDS)
        return connection.scalar(select(func.count()).select_from(items)) or 0


if __name__ == "__main__":
    main(sys.argv[1])
