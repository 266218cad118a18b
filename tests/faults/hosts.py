"""Any number of hosts on loopback, which note when they were asked, and when they had answered.

Every address of 127.0.0.0/8 is a host of its own. What it does is in the path that it is
asked for: `/feed/...` is a feed without entries, `/moved/...` leads to the one host where
all who have moved are, the others are names of `TROUBLES`.
It stays apart from tests/servers/web.py: 10,000 open connections want no thread each.
"""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

ETAG = b'"1"'
BODY = b'<rss version="2.0"><channel><title>Feed</title></channel></rss>'
FEED = (
    b"HTTP/1.1 200 OK\r\nETag: %s\r\nContent-Type: application/rss+xml\r\n"
    b"Content-Length: %d\r\n\r\n%s" % (ETAG, len(BODY), BODY)
)
UNCHANGED = b"HTTP/1.1 304 Not Modified\r\nETag: %s\r\n\r\n" % ETAG
MOVED = b"HTTP/1.1 302 Found\r\nLocation: %s\r\nContent-Length: 0\r\n\r\n"
MOVED_TO = 8_000_000
REFUSAL = b"HTTP/1.1 %s\r\nContent-Length: 0\r\n\r\n"
TROUBLES = {
    "missing": REFUSAL % b"404 Not Found",
    "gone": REFUSAL % b"410 Gone",
    "broken": REFUSAL % b"503 Service Unavailable",
    "later": b"HTTP/1.1 429 Too Many Requests\r\nRetry-After: 120\r\nContent-Length: 0\r\n\r\n",
    "hangup": b"",
    "silence": None,
}
"""Nothing is sent by those who are silent, not even an end."""


@dataclass(slots=True)
class Request:
    """On the monotonic clock; one that got no answer is over when its connection is."""

    host: str
    path: str
    began_at: float
    ended_at: float | None = None


class Hosts:
    def __init__(self) -> None:
        self.port = 0
        self.requests: list[Request] = []

    def url(self, number: int, path: str) -> str:
        """`number` is the host's."""
        host = f"127.{number >> 16 & 255}.{number >> 8 & 255}.{number & 255}"
        return f"http://{host}:{self.port}/{path}"


class Connection(asyncio.Protocol):
    def __init__(self, hosts: Hosts) -> None:
        self._hosts = hosts
        self._received = b""
        self._unanswered: Request | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self._transport = transport

    def data_received(self, data: bytes) -> None:
        self._received += data
        while b"\r\n\r\n" in self._received:
            asked, _, self._received = self._received.partition(b"\r\n\r\n")
            self._answer(asked)

    def _answer(self, asked: bytes) -> None:
        host = self._transport.get_extra_info("sockname")[0]
        path = asked.split(b" ", 2)[1].decode().lstrip("/")
        request = Request(host, path, time.monotonic())
        self._hosts.requests.append(request)
        answer = TROUBLES.get(path, UNCHANGED if ETAG in asked else FEED)
        if path.startswith("moved/"):
            answer = MOVED % self._hosts.url(MOVED_TO, path.removeprefix("moved/")).encode()
        if answer is None:
            self._unanswered = request
            return
        request.ended_at = time.monotonic()
        if answer:
            self._transport.write(answer)
        else:
            self._transport.abort()

    def connection_lost(self, error: Exception | None) -> None:
        if self._unanswered is not None:
            self._unanswered.ended_at = time.monotonic()


@contextmanager
def many_hosts() -> Iterator[Hosts]:
    """They answer while the block runs, in a thread of their own."""
    hosts, ready, over = Hosts(), threading.Event(), asyncio.Event()
    loop = asyncio.new_event_loop()

    async def serve() -> None:
        server = await loop.create_server(lambda: Connection(hosts), "0.0.0.0", 0, backlog=512)
        hosts.port = server.sockets[0].getsockname()[1]
        ready.set()
        await over.wait()
        server.close()

    thread = threading.Thread(target=loop.run_until_complete, args=(serve(),), daemon=True)
    thread.start()
    ready.wait()
    try:
        yield hosts
    finally:
        loop.call_soon_threadsafe(over.set)
        thread.join()
        loop.close()
