"""What the web costs a daemon of memory: the same work with pages that are looked at, and without.

All processes of each count, the children that parse too; memory that they share counts once. Both
take turns, as the highest of one run is 1 or 2 MB above that of the next.
"""

from __future__ import annotations

import tempfile
from contextlib import AbstractContextManager, closing, nullcontext
from pathlib import Path
from statistics import median

from morningdeck.actions import accounts
from morningdeck.actions.tokens import digest
from morningdeck.app import open_app
from morningdeck.settings.sections import Settings
from morningdeck.web.pages.visiting import COOKIE
from tests.benchmarks.browsing import Browser, Crowd
from tests.benchmarks.cost import Peak
from tests.benchmarks.report import Report
from tests.benchmarks.running import WATCHED_SECONDS
from tests.benchmarks.serving import Work, daemon
from tests.benchmarks.site import ENTRIES, Site
from tests.waiting import until

MOST_MORE = 25_000_000
FEEDS = 60
VIEWS_A_SECOND = 20
PATHS = ("/", "/feed", "/search?q=harbour", "/stories", "/sources", "/engine", "/api/v1/items")


def run(report: Report) -> None:
    feeds = 3 if report.quick else FEEDS
    rounds = 1 if report.quick else 5
    peaks = [(_peak(feeds, "--no-web"), _peak(feeds)) for _ in range(rounds)]
    without, with_web = map(median, zip(*peaks, strict=True))
    more = ", ".join(f"{(most - least) / 1e6:.1f}" for least, most in peaks)
    report.say(f"MB more with the web, one run after the other: {more}")
    report.memory(
        f"daemon with the web, while {feeds * ENTRIES:,} items come and pages are looked at",
        with_web,
        below=without + MOST_MORE,
        beside=without,
        name="--no-web",
    )


def _peak(feeds: int, *words: str) -> int:
    with tempfile.TemporaryDirectory() as folder, Site(feeds, newswire=True) as site:
        url = f"sqlite:///{folder}/deck.db"
        given = Settings.model_validate({"data_dir": folder, "database": {"url": url}})
        with open_app(given) as app:
            (user, *_) = app.store.users.list()
            token, now = accounts.new_token(), app.clock()
            begin = app.store.sessions.begin
            begin(user.id, digest(token), now=now, browser="Firefox", address="::1")
            work = Work(app, site, [user.id])
            cookie = {"Cookie": f"{COOKIE}={token}"}
            with (
                daemon(Path(folder), url, *words) as one,
                closing(Browser(one.url, cookie)) as browser,
            ):
                looked_at: AbstractContextManager[None] = nullcontext()
                if one.url:
                    views = [(browser, path, path) for path in PATHS]
                    looked_at = Crowd(VIEWS_A_SECOND, views).looking()
                with Peak(lambda: (one.pid,)) as peak, looked_at:
                    work.begin()
                    wanted = feeds * ENTRIES
                    until(lambda: work.done() >= wanted, WATCHED_SECONDS, pause_seconds=0.2)
            return peak.bytes
