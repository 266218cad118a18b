"""A reader whose installation has read much already: items in the window of stories and scores."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime, timedelta
from itertools import cycle, islice
from typing import Any

from sqlalchemy import Connection, Table, insert

from morningdeck.app import App, open_app
from morningdeck.enrichers.embedding import WordEmbedder
from morningdeck.enrichers.relevance import Relevance
from morningdeck.model.making import Likeness, Profile
from morningdeck.model.sending import Plan
from morningdeck.model.wanting import NewBriefing
from morningdeck.settings.sections import Settings
from morningdeck.store.tables.news import (
    item_likenesses,
    item_profiles,
    items,
    sources,
    stories,
    subscriptions,
)
from tests.benchmarks.placing import likenesses
from tests.quality.relevance import newswire

CHUNK = 5_000
PROFILES = 100
"""Different ones, of newswire."""


def reader_of(given: Mapping[str, Any], wishes: int, count: int) -> None:
    """Make a reader with so many wishes, and a source of theirs with so many items that are done.

    Each has a story of its own.
    """
    with open_app(Settings.model_validate(given)) as app:
        (user, *_) = app.store.users.list()
        now = app.clock()
        for name, text in islice(newswire().wishes.items(), wishes):
            wish = NewBriefing(name, text, Plan(7, 0, "UTC"), channels=("folder",))
            app.store.briefings.add(user.id, wish, now=now, next_run_at=now + timedelta(days=1))
        _fill(app, user.id, count, now)


def _fill(app: App, user_id: int, count: int, now: datetime) -> None:
    told, profiles = likenesses(count), cycle(_profiles())
    with app.store.database.write() as connection:
        row = {"url": "https://before.example/feed", "title": "Before"}
        (source_id,) = _added(connection, sources, [row])
        connection.execute(insert(subscriptions).values(user_id=user_id, source_id=source_id))
    for start in range(0, count, CHUNK):
        some = list(islice(told, CHUNK))
        with app.store.database.write() as connection:
            story_ids = _added(connection, stories, [{"label": one.title[:200]} for one in some])
            rows = [
                _item(source_id, start + nth, one, story_id, now)
                for nth, (one, story_id) in enumerate(zip(some, story_ids, strict=True))
            ]
            item_ids = _added(connection, items, rows)
            placed = zip(item_ids, story_ids, some, strict=True)
            connection.execute(insert(item_likenesses), [_place(now, *one) for one in placed])
            kept = [_kept(item_id, next(profiles)) for item_id in item_ids]
            connection.execute(insert(item_profiles), kept)


def _profiles() -> Iterator[Profile]:
    relevance = Relevance(WordEmbedder())
    return map(relevance.profile, islice(newswire().articles.values(), PROFILES))


def _added(connection: Connection, table: Table, rows: Sequence[Mapping[str, Any]]) -> list[int]:
    made = insert(table).returning(table.c.id, sort_by_parameter_order=True)
    return list(connection.scalars(made, list(rows)))


def _item(
    source_id: int, number: int, told: Likeness, story_id: int, now: datetime
) -> dict[str, Any]:
    return {
        "source_id": source_id,
        "guid": str(number),
        "title": told.title,
        "content_hash": "hash",
        "first_seen_at": now,
        "processed_at": now,
        "status": "DONE",
        "story_id": story_id,
    }


def _place(now: datetime, item_id: int, story_id: int, told: Likeness) -> dict[str, Any]:
    return {
        "item_id": item_id,
        "story_id": story_id,
        "subject_id": story_id,
        "first_seen_at": now,
        "merged_stories": (),
        "merged_subjects": (),
        **{name: getattr(told, name) for name in Likeness.__dataclass_fields__},
    }


def _kept(item_id: int, profile: Profile) -> dict[str, Any]:
    return {
        "item_id": item_id,
        "language": profile.language,
        "words": profile.words,
        "meaning": profile.meaning,
        "mark": 0,
    }
