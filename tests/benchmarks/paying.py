"""What a model costs: questions and tokens for each item, with repeats and without, with the
prefilter and without.

Newswire that was labelled for ten wishes, through the real engine to a scripted model. A reader has
three of the wishes; the others' items are what the prefilter may spare.
"""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta
from hashlib import sha256
from pathlib import Path
from random import Random

from sqlalchemy import func, select

from morningdeck.app import App
from morningdeck.model.making import Article
from morningdeck.model.sending import Plan
from morningdeck.model.wanting import NewBriefing, NewSource
from morningdeck.store.tables.news import item_texts, items
from tests.benchmarks.report import Report
from tests.benchmarks.running import WATCHED_SECONDS, running_app
from tests.benchmarks.scripted import Scripted
from tests.conftest import CORPORA
from tests.quality.relevance import Newswire, newswire
from tests.waiting import until

WISHES = 3
REPEATED = 0.3
"""Of all items, so many tell what another source has told already."""
THOUSAND = 1_000
PREFILTER = 10
NO_PREFILTER = 0


@dataclass(frozen=True, slots=True)
class Bill:
    items: int
    calls: int
    tokens_in: int
    tokens_out: int
    dollars: float
    relevant: int
    missed: int
    """Of the relevant ones, those that no model was asked about."""

    def in_words(self) -> str:
        calls = max(1, self.calls)
        tokens = f"{self.tokens_in / calls:.0f} + {self.tokens_out / calls:.0f} tokens"
        cost = f"1,000 items cost ${self.dollars / self.items * THOUSAND:.3f}"
        return f"{self.calls / self.items:.2f} questions an item, each of {tokens}: {cost}"


def run(report: Report) -> None:
    if not CORPORA.is_dir():
        report.share("questions an item, without labelled news", 0, most=1, name="not measured")
        return
    news = newswire()
    count = 20 if report.quick else len(news.articles)
    told = dict(list(news.articles.items())[:count])
    repeats = Random(1).sample(sorted(told), round(count * REPEATED / (1 - REPEATED)))
    plain = _bill(news, told, (), NO_PREFILTER)
    repeated = _bill(news, told, repeats, NO_PREFILTER)
    spared = _bill(news, told, (), PREFILTER)
    for name, bill in (
        ("newswire", plain),
        (f"{REPEATED:.0%} told twice", repeated),
        (f"newswire, prefilter_below = {PREFILTER}", spared),
    ):
        report.say(f"{name}: {bill.in_words()}")
    report.share(
        "questions an item, newswire",
        plain.calls / plain.items,
        most=1,
        name="one each; stories take over",
    )
    report.share(
        f"questions an item, {REPEATED:.0%} told twice",
        repeated.calls / repeated.items,
        most=1.02 - REPEATED,
        name="one for each of those told first",
    )
    report.share(
        f"questions an item, prefilter_below = {PREFILTER}",
        spared.calls / spared.items,
        most=1,
        name=f"{spared.missed} of {spared.relevant} relevant not asked about",
    )


def _bill(news: Newswire, told: dict[int, Article], repeats: Sequence[int], prefilter: int) -> Bill:
    with Scripted() as model, tempfile.TemporaryDirectory(prefix="morningdeck-bench-") as folder:
        enricher = {
            "kind": "openai",
            "base_url": model.base_url,
            "prefilter_below": prefilter,
            "daily_budget_usd": THOUSAND,
        }
        given = {
            "data_dir": Path(folder),
            "enricher": enricher,
            "fetch": {"enabled": False},
            "briefing": {"enabled": False},
        }
        with running_app(given) as app:
            names = list(news.wishes)[:WISHES]
            keys = _read(app, news, names, told, repeats)
            wanted = {key for name in names for key in news.relevant[name]} & told.keys()
            return _told(app, keys, wanted)


def _read(
    app: App, news: Newswire, names: Sequence[str], told: dict[int, Article], repeats: Sequence[int]
) -> dict[int, int]:
    """Have it all enriched; returns the ids of the items that were told first, by their keys."""
    (user, *_) = app.store.users.list()
    now = app.clock()
    tomorrow = now + timedelta(days=1)
    for name in names:
        wish = NewBriefing(name, news.wishes[name], Plan(7, 0, "UTC"), channels=("folder",))
        app.store.briefings.add(user.id, wish, now=now, next_run_at=tomorrow)
    keys = _put(app, user.id, "https://one.example/feed", told)
    again = {key: told[key] for key in repeats}
    _done(app)
    _put(app, user.id, "https://two.example/feed", again)
    _done(app)
    return keys


def _put(app: App, user_id: int, url: str, told: dict[int, Article]) -> dict[int, int]:
    now = app.clock()
    source = app.store.subscriptions.subscribe(user_id, NewSource(url), now=now)
    rows = [
        {
            "source_id": source.id,
            "guid": str(key),
            "title": article.title,
            "content_hash": sha256(article.text.encode()).hexdigest(),
            "first_seen_at": now,
            "turn": turn,
        }
        for turn, (key, article) in enumerate(told.items())
    ]
    if not rows:
        return {}
    with app.store.database.write() as connection:
        added = items.insert().returning(items.c.id, sort_by_parameter_order=True)
        ids = tuple(connection.scalars(added, rows))
        texts = [
            {"item_id": item_id, "clean_content": article.text}
            for item_id, article in zip(ids, told.values(), strict=True)
        ]
        connection.execute(item_texts.insert(), texts)
    return dict(zip(told, ids, strict=True))


def _done(app: App) -> None:
    app.wake("processing")
    undone = select(func.count()).select_from(items).where(items.c.status != "DONE")

    def over() -> bool:
        with app.store.database.read() as connection:
            return not connection.scalar(undone)

    until(over, 5 * WATCHED_SECONDS, pause_seconds=0.1)


def _told(app: App, keys: dict[int, int], wanted: set[int]) -> Bill:
    days = app.store.spending.days(app.clock() - timedelta(days=1), 50)
    with app.store.database.read() as connection:
        count = connection.scalar(select(func.count()).select_from(items)) or 0
        offline = select(items.c.id).where(items.c.enriched_by == "offline")
        unasked = set(connection.scalars(offline))
    return Bill(
        items=count,
        calls=sum(day.calls for day in days),
        tokens_in=sum(day.tokens_in for day in days),
        tokens_out=sum(day.tokens_out for day in days),
        dollars=sum(day.cost_usd or 0 for day in days),
        relevant=len(wanted),
        missed=sum(keys[key] in unasked for key in wanted),
    )
