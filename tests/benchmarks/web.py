"""Pages and API of a deck with a million items and fifty readers, at rest and under load.

    browsers, listeners (here) --HTTP--> `morningdeck run`: web and all stages <--feeds-- Site

Beside it what the same server takes for `/healthz`, which asks nothing, and Miniflux with as many
entries of one reader (`web_peer.py`). What it fills takes minutes: `WEB_PARTS` in the environment
chooses from sqlite, postgresql and memory, `WEB_ITEMS` how many items there are.
"""

from __future__ import annotations

import os
import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager, closing, nullcontext
from functools import partial
from pathlib import Path
from statistics import median

from sqlalchemy import select

from morningdeck.actions import tokens
from morningdeck.app import App, open_app
from morningdeck.model.kinds import TokenScope
from morningdeck.settings.sections import Settings
from morningdeck.store.tables.briefs import topic_clusters
from morningdeck.store.tables.news import item_states, subscriptions
from morningdeck.web.pages.visiting import COOKIE
from tests.benchmarks import web_memory, web_peer
from tests.benchmarks.browsing import Browser, Crowd, listeners
from tests.benchmarks.cost import until_it_rests
from tests.benchmarks.grounds import empty_url
from tests.benchmarks.million import MILLION
from tests.benchmarks.readership import Reader, Readership, fill
from tests.benchmarks.report import Report
from tests.benchmarks.running import WATCHED_SECONDS
from tests.benchmarks.serving import Work, daemon
from tests.benchmarks.site import Site
from tests.benchmarks.timing import percentile
from tests.waiting import until

PARTS = ("sqlite", "postgresql", "memory")
FIRST_BYTE, UNDER_LOAD = 0.050, 0.300
VIEWS_A_SECOND, LISTENERS = 20, 200
WITH_VIEWS, WITH_LISTENERS = 0.85, 0.90
FEEDS, SUBSCRIBERS = 1_000, 5
"""Of the feeds that give the stages work, and of those who read them."""


def run(report: Report) -> None:
    parts = os.environ.get("WEB_PARTS", ",".join(PARTS)).split(",")
    count = 4_000 if report.quick else int(os.environ.get("WEB_ITEMS", MILLION))
    for kind in ("sqlite", "postgresql"):
        if kind in parts:
            with tempfile.TemporaryDirectory() as folder, empty_url(kind) as url:
                Pages(report, kind, Path(folder), url, count).measure()
    if "memory" in parts:
        web_memory.run(report)


class Pages:
    def __init__(self, report: Report, kind: str, folder: Path, url: str, count: int) -> None:
        self._report = report
        self._kind = kind
        self._folder = folder
        self._url = url
        self._count = count

    def measure(self) -> None:
        given = {"data_dir": self._folder, "database": {"url": self._url}}
        feeds = 5 if self._report.quick else FEEDS
        with open_app(Settings.model_validate(given)) as app, Site(feeds, newswire=True) as site:
            there = fill(app, self._count)
            first = next(one for one in app.store.users.list(999) if one.id == there.first.user_id)
            issued = tokens.issue(
                app.store.api_tokens, first, "bench", TokenScope.READ, now=app.clock()
            )
            some = [one.user_id for one in there.readers[1 : 1 + SUBSCRIBERS]]
            work = Work(app, site, some)
            self._report.say(f"{self._count:,} items of {len(there.readers)} readers, {self._kind}")
            with (
                daemon(self._folder, self._url) as served,
                closing(_Seen(app, there, served.url, issued.token)) as seen,
            ):
                self._look(seen, served.pid, work)

    def _look(self, seen: _Seen, pid: int, work: Work) -> None:
        until_it_rests(pid, WATCHED_SECONDS)
        ours = self._at_rest(seen)
        if self._kind == "postgresql":
            web_peer.compare(self._report, self._folder, self._count, ours)
        self._under_load(seen, work)

    def _at_rest(self, seen: _Seen) -> Mapping[str, float]:
        """The median of each, by what it is."""
        rounds = 1 if self._report.quick else 20
        bare, found = [seen.browser(seen.first).get("/healthz")[0] for _ in range(rounds)], {}
        for what, path in seen.pages(seen.first).items():
            browser = seen.browser(seen.first, what)
            browser.get(path)
            taken = [browser.get(path) for _ in range(rounds)]
            firsts = [first for first, _ in taken]
            found[what] = median(whole for _, whole in taken)
            self._report.say(f"{what}: p50 {median(firsts) * 1000:.1f} ms to the first byte")
            named = f"{what}, first byte at rest, p95, {self._kind}"
            self._time(named, firsts, FIRST_BYTE, median(bare), "/healthz")
        return found

    def _under_load(self, seen: _Seen, work: Work) -> None:
        work.begin()
        busy = [one.briefing_id for one in seen.there.readers[1:]]
        seconds, rounds = (1.0, 1) if self._report.quick else (8.0, 4)
        count = 10 if self._report.quick else LISTENERS
        rates: dict[str, list[float]] = {"alone": [], "views": [], "listeners": []}
        crowd = Crowd(VIEWS_A_SECOND, seen.views())
        looks: dict[str, Callable[[], AbstractContextManager[None]]] = {
            "alone": nullcontext,
            "views": crowd.looking,
            "listeners": partial(
                listeners, seen.url, "/engine/events", seen.cookie(seen.first), count
            ),
        }
        with work.going_on(busy):
            _rate(work, 4 * seconds)  # all is warm then, and each briefing written once
            for turn in range(rounds):  # each has its turn to be first
                for what in (*rates, *rates)[turn : turn + len(rates)]:
                    with looks[what]():
                        rates[what].append(_rate(work, seconds))
            left = work.waiting()
        told = "the stages were busy all the time" if left else "void: the stages had nothing to do"
        self._report.say(f"{left} items still wait: {told}")
        for what, each in rates.items():
            self._report.say(f"items a second, {what}: {', '.join(f'{one:.0f}' for one in each)}")
        for kind, taken in crowd.taken.items():
            named = f"{kind}, {VIEWS_A_SECOND} a second beside all stages, p95, {self._kind}"
            self._report.say(f"{kind} under load: p50 {median(taken) * 1000:.0f} ms")
            self._time(named, taken, UNDER_LOAD, FIRST_BYTE, "the limit at rest")
        self._fallen(rates, "views", f"{VIEWS_A_SECOND} page views a second", WITH_VIEWS)
        self._fallen(rates, "listeners", f"{count} who listen", WITH_LISTENERS)

    def _fallen(
        self, rates: Mapping[str, Sequence[float]], which: str, what: str, share: float
    ) -> None:
        named = f"items a second with {what}, {self._kind}"
        ours, beside = (median(rates[one]) for one in (which, "alone"))
        self._report.rate(named, ours, share=share, beside=beside, name="with nobody")

    def _time(
        self, what: str, taken: Sequence[float], below: float, beside: float, name: str
    ) -> None:
        at_most = percentile(taken, 95)
        self._report.time(what, at_most, below=below, beside=beside, name=name)


class _Seen:
    """What there is to look at, and who does."""

    def __init__(self, app: App, there: Readership, url: str, token: str) -> None:
        self.there = there
        self.first = there.first
        self.url = url
        self._app = app
        self._token = token
        self._browsers: list[Browser] = []

    def close(self) -> None:
        for browser in self._browsers:
            browser.close()

    def cookie(self, reader: Reader) -> str:
        return f"{COOKIE}={reader.cookie}"

    def browser(self, reader: Reader, what: str = "") -> Browser:
        by_token = {"Authorization": f"Bearer {self._token}"}
        headers = by_token if what.startswith("API") else {"Cookie": self.cookie(reader)}
        self._browsers.append(Browser(self.url, headers))
        return self._browsers[-1]

    def pages(self, reader: Reader) -> Mapping[str, str]:
        """Each page, and each filter of the feed, by its name."""
        item, source, topic = self._own(reader)
        word, briefing = self.there.rare_words[3], reader.briefing_id
        return {
            "today": "/",
            "report": f"/reports/{self.there.reports[reader.user_id]}",
            "feed": "/feed",
            "feed, unread": "/feed?unread=1",
            "feed, saved": "/feed?saved=1",
            "feed, of a source": f"/feed?source={source}",
            "feed, of a briefing": f"/feed?briefing={briefing}&min_score=80",
            "feed, on a topic": "/feed?topic=energy",
            "feed, in a language": "/feed?language=en",
            "feed, all filters": "/feed?unread=1&min_score=60&topic=rail&language=en",
            "item": f"/items/{item}",
            "search": f"/search?q={word}",
            "stories": "/stories",
            "topic": f"/stories/{topic}",
            "sources": "/sources",
            "source": f"/sources/{source}",
            "briefings": "/briefings",
            "engine": "/engine",
            "settings": "/settings",
            "API list": "/api/v1/items?limit=50",
        }

    def views(self) -> list[tuple[Browser, str, str]]:
        """Each reader in turn; what they look at is another page each time."""
        chosen = ("today", "feed", "item", "search", "API list")
        browsers = [(self.browser(one), self.pages(one)) for one in self.there.readers]
        return [
            (browser, what, paths[what])
            for turn in range(len(chosen))
            for number, (browser, paths) in enumerate(browsers)
            for what in (chosen[(number + turn) % len(chosen)],)
        ]

    def _own(self, reader: Reader) -> tuple[int, int, int]:
        """An item that was read, a source and a topic."""
        user_id = reader.user_id
        queries = (
            select(item_states.c.item_id).where(
                item_states.c.user_id == user_id, item_states.c.read_at.is_not(None)
            ),
            select(subscriptions.c.source_id).where(subscriptions.c.user_id == user_id),
            select(topic_clusters.c.id).where(topic_clusters.c.user_id == user_id),
        )
        with self._app.store.database.read() as connection:
            item, source, topic = (connection.scalar(query.limit(1)) or 0 for query in queries)
        return item, source, topic


def _rate(work: Work, seconds: float) -> float:
    """Items that were done in each second, of so many and until there is one."""
    before = work.done()
    began = time.perf_counter()
    time.sleep(seconds)
    until(lambda: work.done() > before, WATCHED_SECONDS)
    return (work.done() - before) / (time.perf_counter() - began)
