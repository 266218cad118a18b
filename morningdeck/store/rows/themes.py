"""What themes are found by, and the themes of each reader.

A run writes its themes one by one, each in a transaction of its own; they are the reader's once
the row of the run says so. What a run has left that was cut short goes with the next.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager
from datetime import date, datetime, timedelta
from typing import Any

from sqlalchemy import ColumnElement, Connection, and_, delete, exists, func, or_, select

from morningdeck.model.kinds import SourceType
from morningdeck.model.themes import KnownTheme, NamedTheme, ThemeItem, ThemeReader, ThemeText
from morningdeck.store.database.bulk import change, in_chunks, insert
from morningdeck.store.database.connect import Lock
from morningdeck.store.expressions.repository import Repository, grouped, names_in
from morningdeck.store.expressions.slices import id_ranges
from morningdeck.store.expressions.visibility import sources_of_reader, visible_each
from morningdeck.store.tables.briefs import topic_clusters, topic_members, topic_runs
from morningdeck.store.tables.news import (
    item_date,
    item_likenesses,
    items,
    sources,
    subscriptions,
)
from morningdeck.store.tables.people import users

MOST_READ = 100_000
"""The newest of all that was read."""
HISTORY = timedelta(days=60)


class SqlThemeRows(Repository):
    def alone(self) -> AbstractContextManager[bool]:
        """Yields whether no other process is at it."""
        return self._database.held_if_free(Lock.THEMES)

    # ---- reading

    def readers(self) -> tuple[ThemeReader, ...]:
        """Everybody, with the pages that were saved by hand and read since the last run."""
        saved = (
            select(func.count())
            .select_from(items.join(sources).join(subscriptions, _reads_it))
            .where(
                subscriptions.c.user_id == users.c.id,
                sources.c.type == SourceType.SAVED.value,
                items.c.first_seen_at > topic_runs.c.ran_at,
                items.c.enriched_by.is_not(None),
            )
            .correlate(users, topic_runs)
            .scalar_subquery()
        )
        query = (
            select(users.c.id, users.c.timezone, topic_runs.c.day, topic_runs.c.ran_at, saved)
            .outerjoin(topic_runs, topic_runs.c.user_id == users.c.id)
            .where(users.c.enabled)
            .order_by(users.c.id)
        )
        return tuple(
            ThemeReader(user_id, zone, date.fromisoformat(day) if day else None, ran_at, count)
            for user_id, zone, day, ran_at, count in self._rows(query)
        )

    def has_read(self, user_id: int, count: int) -> bool:
        """So many items that can be compared.

        This is asked every minute, so it looks at nothing but the reader's own sources.
        """
        query = select(items.c.id).where(_placed_for(user_id)).limit(count)
        return len(self._rows(query)) == count

    def has_read_before(self, user_id: int, day: datetime) -> bool:
        before = exists().where(_placed_for(user_id), item_date < day)
        return bool(self._scalar(select(before)))

    def slices(
        self, user_id: int, since: datetime, recent: datetime
    ) -> Iterator[Sequence[ThemeItem]]:
        newest = self._scalar(select(func.max(item_likenesses.c.id))) or 0
        oldest = select(func.min(item_likenesses.c.id))
        first_id = self._scalar(oldest.where(item_likenesses.c.first_seen_at >= since))
        most = 0 if first_id is None else min(newest - first_id + 1, MOST_READ)
        likeness = item_likenesses.c
        query = (
            select(likeness.item_id, likeness.story_id, item_date >= recent)
            .add_columns(likeness.vector, likeness.title_words)
            .join(items, items.c.id == likeness.item_id)
            .where(item_date >= since, visible_each(user_id))
            .order_by(likeness.id.desc())
        )
        for first, last in id_ranges(newest, most):
            rows = self._rows(query.where(likeness.id.between(first, last)))
            yield [ThemeItem(item, story, bool(new), *packed) for item, story, new, *packed in rows]

    def texts(self, user_id: int, item_ids: Sequence[int]) -> tuple[ThemeText, ...]:
        found = {}
        for chunk in in_chunks(item_ids):
            query = (
                select(items.c.id, items.c.story_id, items.c.title, items.c.tags, items.c.language)
                .add_columns(sources.c.topics)
                .join(sources, sources.c.id == items.c.source_id)
                .where(items.c.id.in_(chunk), items.c.story_id.is_not(None), visible_each(user_id))
            )
            found.update({row.id: row for row in self._rows(query)})
        return tuple(_text(found[item_id]) for item_id in item_ids if item_id in found)

    def before(self, user_id: int) -> tuple[KnownTheme, ...]:
        """Those of the last run."""
        query = (
            select(topic_members.c.cluster_id, topic_members.c.item_id)
            .join(topic_clusters, topic_clusters.c.id == topic_members.c.cluster_id)
            .join(topic_runs, _last_run)
            .where(topic_clusters.c.user_id == user_id)
        )
        members = grouped((row.cluster_id, row.item_id) for row in self._rows(query))
        return tuple(
            KnownTheme(
                row.id, row.label, date.fromisoformat(row.since), frozenset(members.get(row.id, ()))
            )
            for row in self._rows(_of_last_run(user_id))
        )

    # ---- writing

    def save(self, user_id: int, themes: Sequence[NamedTheme], day: date, now: datetime) -> None:
        """In place of those of the last run; of the same day only the last ones stay."""
        known = {row.id: row for row in self._rows(_of_last_run(user_id))}
        run = self._begin(user_id)
        for theme in themes:
            before = None if theme.continues is None else known.get(theme.continues.id)
            with self._database.write() as connection:
                _insert(connection, user_id, theme, before, day, run)
        mine = topic_runs.c.user_id == user_id
        with self._database.write() as connection:
            # a run that has begun later may have ended: then this one is what is left over
            ended = {"run": run, "day": day.isoformat(), "ran_at": now}
            change(connection, topic_runs, mine, topic_runs.c.run < run, **ended)
            _clear(connection, user_id, day)

    def _begin(self, user_id: int) -> int:
        """The number of a new run."""
        with self._database.write() as connection:
            first = insert(connection, topic_runs).values(user_id=user_id, begun=1)
            begun = first.on_conflict_do_update(
                index_elements=["user_id"], set_={"begun": topic_runs.c.begun + 1}
            )
            number = connection.execute(begun.returning(topic_runs.c.begun)).scalar_one()
            last = select(topic_runs.c.run).where(topic_runs.c.user_id == user_id).scalar_subquery()
            cut_short = and_(topic_clusters.c.user_id == user_id, topic_clusters.c.run > last)
            connection.execute(delete(topic_clusters).where(cut_short))
        return int(number)


def _clear(connection: Connection, user_id: int, day: date) -> None:
    """Only the last run needs members; of a day one run is enough, and of old days none."""
    last = select(topic_runs.c.run).where(topic_runs.c.user_id == user_id).scalar_subquery()
    others = and_(topic_clusters.c.user_id == user_id, topic_clusters.c.run < last)
    replaced = select(topic_clusters.c.id).where(others)
    connection.execute(delete(topic_members).where(topic_members.c.cluster_id.in_(replaced)))
    old = topic_clusters.c.period < (day - HISTORY).isoformat()
    same_day = topic_clusters.c.period == day.isoformat()
    connection.execute(delete(topic_clusters).where(others, or_(old, same_day)))


def _placed_for(user_id: int) -> ColumnElement[bool]:
    """An item of the reader's sources that has a story, so that its likeness is known."""
    return and_(items.c.source_id.in_(sources_of_reader(user_id)), items.c.story_id.is_not(None))


_reads_it = subscriptions.c.source_id == items.c.source_id
_last_run = and_(
    topic_runs.c.user_id == topic_clusters.c.user_id, topic_runs.c.run == topic_clusters.c.run
)


def _of_last_run(user_id: int) -> Any:
    clusters = topic_clusters.join(topic_runs, _last_run)
    return select(topic_clusters).select_from(clusters).where(topic_clusters.c.user_id == user_id)


def _insert(
    connection: Connection, user_id: int, theme: NamedTheme, before: Any, day: date, run: int
) -> None:
    """What an earlier run of the day has found goes, so it hands on what it continued itself."""
    period = day.isoformat()
    continues = before and (before.id if before.period < period else before.continues_id)
    values = {
        "user_id": user_id,
        "label": theme.label,
        "size": theme.size,
        "period": period,
        "since": before.since if before else period,
        "run": run,
        "this_week": theme.this_week,
        "week_before": theme.week_before,
        "continues_id": continues,
    }
    made = topic_clusters.insert().values(values).returning(topic_clusters.c.id)
    cluster_id = connection.execute(made).scalar_one()
    # items may have gone since they were read
    there = select(items.c.id).where(items.c.id.in_(theme.items))
    kept = [{"cluster_id": cluster_id, "item_id": item} for item in connection.scalars(there)]
    if kept:
        connection.execute(topic_members.insert(), kept)


def _text(row: Any) -> ThemeText:
    names = names_in(row.tags, row.topics)
    return ThemeText(
        row.id,
        row.story_id,
        row.title,
        tuple(name for those in names.values() for name in those),
        row.language,
    )
