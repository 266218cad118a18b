"""A web server with feeds that tests write, as real sites do: with validators and 304."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from hashlib import sha256
from html import escape
from urllib.parse import quote

from tests.servers.web import Request, Server, answer


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


class FeedServer(Server):
    """`served` counts by path and status: `("/a.xml", 304)`."""

    def __init__(self) -> None:
        super().__init__(self._serve_page)
        self.served: Counter[tuple[str, int]] = Counter()
        self._pages: dict[str, tuple[bytes, str]] = {}

    def publish(self, path: str, title: str, news: list[News]) -> str:
        """Put a feed there, or a new edition of it; returns its address."""
        return self.put(path, rss(title, news, self.url(path)))

    def put(self, path: str, body: bytes, content_type: str = "application/rss+xml") -> str:
        self._pages[path] = body, content_type
        return self.url(path)

    def _serve_page(self, request: Request) -> Iterator[bytes]:
        body, content_type = self._pages.get(request.path, (b"", ""))
        etag = f'"{sha256(body).hexdigest()[:16]}"'
        known = request.headers.get("if-none-match") == etag
        status = 404 if not content_type else 304 if known else 200
        self.served[request.path, status] += 1
        body = body if status == 200 else b""
        yield answer(status, body, etag=etag, content_type=content_type)
