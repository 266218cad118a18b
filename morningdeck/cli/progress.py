"""One line at the bottom of a terminal: what a daemon works at, or what it waits for.

It stands in for the log there, which has a line for each job; what is wrong is logged above it.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from datetime import datetime
from zoneinfo import ZoneInfo

from morningdeck.actions.status import in_the_works
from morningdeck.cli.output import readable
from morningdeck.errors import MorningDeckError
from morningdeck.moments import in_words
from morningdeck.views.running import StatusView

EVERY_SECONDS = 1.0
LAST_LINE_SECONDS = 2.0


@contextmanager
def showing(text: Callable[[], str], summary: Callable[[float], str]) -> Iterator[None]:
    """Show the text as long as the block runs, then the summary of so many seconds."""
    from rich.console import Console  # `run` is imported for its help as well
    from rich.live import Live
    from rich.text import Text

    console = Console(stderr=True, highlight=False)
    over, began = threading.Event(), time.monotonic()
    live = Live(console=console, auto_refresh=False, transient=True, redirect_stdout=False)

    def keep_showing() -> None:
        shown = None
        while not over.is_set():
            try:
                line = readable(text())
            except MorningDeckError:
                line = "the database does not answer"
            if line != shown:
                live.update(Text(line, no_wrap=True, overflow="ellipsis"), refresh=True)
                shown = line
            over.wait(EVERY_SECONDS)

    thread = threading.Thread(target=keep_showing, name="progress", daemon=True)
    with live:
        console.show_cursor()  # a process that has to end at once would leave none
        thread.start()
        try:
            yield
        finally:
            over.set()
            thread.join(LAST_LINE_SECONDS)
    console.print(Text(summary(time.monotonic() - began)))


def line(view: StatusView, done: Mapping[str, int], now: datetime, zone: ZoneInfo) -> str:
    """`done` counts the items of this run by how they ended."""
    return _work(view, done) or _waiting(view, now, zone)


def summary(done: Mapping[str, int], seconds: float) -> str:
    failed = done.get("ERROR", 0)
    words = f"{done.get('DONE', 0):,} items enriched in {seconds:,.0f} s"
    return f"{words}, {failed:,} failed: morningdeck queue dead" if failed else words


def _work(view: StatusView, done: Mapping[str, int]) -> str:
    todo = in_the_works(view)
    enriched = done.get("DONE", 0) + done.get("ERROR", 0)
    words = {what: f"{count:,} to {what}" for what, count in todo.items()}
    words["enrich"] = f"{enriched:,} of {enriched + todo['enrich']:,} items enriched"
    return " · ".join(words[what] for what, count in todo.items() if count)


def _waiting(view: StatusView, now: datetime, zone: ZoneInfo) -> str:
    outlook, briefing = view.outlook, view.outlook.next_briefing
    if not outlook.sources:
        return "nothing to read yet; in a second terminal: morningdeck source add URL"
    parts = ["waiting"]
    if outlook.next_fetch_at is not None:
        parts.append(f"next fetch {in_words(outlook.next_fetch_at, now, zone)}")
    if briefing is None:
        parts.append("no briefing yet: morningdeck briefing add --help")
    else:
        parts.append(f"next briefing {in_words(briefing.at, now, zone)} {briefing.title}")
    if view.notices:
        parts.append(f"{len(view.notices):,} to look at: morningdeck status")
    return " · ".join(parts)
