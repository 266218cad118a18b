"""A thousand feeds on loopback: Morning Deck beside other people's readers, and a bare loop.

Each round is measured as its user would have it: until the last entry is kept.
"""

from __future__ import annotations

import queue
import threading
import time
from collections.abc import Sequence
from http.client import HTTPConnection
from urllib.parse import urlsplit

from tests.benchmarks.readers import PEERS, THREADS, MorningDeck, Reader, Round, rounds
from tests.benchmarks.report import Report
from tests.benchmarks.site import Site

FEEDS = 1_000
WORKERS = 16
"""What the README asks for where there are thousands of feeds; with more than its 8, reader gains
nothing. The figures with as many as the others are told, too.
"""
AHEAD_OF_READER = 3
"""lemon24/reader is the only other one with a database behind it."""


def run(report: Report) -> None:
    feeds = 20 if report.quick else FEEDS
    ceiling = _bare(feeds)
    _measured(report, MorningDeck(THREADS), feeds)
    ours = {each.name: each for each in _measured(report, MorningDeck(WORKERS), feeds)}
    for name, each in ours.items():
        report.rate(
            f"{feeds} feeds, {name}",
            feeds / each.cost.wall_seconds,
            share=0,
            beside=feeds / ceiling,
            name="bare http.client, 8 threads",
        )
    for peer in (start() for start in PEERS):
        if not peer.available():
            report.say(f"{peer.name} is not installed: left out")
        elif not report.quick:
            _compare(report, ours, peer, feeds)


def _compare(report: Report, ours: dict[str, Round], peer: Reader, feeds: int) -> None:
    times = 1 / AHEAD_OF_READER if peer.name == "reader" else 1
    for theirs in _measured(report, peer, feeds):
        report.no_slower(
            f"{feeds} feeds, {theirs.name}",
            ours[theirs.name].cost.wall_seconds,
            times=times,
            beside=theirs.cost.wall_seconds,
            name=peer.name,
        )


def _measured(report: Report, reader: Reader, feeds: int) -> list[Round]:
    done = []
    for each in rounds(reader, feeds):
        report.say(f"{reader.name:<15} {each}")
        done.append(each)
    return done


def _bare(feeds: int) -> float:
    """Nothing but asking and reading, on connections that stay open."""
    with Site(feeds) as site:
        todo: queue.SimpleQueue[str] = queue.SimpleQueue()
        for url in site.urls:
            todo.put(url)
        threads = [threading.Thread(target=_ask, args=(todo, site.urls)) for _ in range(THREADS)]
        began = time.perf_counter()
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        return time.perf_counter() - began


def _ask(todo: queue.SimpleQueue[str], urls: Sequence[str]) -> None:
    connection = HTTPConnection(urlsplit(urls[0]).netloc)
    while True:
        try:
            url = todo.get_nowait()
        except queue.Empty:
            connection.close()
            return
        connection.request("GET", urlsplit(url).path)
        connection.getresponse().read()
