"""Morning Deck in a process of its own with all that a daemon has: it takes in feeds word by word.

It answers once nearly all of their items are enriched, then waits for the rest; without a word it
settles. What waits is its own count, which costs the threads that are at work nothing. It imports
nothing that a daemon does not: its memory is looked at.
"""

from __future__ import annotations

import json
import sys
from datetime import timedelta
from typing import Any

from sqlalchemy import update

from morningdeck import logs, memory
from morningdeck.app import App
from morningdeck.model.wanting import NewSource
from morningdeck.store.tables.news import sources
from morningdeck.work import Stage
from tests.benchmarks.running import WATCHED_SECONDS, running_app
from tests.waiting import until

LATER = 0.01
"""So many may be late: what comes while its story's first item is enriched waits five seconds."""


def main(given: str) -> None:
    memory.keep_little()
    logs.configure()
    settings: dict[str, Any] = json.loads(given)
    with running_app(settings) as app:
        for line in sys.stdin:
            if urls := line.split():
                take_in(app, urls, settings["fetch"]["first_import_items"])
            else:
                settle(app)
                print(flush=True)


def settle(app: App) -> None:
    """What a daemon that runs for days has behind it: scores of all that was read before, and the
    topics of the night.
    """
    app.refining.refine()
    until(lambda: not app.theming.waits(), WATCHED_SECONDS, pause_seconds=0.01)


def take_in(app: App, urls: list[str], entries: int) -> None:
    (user, *_) = app.store.users.list()
    now, ended = app.clock(), app.workers[Stage.PROCESSING].outcomes
    added = [
        app.store.subscriptions.subscribe(user.id, NewSource(url), now=now + timedelta(days=1)).id
        for url in urls
    ]
    wanted = ended["DONE"] + len(urls) * entries
    with app.store.database.write() as connection:
        connection.execute(update(sources).where(sources.c.id.in_(added)).values(due_at=now))
    app.wake("fetch")
    nearly = wanted - int(LATER * len(urls) * entries)
    until(lambda: ended["DONE"] >= nearly, WATCHED_SECONDS, pause_seconds=0.01)
    print(ended["DONE"], flush=True)
    until(lambda: ended["DONE"] >= wanted, WATCHED_SECONDS, pause_seconds=0.01)


if __name__ == "__main__":
    main(sys.argv[1])
