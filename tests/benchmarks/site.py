"""A web site of many feeds that costs next to nothing: all is rendered before it is asked for.

It stays apart from tests/servers/web.py: its work must not be counted as a reader's, so it is
a process of its own.

    Site (here)  -- a word on its standard input --> serve() (there)
                 <-- one line of JSON ------------
"""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Sequence
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime, parsedate_to_datetime
from functools import cache
from html import escape
from random import Random
from types import TracebackType
from typing import Any, Self

from morningdeck.model.making import Article
from tests.conftest import CORPORA

Tell = Callable[[int, int, datetime], str]
"""An entry, from the numbers of feed and entry and its time."""
ENTRIES = 20
BASE = "http://127.0.0.1"


class Site:
    """The feeds of one run; `urls` are there as soon as it is entered."""

    def __init__(self, count: int, *, newswire: bool = False) -> None:
        """With `newswire` its entries are articles of that, where it is to be had."""
        self.count = count
        self._newswire = newswire
        self.urls: tuple[str, ...] = ()

    def __enter__(self) -> Self:
        self._process = subprocess.Popen(
            [sys.executable, "-m", __name__, str(self.count), "newswire" if self._newswire else ""],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        port = self._answer()
        self.urls = tuple(f"{BASE}:{port}/feed-{number}.xml" for number in range(self.count))
        return self

    def change(self, share: float) -> int:
        """Give so many feeds one entry more; returns how many feeds that were."""
        return int(self._ask(f"change {share}"))

    def take_counts(self) -> Counter[int]:
        """What was answered since the last time, by status."""
        return Counter({int(status): count for status, count in self._ask("counts").items()})

    def _ask(self, word: str) -> Any:
        assert self._process.stdin is not None
        self._process.stdin.write(word + "\n")
        self._process.stdin.flush()
        return self._answer()

    def _answer(self) -> Any:
        assert self._process.stdout is not None
        line = self._process.stdout.readline()
        if not line:
            raise RuntimeError(f"the site is gone, status {self._process.wait()}")
        return json.loads(line)

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        with self._process:  # closes its input, upon which it ends
            pass

    @property
    def pid(self) -> int:
        return self._process.pid


# ---- what the feeds say

NOUNS = (
    "council harbour budget bridge winter railway teacher station market museum river "
    "orchestra hospital energy price tariff court minister village farmer satellite battery "
    "software library festival football climate forest insurance factory strike contract "
    "airport theatre student vaccine pension tenant mayor journal coast ferry cycling "
    "reservoir algorithm election committee laboratory bakery archive lighthouse tunnel "
    "carnival union glacier orchard harvest refinery telescope parliament quarry stadium"
)
VERBS = (
    "delays approves rejects reopens questions announces repairs doubles cancels defends "
    "reviews expands closes funds investigates promises postpones sells restores measures"
)
TAILS = (
    "after a long night of talks",
    "despite the warnings of last spring",
    "as residents had asked for years",
    "although the figures are disputed",
    "before the summer holidays begin",
    "while neighbours look on with some envy",
    "because nobody else made an offer",
    "for the third time since the reform",
)


class Prose:
    """Text that reads like news, always the same for a seed and for no two seeds."""

    def __init__(self, seed: str) -> None:
        self._random = Random(seed)
        self._nouns, self._verbs = NOUNS.split(), VERBS.split()

    def clause(self) -> str:
        subject, *objects = self._random.sample(self._nouns, 3)
        return f"{subject} {self._random.choice(self._verbs)} the {' '.join(objects)}"

    def sentence(self) -> str:
        of = self._random.randrange(2, 980)
        return f"The {self.clause()} {self._random.choice(TAILS)}, {of} people say."

    def article(self, host: str, slug: str) -> str:
        """About 1 KB of HTML."""
        first, second, third = (
            " ".join(self.sentence() for _ in range(count)) for count in (3, 2, 1)
        )
        return (
            f'<p><img src="https://{host}/images/{slug}.jpg" alt="" width="640" height="360"/></p>'
            f"<p>{first}</p>\n<blockquote><p>“{self.sentence()}”</p></blockquote>\n"
            f'<p>{second} <a href="https://{host}/topics/{slug}">More on the subject</a>.</p>\n'
            f"<p><em>{self.clause()}</em> &amp; <strong>{self.clause()}</strong>: {third}</p>"
        )


def entry(feed: int, number: int, published_at: datetime) -> str:
    prose = Prose(f"{feed}-{number}")
    title = prose.clause().capitalize()
    host, slug = f"news-{feed}.example", f"{number}-{title.lower().replace(' ', '-')}"
    return (
        f"<item><title>{escape(title)}</title><link>https://{host}/{slug}.html</link>"
        f'<guid isPermaLink="false">tag:{host},2020:{number}</guid>'
        f"<pubDate>{format_datetime(published_at)}</pubDate>"
        f"<description>{escape(prose.sentence())}</description>"
        f"<content:encoded><![CDATA[{prose.article(host, slug)}]]></content:encoded></item>\n"
    )


def news_entry(feed: int, number: int, published_at: datetime) -> str:
    """An article of newswire, without a link: nobody shall ask for its page."""
    nth = feed * ENTRIES + number
    article = news()[nth % len(news())]
    told = "".join(f"<p>{escape(line)}</p>" for line in article.text.splitlines())
    return (
        f"<item><title>{escape(article.title)}</title>"
        f'<guid isPermaLink="false">tag:news-{feed}.example,2020:{number}</guid>'
        f"<pubDate>{format_datetime(published_at)}</pubDate>"
        f"<content:encoded><![CDATA[{told}]]></content:encoded></item>\n"
    )


@cache
def news() -> Sequence[Article]:
    from tests.quality.relevance import newswire

    return list(newswire().articles.values())


class Feed:
    """One feed, its answers ready to be sent."""

    def __init__(self, number: int, now: datetime, tell: Tell = entry) -> None:
        self._number = number
        self._began_at = now
        self._tell = tell
        self._entries = [
            tell(number, nth, now - timedelta(minutes=10, hours=3 * (ENTRIES - nth)))
            for nth in range(ENTRIES)
        ]
        self._render()

    def grow(self) -> None:
        number = len(self._entries)
        self._entries.append(self._tell(self._number, number, datetime.now(UTC)))
        self._render()

    def _render(self) -> None:
        edition = len(self._entries)  # a minute later each: the validators know only seconds
        modified_at = self._began_at - timedelta(hours=2) + timedelta(minutes=edition - ENTRIES)
        self.modified_at = modified_at.replace(microsecond=0)
        self.etag = f'"{self._number}-{edition}"'.encode()
        body = self._body().encode()
        validators = (
            f"ETag: {self.etag.decode()}\r\n"
            f"Last-Modified: {format_datetime(modified_at, usegmt=True)}\r\n"
        )
        self.unchanged = f"HTTP/1.1 304 Not Modified\r\n{validators}\r\n".encode()
        self.whole = (
            f"HTTP/1.1 200 OK\r\n{validators}Content-Type: application/rss+xml; charset=utf-8\r\n"
            f"Content-Length: {len(body)}\r\n\r\n"
        ).encode() + body

    def _body(self) -> str:
        return (
            '<?xml version="1.0" encoding="UTF-8"?>\n'
            '<rss version="2.0" xmlns:content="http://purl.org/rss/1.0/modules/content/">'
            f"<channel><title>News of town {self._number}</title>"
            f"<link>https://news-{self._number}.example/</link>"
            f"<description>What is new in town {self._number}</description>"
            f"<language>en</language>\n{''.join(reversed(self._entries))}</channel></rss>\n"
        )


# ---- the server's process

NOT_FOUND = b"HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n"


class Pages:
    def __init__(self, count: int, tell: Tell = entry) -> None:
        now = datetime.now(UTC)
        self._feeds = [Feed(number, now, tell) for number in range(count)]
        self._by_path = {f"/feed-{n}.xml".encode(): feed for n, feed in enumerate(self._feeds)}
        self._changes = 0
        self._counts: Counter[int] = Counter()

    def answer(self, request: bytes) -> bytes:
        feed = self._by_path.get(request.split(b" ", 2)[1])
        if feed is None:
            status, answer = 404, NOT_FOUND
        elif _is_known(request, feed):
            status, answer = 304, feed.unchanged
        else:
            status, answer = 200, feed.whole
        self._counts[status] += 1
        return answer

    def obey(self, line: str) -> object:
        match line.split():
            case ["change", share]:
                self._changes += 1
                size = round(float(share) * len(self._feeds))
                for feed in Random(self._changes).sample(self._feeds, size):
                    feed.grow()
                return size
            case _:
                counts, self._counts = self._counts, Counter()
                return counts


def _is_known(request: bytes, feed: Feed) -> bool:
    if (etag := _header(request, b"If-None-Match")) is not None:
        return feed.etag in etag
    if (since := _header(request, b"If-Modified-Since")) is not None:
        return parsedate_to_datetime(since.decode()) >= feed.modified_at
    return False


def _header(request: bytes, name: bytes) -> bytes | None:
    start = request.lower().find(b"\r\n" + name.lower() + b":")
    if start < 0:
        return None
    return request[start + len(name) + 3 : request.index(b"\r\n", start + 2)].strip()


class Connection(asyncio.Protocol):
    def __init__(self, pages: Pages) -> None:
        self._pages = pages
        self._read = b""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self._transport = transport

    def data_received(self, data: bytes) -> None:
        self._read += data
        while b"\r\n\r\n" in self._read:
            request, _, self._read = self._read.partition(b"\r\n\r\n")
            request += b"\r\n"
            self._transport.write(self._pages.answer(request))
            if (_header(request, b"Connection") or b"").lower() == b"close":
                self._transport.close()


async def serve(count: int, tell: Tell = entry) -> None:
    """Until the standard input is closed; first tells its port."""
    pages = Pages(count, tell)
    loop = asyncio.get_running_loop()
    server = await loop.create_server(lambda: Connection(pages), "127.0.0.1", 0, backlog=512)
    finished = asyncio.Event()

    def command() -> None:
        if line := sys.stdin.readline():
            print(json.dumps(pages.obey(line)), flush=True)
        else:
            finished.set()

    loop.add_reader(sys.stdin, command)
    print(server.sockets[0].getsockname()[1], flush=True)
    await finished.wait()
    server.close()


if __name__ == "__main__":
    newswire = sys.argv[2] == "newswire" and CORPORA.is_dir()
    asyncio.run(serve(int(sys.argv[1]), news_entry if newswire else entry))
