"""Decks with something in them, to be looked at: a good morning, and one on which much is odd.

All of it lies in the database; the clock stands still, so that pictures stay the same.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass, field, replace
from datetime import timedelta
from pathlib import Path
from typing import Any

from sqlalchemy import insert, select, update

from morningdeck import __version__
from morningdeck.engine.node import lock_as_daemon
from morningdeck.model.hours import DEPTH_SLOT, DepthView, Ending, slot
from morningdeck.model.sending import Plan, ReportItem
from morningdeck.model.wanting import NewSearch
from morningdeck.store.tables.briefs import (
    briefings,
    deliveries,
    item_scores,
    report_passed_over,
    topic_clusters,
    topic_members,
    topic_runs,
)
from morningdeck.store.tables.news import item_texts, items, sources, stories, subscriptions
from morningdeck.store.tables.people import sessions, users
from morningdeck.store.tables.running import processes, usage_days
from morningdeck.work import Stage
from tests.conftest import NOW, ManualClock
from tests.factories import make
from tests.render.editions import EVERY
from tests.web.newsroom import Newsroom
from tests.web.site import Website, website

ADA, PASSWORD = "ada@deck.example", "a few good words"
_STORY = EVERY["daily"].items[1]
OF_YESTERDAY = replace(
    _STORY,
    position=1,
    title="Storm keeps the ferries in port, and the turbines still",
    summary="Above 25 metres a second they turn out of the wind.",
    published_at=NOW - timedelta(days=1, hours=2),
)
_FRESH = (
    (
        "Lantern Point takes its first full load, and holds",
        "The substation ran at 310 megawatts for an hour; the old line stays as a reserve.",
        "matches 'grid' in the lead",
    ),
    (
        "A ferry charges in nine minutes at Quay 9",
        "The plug moves with the tide. Two more are ordered for spring.",
        "mentions 'shore power' in the lead",
    ),
    (
        "Who pays for the cable? The regulator asks again",
        "Answers are due by January; consumers would bear 4 euros a year.",
        "close in meaning to 'offshore wind'",
    ),
)
SINCE_SEVEN = tuple(
    replace(
        EVERY["daily"].items[number],
        title=title,
        summary=summary,
        reason=reason,
        published_at=NOW + timedelta(minutes=20 - 5 * number),
    )
    for number, (title, summary, reason) in enumerate(_FRESH)
)
"""What has come since the briefing of today."""
BEFORE = {
    "slot": "2026-11-17",
    "generated_at": EVERY["daily"].generated_at - timedelta(days=1),
    "subject": OF_YESTERDAY.title,
}
WISH = "Offshore wind, heat pumps and grid storage; what happens in the harbours of the north"
IN_SHORT = (
    "Nine of 74 turbines run, four months early. What they earn until March hangs on the market:"
    " 83 euros a megawatt-hour on Tuesday."
)
REST_OF_IT = """\
The cable was the hard part. It is 71 kilometres long, weighs 9,000 tonnes, and was laid in two \
summers by one ship; a third of it lies in a trench that had to be cut into rock.

Until its contract starts in March, the owner sells at the market price, about 83 euros a \
megawatt-hour. “We would have been mad to wait,” said its director, Ines Corrigan.

Fishermen of Port Ellery, who lost a fifth of their grounds, are paid until 2031."""
COSTS = (1.14, 0.92, 1.31, 0.88, 0.4, 0.35, 1.02, 1.2, 0.97, 1.61, 1.08, 0.3, 0.44, 1.14)
TOPICS = (("Offshore wind", 12, 5), ("Heat pumps", 7, 9), ("Shore power", 4, 1))
WORKED = {"fetch": (180, 0.3), "processing": (44, 1.9)}
"""By stage, how many in an hour, and how long one takes."""


@dataclass(frozen=True)
class Desk(Newsroom):
    """A reader with sources by their names, and what lies on the deck."""

    sources: dict[str, int] = field(default_factory=dict)

    def source(self, name: str, **state: object) -> int:
        if name not in self.sources:
            address = f"https://{name.lower().replace(' ', '').replace('&', '-')[:40]}.example/feed"
            stock, at = self.web.stock, self.web.app.clock()
            self.sources[name] = made = stock.source(self.user, address, name=name)
            ago = timedelta(minutes=4 + len(self.sources))
            read = {"last_fetched_at": at - ago, "last_success_at": at - ago}
            stock.set(sources, made, **{**read, "due_at": at + timedelta(minutes=11)})
        if state:
            self.web.stock.set(sources, self.sources[name], **state)
        return self.sources[name]

    def item(self, told: ReportItem, score: int | None = None) -> int:
        database, stock = self.web.app.store.database, self.web.stock
        item = stock.item(
            self.source(told.source_title),
            title=told.title,
            url=told.url,
            summary=told.summary,
            published_at=told.published_at,
            first_seen_at=told.published_at or NOW,
            language=told.language or "en",
            search_mark=1,
        )
        row = {"item_id": item, "briefing_id": self.briefing, "reason": told.reason}
        score = told.score if score is None else score
        with database.write() as connection:
            connection.execute(insert(item_scores).values(**row, score=score))
            text = f"{told.summary}\n\n{REST_OF_IT}"
            connection.execute(insert(item_texts).values(item_id=item, web_content=text))
        return item

    def topics(self, told: Sequence[tuple[str, int, int | None]], members: Sequence[int]) -> int:
        """Of one run; returns the first."""
        database, made = self.web.app.store.database, []
        whose = topic_runs.c.user_id == self.user
        found = {"user_id": self.user, "period": "2026-11-18", "run": 1, "since": "2026-11-04"}
        for label, now, before in told:
            counted = {"label": label, "this_week": now, "week_before": before, "size": now}
            made.append(make(database, topic_clusters, **found, **counted))
        with database.write() as connection:
            run = {"user_id": self.user, "begun": 1, "run": 1, "day": "2026-11-18"}
            if not connection.execute(select(topic_runs.c.run).where(whose)).first():
                connection.execute(insert(topic_runs).values(run))
            for number, member in enumerate(members):
                row = {"cluster_id": made[number % len(made)], "item_id": member}
                connection.execute(insert(topic_members).values(row))
        return made[0]

    def indexed(self) -> None:
        """All items can be found."""
        store = self.web.app.store
        store.search_index.put(store.search_outbox.documents(1000), ())


@contextmanager
def empty_deck(folder: Path, database_url: str, **chosen: Any) -> Iterator[Website]:
    clock = ManualClock(NOW + timedelta(minutes=25))
    with website(folder, database_url, clock=clock, **chosen) as web:
        first = web.app.store.users.first()
        called = {"email": ADA, "name": "Ada", "role": "admin", "timezone": "Europe/Berlin"}
        web.stock.set(users, first.id, **called, created_at=NOW - timedelta(days=90))
        web.user(ADA, PASSWORD)
        yield web


@dataclass(frozen=True)
class Morning:
    """The ids of what lies on Ada's deck on a good morning."""

    desk: Desk
    report: int
    items: tuple[int, ...]
    topic: int


@contextmanager
def good_morning(web: Website) -> Iterator[Morning]:
    """A daemon works, all is read, the briefing of today has come."""
    at, desk = web.app.clock(), a_desk(web)
    yesterday = desk.printed(replace(EVERY["one_story"], items=(OF_YESTERDAY,)), **BEFORE)[0]
    report, ids = desk.printed("told_by_a_model")
    for sent in (yesterday, report):
        mail = {"channel": "smtp", "address": ADA, "content": b"", "status": "SENT"}
        make(web.app.store.database, deliveries, **mail, report_id=sent, reply="250 taken")
    in_a_story(desk, ids)
    passed_over(web, report)
    for told in SINCE_SEVEN:
        desk.item(told)
    topic = desk.topics(TOPICS, ids)
    desk.indexed()
    searches = web.app.store.saved_searches
    searches.save(desk.user, NewSearch("Quay 9", '"Quay 9" OR "shore power"'), now=at)
    a_month(web)
    a_day_of_work(web)
    with closing(lock_as_daemon(web.app.settings.data_dir)):
        row = {"node": "deck", "incarnation": "now", "kind": "daemon", "version": __version__}
        lives = {"lease_until": at + web.app.lease - timedelta(seconds=4)}
        began = at - timedelta(days=3)
        make(web.app.store.database, processes, **row, **lives, started_at=began)
        yield Morning(desk, report, ids, topic)


def a_desk(web: Website) -> Desk:
    """Ada's, with a briefing at seven."""
    user = web.user(ADA).id
    chosen = {"title": "Energy & harbour", "criteria": WISH, "recipients": (ADA,)}
    plan = Plan(7, 0, "Europe/Berlin")
    briefing = web.stock.briefing(user, **chosen, plan=plan, channels=("folder",))
    web.stock.set(briefings, briefing, next_run_at=NOW + timedelta(hours=23))
    return Desk(web, ADA, user, briefing)


def passed_over(web: Website, report: int) -> None:
    titles = ("Ferry to Skerry late again", "Shares of cable makers rise", "Port Ellery votes")
    for number, title in enumerate(titles, 1):
        row = {"report_id": report, "position": number, "title": title, "source": "Gridline"}
        with web.app.store.database.write() as connection:
            why = {"score": 60 - number, "why": "off_subject"}
            connection.execute(insert(report_passed_over).values(**row, **why))


def in_a_story(desk: Desk, ids: Sequence[int]) -> None:
    """Two others tell the first of these, of which much is known."""
    stock, told = desk.web.stock, EVERY["daily"].items[0]
    story = make(desk.web.app.store.database, stories, label=told.title)
    tags = {
        "topics": ["offshore wind", "power grid"],
        "people": ["Ines Corrigan"],
        "companies": ["Nordgate"],
        "technologies": [],
        "sentiment": "neutral",
    }
    stock.set(items, ids[0], story_id=story, summary=IN_SHORT, author="Maren Holt", tags=tags)
    others = (
        ("The Harbor Courier", "Nine turbines, one very long cable", "Fishermen are paid to 2031."),
        ("Ledger & Tide", "Early power is worth 83 euros to Skerry Bank", "Until March, it sells."),
    )
    for name, title, summary in others:
        at = NOW - timedelta(hours=2)
        row = {"title": title, "summary": summary, "published_at": at, "language": "en"}
        stock.item(desk.source(name), **row, story_id=story, search_mark=1)


def a_month(web: Website) -> None:
    """Everything has been there for a while."""
    since = NOW - timedelta(days=60)
    with web.app.store.database.write() as connection:
        connection.execute(update(subscriptions).values(since=since))
        connection.execute(update(sessions).values(created_at=since))


def a_day_of_work(web: Website) -> None:
    """Of each stage, and what the model has cost."""
    hours, now = web.app.store.hours, web.app.clock()
    for stage, (number, seconds) in WORKED.items():
        for ago in range(24):
            at = now - timedelta(hours=ago)
            wave = 3 + (ago * 7) % 5
            for _ in range(number * wave // 20):
                hours.add(Stage(stage), Ending.WORKED, seconds, at)
            if ago % 6 == 5 and number > 40:
                hours.add(Stage(stage), Ending.FAILED, seconds, at)
    for stage in (Stage.BRIEFING, Stage.DELIVERY):
        hours.add(stage, Ending.WORKED, 0.6, NOW - timedelta(minutes=59))
    hours.write()
    for ago in range(96):
        at = slot(now, DEPTH_SLOT) - ago * DEPTH_SLOT
        waits = 12 + (ago * 5) % 9 + (60 if ago % 31 in (4, 5) else 0)
        depths = (DepthView("fetch", at, waits, 4), DepthView("processing", at, waits // 2, 9))
        hours.note_depths(depths)
    for ago, cost in enumerate(COSTS):
        row = {"day": (now - timedelta(days=ago)).date(), "calls": 190 + 3 * ago}
        with web.app.store.database.write() as connection:
            connection.execute(insert(usage_days).values(**row, nanodollars=int(cost * 1e9)))
