"""A web server with feeds that tests write, as real sites do: with validators and 304."""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from hashlib import sha256
from html import escape
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import quote


@dataclass(frozen=True, slots=True)
class News:
    title: str
    text: str
    guid: str = ""
    link: str = ""
    age: timedelta = timedelta(hours=1)


def rss(title: str, news: list[News], base: str) -> bytes:
    now = datetime.now(UTC)
    entries = "".join(
        f"<item><title>{escape(one.title)}</title>"
        f"<link>{escape(one.link or f'{base}/{quote(one.title)}.html')}</link>"
        f"<guid isPermaLink='false'>{escape(one.guid or one.title)}</guid>"
        f"<pubDate>{format_datetime(now - one.age)}</pubDate>"
        f"<description>{escape(one.text)}</description></item>"
        for one in news
    )
    return (
        f"<rss version='2.0'><channel><title>{escape(title)}</title><link>{base}</link>"
        f"<description/>{entries}</channel></rss>"
    ).encode()


@dataclass
class FeedServer:
    """`requests` counts by path and status: `("/a.xml", 304)`."""

    base: str = ""
    requests: Counter[tuple[str, int]] = field(default_factory=Counter)
    _pages: dict[str, bytes] = field(default_factory=dict)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def publish(self, path: str, title: str, news: list[News]) -> str:
        """Put a feed there, or a new edition of it; returns its address."""
        return self.put(path, rss(title, news, f"{self.base}{path}"))

    def put(self, path: str, body: bytes) -> str:
        with self._lock:
            self._pages[path] = body
        return f"{self.base}{path}"

    def answer(self, path: str, etag: str | None) -> tuple[int, bytes, str]:
        with self._lock:
            body = self._pages.get(path)
            current = f'"{sha256(body or b"").hexdigest()[:16]}"'
            status = 404 if body is None else 304 if etag == current else 200
            self.requests[path, status] += 1
        return status, body if status == 200 and body else b"", current


@contextmanager
def feed_server() -> Iterator[FeedServer]:
    feeds = FeedServer()

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_GET(self) -> None:
            status, body, etag = feeds.answer(self.path, self.headers.get("If-None-Match"))
            self.send_response(status)
            self.send_header("ETag", etag)
            self.send_header("Content-Type", "application/rss+xml")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: object) -> None:
            """Tests look at `requests`."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    feeds.base = f"http://127.0.0.1:{server.server_address[1]}"
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05})
    thread.start()
    try:
        yield feeds
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
