"""Miniflux's pages and API, with as many entries of one reader as the first of ours can see.

It keeps an entry for each who reads it, so that it has one reader, and ours fifty.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from http.client import HTTPConnection
from pathlib import Path
from statistics import median
from urllib.parse import urlencode, urlsplit

from tests.benchmarks.browsing import Browser
from tests.benchmarks.miniflux import PASSWORD, USER, Miniflux
from tests.benchmarks.readership import SOURCES
from tests.benchmarks.report import Report
from tests.benchmarks.site import Prose
from tests.benchmarks.timing import percentile

TEXTS, CHUNK = 5_000, 50_000
A_PAGE = 40
"""As many rows as our feed has."""
TOKEN = "bench-token"
ROUNDS = 20
BESIDE = {"feed, unread": "entries", "item": "entry", "search": "search", "API list": "API"}
FILLING = """
INSERT INTO entries (user_id, feed_id, hash, published_at, changed_at, title, url, author, content,
    comments_url, share_code, status, starred, document_vectors)
SELECT 1, (SELECT min(id) FROM feeds) + mod(n, {feeds}), n::text, at, at, t.title,
    'https://news.example/' || n, '', CASE WHEN n > {recent} THEN t.article ELSE t.summary END,
    '', '',
    (CASE WHEN n > {recent} AND mod(n, 10) < 6 THEN 'read' ELSE 'unread' END)::entry_status,
    mod(n, 200) = 0,
    setweight(to_tsvector(t.title), 'A') || setweight(to_tsvector(t.summary), 'B')
FROM (SELECT n, now() - ({count} - n) * (interval '180 days' / {count}) AS at
      FROM generate_series({first}, {last}) n) numbered
JOIN bench_texts t ON t.id = mod(n, {texts})
"""


def compare(report: Report, folder: Path, count: int, ours: Mapping[str, float]) -> None:
    """The medians of our pages beside those of theirs, at rest."""
    if not Miniflux.available():
        report.say("miniflux is not installed: left out")
        return
    peer = Miniflux()
    try:
        peer.prepare(folder, [f"https://news-{n}.example/feed.xml" for n in range(SOURCES)])
        word = _fill(peer, count)
        pages = _pages(peer, word)
        for what, name in BESIDE.items():
            browser, path = pages[name]
            browser.get(path)
            taken = [browser.get(path)[1] for _ in range(2 if report.quick else ROUNDS)]
            browser.close()  # it connects anew where it is asked again
            report.say(f"miniflux, {name}: p95 {percentile(taken, 95) * 1000:.1f} ms")
            report.no_slower(
                f"{what}, p50 at rest, {count:,} items",
                ours[what],
                times=1,
                beside=median(taken),
                name=f"miniflux, its {name}",
            )
    finally:
        peer.close()


def _fill(peer: Miniflux, count: int) -> str:
    """Returns a word that one entry of some hundred has."""
    rare = [f"zu{number:03d}ka" for number in range(400)]
    rows = []
    for number in range(TEXTS):
        prose = Prose(f"reader {number}")
        title = f"{prose.clause()} {rare[number % len(rare)]}".capitalize()
        summary = f"{prose.sentence()} {prose.sentence()}"
        article = " ".join(prose.sentence() for _ in range(30))
        rows.append((number, title, summary, article))
    peer.sql(
        "CREATE TABLE bench_texts (id bigint PRIMARY KEY, title text, summary text, article text)"
    )
    for row in rows:
        peer.sql("INSERT INTO bench_texts VALUES (%s, %s, %s, %s)", *row)
    recent = max(0, count - max(count * 14 // 180, 20_000))
    for start in range(0, count, CHUNK):
        last = min(start + CHUNK, count)
        values = {"first": start + 1, "last": last, "count": count, "recent": recent}
        peer.sql(FILLING.format(feeds=SOURCES, texts=TEXTS, **values))
    peer.sql("UPDATE users SET entries_per_page = %s", A_PAGE)
    peer.sql("INSERT INTO api_keys (user_id, token, description) VALUES (1, %s, 'bench')", TOKEN)
    peer.sql("VACUUM ANALYZE entries")
    return rare[3]


def _pages(peer: Miniflux, word: str) -> Mapping[str, tuple[Browser, str]]:
    ((entry, feed),) = peer.sql(
        "SELECT id, feed_id FROM entries WHERE status = 'read' ORDER BY id DESC LIMIT 1"
    )
    reader = Browser(peer.url, {"Cookie": _logged_in(peer.url)})
    program = Browser(peer.url, {"X-Auth-Token": TOKEN})
    listed = "/v1/entries?limit=50&order=published_at&direction=desc"
    return {
        "entries": (reader, "/unread"),
        "entry": (reader, f"/feed/{feed}/entry/{entry}"),
        "search": (reader, f"/search?q={word}"),
        "API": (program, listed),
    }


def _logged_in(url: str) -> str:
    """The cookie of a session."""
    connection = HTTPConnection(urlsplit(url).netloc)
    connection.request("GET", "/")
    page = connection.getresponse()
    cookie = (page.headers["Set-Cookie"] or "").partition(";")[0]
    found = re.search(r'name="csrf" value="([^"]+)"', page.read().decode())
    assert found, "Miniflux shows another form"
    form = urlencode({"csrf": found[1], "username": USER, "password": PASSWORD})
    told = {"Cookie": cookie, "Content-Type": "application/x-www-form-urlencoded"}
    connection.request("POST", "/login", form, told)
    answer = connection.getresponse()
    answer.read()
    connection.close()
    assert answer.status == 302, answer.status
    given = [one.partition(";")[0] for one in answer.headers.get_all("Set-Cookie", [])]
    return "; ".join([cookie, *given])
