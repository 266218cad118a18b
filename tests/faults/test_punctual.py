"""Ten thousand sources in virtual time: each in its time, no host asked too often."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from itertools import pairwise
from pathlib import Path
from random import Random

import pytest
from sqlalchemy import func, insert, select

from morningdeck import logs
from morningdeck.errors import PermanentError, TransientError
from morningdeck.hosts import host_of
from morningdeck.store.database.connect import Database, open_database
from morningdeck.store.tables.news import sources
from tests.conftest import NOW
from tests.faults.timelapse import (
    WORKERS,
    Answer,
    ScriptedClient,
    VirtualClock,
    Visit,
    fetching,
    pass_time,
)

SECOND, MINUTE = timedelta(seconds=1), timedelta(minutes=1)
TICK = MINUTE
JITTER = 1.1
"""An interval or a wait is up to a tenth longer."""
APART = SECOND
REDDIT_APART = 61 * SECOND
REDDIT = "www.reddit.com"
RETRIES = (1 * MINUTE, 5 * MINUTE, 15 * MINUTE)
ASKED_TO_WAIT = 10 * MINUTE
TIMED_OUT = Answer(20 * SECOND, TransientError("timed out"))
TROUBLES = (
    *[TIMED_OUT] * 8,
    *[Answer(8 * SECOND, TransientError("answered 503"))] * 4,
    *[Answer(SECOND, TransientError("answered 429", after=600))] * 4,
    *[Answer(SECOND, PermanentError("answered 404", status=404))] * 4,
)
GONE = Answer(SECOND, PermanentError("answered 410", status=410))


@dataclass(frozen=True, slots=True)
class Feed:
    url: str
    refresh: timedelta
    due_at: datetime
    answer: Answer

    @property
    def host(self) -> str:
        return host_of(self.url)


class Web:
    """Feeds on hosts of all kinds, made by chance, but always the same."""

    def __init__(self) -> None:
        self.feeds: dict[str, Feed] = {}
        self.behind: dict[str, Answer] = {}
        """Where feeds redirect to."""
        self._chance = Random(10_000)

    def add(self, count: int, address: str, refresh: timedelta, *, overdue: bool = False) -> None:
        """`address` has a place for a number; unless they are overdue, they are due by and by."""
        for number in range(count):
            url = address.format(number)
            due_at = NOW if overdue else NOW + refresh * self._chance.random()
            takes = self._chance.choice((1, 2, 3, 5)) * SECOND / 10
            self.feeds[url] = Feed(url, refresh, due_at, Answer(takes))

    def answers(self, url: str, answer: Answer) -> None:
        feed = self.feeds[url]
        self.feeds[url] = Feed(url, feed.refresh, feed.due_at, answer)

    def redirect(self, count: int, address: str, to: str) -> None:
        for number in range(count):
            url, target = address.format(number), to.format(number)
            self.behind[target] = self.feeds[url].answer
            self.answers(url, replace(self.feeds[url].answer, leads_to=target))

    def answer(self, url: str) -> Answer:
        return self.behind[url] if url in self.behind else self.feeds[url].answer

    def of(self, host: str) -> list[Feed]:
        return [feed for feed in self.feeds.values() if feed.host == host]

    def store(self, database: Database) -> None:
        rows = [
            {
                "url": feed.url,
                "type": "RSS",
                "host": feed.host,
                "wanted": True,
                "due_at": feed.due_at,
                "refresh_seconds": int(feed.refresh.total_seconds()),
                "last_success_at": NOW,
            }
            for feed in self.feeds.values()
        ]
        with database.write() as connection:
            connection.execute(insert(sources), rows)


def ten_thousand() -> Web:
    web = Web()
    web.add(9_000, "https://plain{}.example/feed", 30 * MINUTE)
    web.add(100, "https://quick{}.example/feed", 5 * MINUTE)
    web.add(480, "https://shared.example:1{:03}/feed", 15 * MINUTE)
    web.add(300, "https://crowded.example/{}", 15 * MINUTE)
    web.add(100, "https://busy.example/{}", 15 * MINUTE)
    web.add(20, "https://www.reddit.com/r/number{}/.rss", 15 * MINUTE)
    for number in range(100):
        trouble = TROUBLES[number % len(TROUBLES)] if number else GONE
        web.answers(f"https://plain{90 * number}.example/feed", trouble)
    return web


@pytest.fixture(autouse=True)
def quiet() -> None:
    """A line for each of so many jobs costs as much as the jobs."""
    logs.configure("WARNING")


# ---- what is asked of a run


def too_close(visits: Iterable[Visit]) -> list[tuple[Visit, Visit]]:
    """Visits that began before their host could be asked again."""
    by_host = defaultdict(list)
    for visit in visits:
        by_host[host_of(visit.url)].append(visit)
    return [
        (one, other)
        for host, all_of_it in by_host.items()
        for one, other in pairwise(sorted(all_of_it, key=lambda visit: visit.began))
        if other.began < one.ended + (REDDIT_APART if host == REDDIT else APART)
    ]


def late(feed: Feed, visits: Collection[Visit], end: datetime, share: timedelta) -> timedelta:
    """By how much a healthy feed was ever asked later than it was due, or is overdue now.

    `share` is how often its host can be asked for each of its feeds.
    """
    interval = max(feed.refresh, share) * JITTER
    due = [feed.due_at + share, *(visit.ended + interval for visit in visits)]
    asked = [*(visit.began for visit in visits), end]
    return max(at - due_at for at, due_at in zip(asked, due, strict=True))


def back_off(feed: Feed, failures: int) -> timedelta:
    """How long a failing feed is left alone."""
    rest = feed.refresh * (1 << max(failures - len(RETRIES), 0))
    if isinstance(feed.answer.error, PermanentError):
        return rest
    wait = RETRIES[failures - 1] if failures <= len(RETRIES) else rest
    asked_to_wait = isinstance(feed.answer.error, TransientError) and feed.answer.error.after
    return max(wait, ASKED_TO_WAIT) if asked_to_wait else wait


def by_url(visits: Iterable[Visit]) -> Mapping[str, list[Visit]]:
    found = defaultdict(list)
    for visit in visits:
        found[visit.url].append(visit)
    return found


def check_failing(feed: Feed, visits: Collection[Visit]) -> None:
    if feed.answer is GONE:
        assert len(visits) == 1
    for failures, (one, other) in enumerate(pairwise(visits), start=1):
        wait = back_off(feed, failures)
        assert wait <= other.began - one.ended <= wait * JITTER + TICK, (feed, failures)


def test_ten_thousand_sources_are_read_in_time_and_no_host_too_often(
    database: Database,
    database_url: str,
    tmp_path: Path,
    long: bool,
    tell: Callable[[object], None],
) -> None:
    web, clock = ten_thousand(), VirtualClock()
    web.store(database)
    client = ScriptedClient(clock, web.answer)
    end = NOW + (180 if long else 33) * MINUTE
    with fetching(database_url, tmp_path, clock, client) as lane:
        pass_time(clock, end, lane)
    visits = by_url(visit for visit in client.visits if visit.ended <= end)
    # there are more subreddits than can be read as often as their readers ask for
    shares = {REDDIT: len(web.of(REDDIT)) * (REDDIT_APART + SECOND)}
    lateness = {
        feed.url: late(feed, visits[feed.url], end, shares.get(feed.host, timedelta(0)))
        for feed in web.feeds.values()
        if feed.answer.error is None
    }
    worst = max(lateness, key=lateness.__getitem__)
    tell(
        f"{len(client.visits)} visits, {lane.runs - len(client.visits)} met a busy host,"
        f" at worst {lateness[worst].total_seconds():.0f} s late ({host_of(worst)})"
    )
    assert lateness[worst] <= TICK
    assert too_close(client.visits) == []
    assert lane.runs <= len(client.visits) * 1.2
    for feed in web.feeds.values():
        if feed.answer.error is not None:
            check_failing(feed, visits[feed.url])


def after_an_outage() -> Web:
    web = Web()
    web.add(1_000, "https://plain{}.example/feed", 60 * MINUTE, overdue=True)
    web.add(300, "https://crowded.example/{}", 60 * MINUTE, overdue=True)
    web.add(5, "https://www.reddit.com/r/number{}/.rss", 60 * MINUTE, overdue=True)
    return web


def work(feeds: Iterable[Feed], apart: timedelta = timedelta(0)) -> timedelta:
    """How long it takes to ask all of these one after the other."""
    return sum((feed.answer.takes + apart for feed in feeds), timedelta(0))


def check_catching_up(web: Web, visits: Collection[Visit], slack: float = 1.1) -> None:
    """Each once, as fast as its host allows, and nobody because of another's host."""
    assert sorted(visit.url for visit in visits) == sorted(web.feeds)
    assert too_close(visits) == []
    done = {
        host: max(visit.ended for visit in visits if host_of(visit.url) == host)
        for host in (REDDIT, "crowded.example")
    }
    others = max(visit.ended for visit in visits if host_of(visit.url) not in done)
    at_once = NOW + work(web.feeds.values()) / WORKERS
    assert others <= at_once + TICK
    crowd, subreddits = web.of("crowded.example"), web.of(REDDIT)
    assert done["crowded.example"] <= at_once + work(crowd, APART) * slack + TICK
    assert done[REDDIT] <= at_once + work(subreddits, REDDIT_APART) * slack + TICK


def test_after_an_outage_each_host_is_asked_as_fast_as_it_allows(
    database: Database, database_url: str, tmp_path: Path, tell: Callable[[object], None]
) -> None:
    web, clock = after_an_outage(), VirtualClock()
    web.store(database)
    client = ScriptedClient(clock, web.answer)
    with fetching(database_url, tmp_path, clock, client) as lane:
        pass_time(clock, NOW + 30 * MINUTE, lane)
    tell(f"{len(client.visits)} visits, {lane.runs - len(client.visits)} met a busy host")
    check_catching_up(web, client.visits)
    assert lane.runs <= 3 * len(client.visits)


def test_after_an_outage_two_daemons_are_no_ruder_than_one(
    postgres_url: str, tmp_path: Path, tell: Callable[[object], None]
) -> None:
    web, clock = after_an_outage(), VirtualClock()
    database = open_database(postgres_url)
    web.store(database)
    database.close()
    client = ScriptedClient(clock, web.answer)
    with (
        fetching(postgres_url, tmp_path / "one", clock, client) as one,
        fetching(postgres_url, tmp_path / "two", clock, client) as two,
    ):
        pass_time(clock, NOW + 30 * MINUTE, one, two)
    runs = one.runs + two.runs
    tell(f"{len(client.visits)} visits, {runs - len(client.visits)} met a busy host")
    check_catching_up(web, client.visits, slack=1.5)
    assert runs <= 5 * len(client.visits)


def test_a_crowd_that_is_redirected_to_one_host_is_read_as_fast_as_that_allows(
    database: Database, database_url: str, tmp_path: Path, tell: Callable[[object], None]
) -> None:
    crowd, address, to = 300, "https://own{}.example/feed", "https://crowded.example/{}"
    web, clock = Web(), VirtualClock()
    web.add(crowd, address, 60 * MINUTE, overdue=True)
    web.redirect(crowd, address, to)
    web.store(database)
    client = ScriptedClient(clock, web.answer)
    with fetching(database_url, tmp_path, clock, client) as lane:
        pass_time(clock, NOW + 30 * MINUTE, lane)
    tell(f"{len(client.visits)} visits, {lane.runs - crowd} met a busy host")
    assert sorted(visit.url for visit in client.visits) == sorted([*web.feeds, *web.behind])
    assert too_close(client.visits) == []
    last = max(visit.ended for visit in client.visits)
    assert last <= NOW + work(web.feeds.values(), APART) * 1.1 + TICK
    assert lane.runs <= 7 * crowd  # who is told a time is not told how long visits before it take
    with database.read() as connection:
        assert connection.scalar(select(func.max(sources.c.failures))) == 0
