"""Many feeds on loopback, which publish more whenever a test says so.

Each is on a host of its own, so that the pace at which a host may be asked keeps none of
them waiting for the others. Every entry is a story of its own, but for every tenth: it is
the feed before's news too.
"""

from __future__ import annotations

import random
import sys
import threading
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from email.utils import format_datetime
from functools import lru_cache

from morningdeck.model.wanting import NewSource
from tests.servers.web import Request, Server, answer

SYLLABLES = tuple(start + end for start in "bdfgklmnprstvz" for end in ("a", "e", "i", "o", "u"))
WORDS = 320
"""So much text that nobody asks for the page behind it."""
SHARED_ENTRY = 10
PATIENCE_SECONDS = 120.0
"""A held request is let go after that, so that no test leaves threads behind."""


class Feeds:
    """`count` feeds that have published `published` entries each."""

    def __init__(self, port: int, count: int, shown: int) -> None:
        self._port = port
        self.count = count
        self._shown = shown
        self.published = 0
        self.requests: Counter[int] = Counter()
        self._born = datetime.now(UTC)
        self._open = threading.Event()
        self._open.set()

    def publish(self, entries: int) -> None:
        """Each feed has so many entries more."""
        self.published += entries

    def guids(self) -> set[tuple[str, str]]:
        """Every entry of every feed, as (address of the feed, guid)."""
        return {
            (self.url(feed), f"{feed}-{entry}")
            for feed in range(self.count)
            for entry in range(self.published)
        }

    def url(self, feed: int) -> str:
        return f"http://127.1.{feed >> 8}.{feed & 255}:{self._port}/{feed}"

    def new_sources(self) -> list[NewSource]:
        return [NewSource(self.url(feed)) for feed in range(self.count)]

    # ---- slow servers

    def hold(self) -> None:
        """Answer nobody until `let_go`."""
        self._open.clear()

    def let_go(self) -> None:
        self._open.set()

    # ---- what is served

    def answer(self, feed: int) -> bytes:
        self.requests[feed] += 1
        self._open.wait(PATIENCE_SECONDS)
        return self._xml(feed).encode()

    def _xml(self, feed: int) -> str:
        shown = range(max(0, self.published - self._shown), self.published)
        entries = "".join(self._entry(feed, number) for number in shown)
        return f'<rss version="2.0"><channel><title>Feed {feed}</title>{entries}</channel></rss>'

    def _entry(self, feed: int, number: int) -> str:
        shared = number % SHARED_ENTRY == SHARED_ENTRY - 1
        told_by = feed - feed % 2 if shared else feed
        words = _words(f"{told_by}-{number}")
        return (
            f"<item><guid>{feed}-{number}</guid><title>{told_by}{number:04} {words[:40]}</title>"
            f"<link>{self.url(told_by)}/story/{number}</link>"
            f"<pubDate>{format_datetime(self._born)}</pubDate>"
            f"<description>{words}</description></item>"
        )


@lru_cache(maxsize=20_000)
def _words(seed: str) -> str:
    chance = random.Random(seed)
    return " ".join("".join(chance.choices(SYLLABLES, k=3)) for _ in range(WORDS))


@contextmanager
def serving(count: int, *, shown: int = sys.maxsize) -> Iterator[Feeds]:
    """Feeds that show their newest entries, on a free port while the block runs."""

    def say(request: Request) -> Iterator[bytes]:
        body = feeds.answer(int(request.path.lstrip("/")))
        yield answer(body=body, content_type="application/rss+xml")

    with Server(say, everywhere=True) as server:
        feeds = Feeds(server.port, count, shown)
        try:
            yield feeds
        finally:
            feeds.let_go()
