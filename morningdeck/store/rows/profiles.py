"""What scores are refined by: the profiles of the window, the words read before, the scores."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from contextlib import AbstractContextManager
from datetime import datetime
from typing import Any

from sqlalchemy import bindparam, delete, exists, select, tuple_, update

from morningdeck.model.making import Criteria, Profile
from morningdeck.model.refining import KeptProfile, RatedProfile, RefinedScore, WordCounts
from morningdeck.store.database.bulk import in_chunks, put
from morningdeck.store.database.connect import Database, Lock
from morningdeck.store.expressions.alerts import looked_at_again
from morningdeck.store.expressions.briefings import with_sections
from morningdeck.store.tables.briefs import briefings, item_scores
from morningdeck.store.tables.news import (
    item_profiles,
    items,
    next_search_mark,
    subscriptions,
    word_counts,
)
from morningdeck.store.tables.people import users

OFFLINE = "offline"
"""Scores of any other are never changed."""


class SqlProfileRows:
    def __init__(self, database: Database) -> None:
        self._database = database

    def alone(self) -> AbstractContextManager[bool]:
        """Yields whether no other process is at it."""
        return self._database.held_if_free(Lock.REFINING)

    # ---- reading

    def waits(self, briefing_id: int | None = None) -> bool:
        query = select(item_profiles.c.item_id).where(item_profiles.c.mark > 0).limit(1)
        if briefing_id is not None:
            wishes = select(briefings.c.id).where(with_sections(briefing_id))
            scored = item_scores.c.item_id == item_profiles.c.item_id
            # few wait, and of a briefing's scores there are ever more
            query = query.where(exists().where(scored, item_scores.c.briefing_id.in_(wishes)))
        with self._database.read() as connection:
            return connection.execute(query).first() is not None

    def marked(self) -> Sequence[tuple[int, int]]:
        """The items that are not refined yet, each with its mark."""
        query = select(item_profiles.c.item_id, item_profiles.c.mark)
        with self._database.read() as connection:
            rows = connection.execute(query.where(item_profiles.c.mark > 0))
            return [(row[0], row[1]) for row in rows]

    def recent(self, since: datetime, limit: int) -> tuple[KeptProfile, ...]:
        """Of the items first seen since then, the newest first."""
        query = (
            select(
                item_profiles.c.item_id,
                items.c.source_id,
                item_profiles.c.language,
                item_profiles.c.words,
                item_profiles.c.meaning,
            )
            .join(items, items.c.id == item_profiles.c.item_id)
            .where(items.c.first_seen_at >= since)
            .order_by(items.c.first_seen_at.desc(), items.c.id.desc())
            .limit(limit)
        )
        with self._database.read() as connection:
            return tuple(_kept(row) for row in connection.execute(query))

    def counts(self) -> Mapping[str, WordCounts]:
        with self._database.read() as connection:
            rows = connection.execute(select(word_counts)).all()
        return {
            row.language: WordCounts(row.language, row.articles, row.words, row.counted_at)
            for row in rows
        }

    def criteria(self) -> tuple[Criteria, ...]:
        """Of all briefings that are not paused."""
        query = (
            select(
                briefings.c.id,
                briefings.c.criteria_version,
                briefings.c.criteria,
                briefings.c.user_id,
                briefings.c.language,
            )
            .join(users)
            .where(~briefings.c.paused, users.c.enabled)
            .order_by(briefings.c.user_id, briefings.c.id)
        )
        with self._database.read() as connection:
            return tuple(Criteria(*row) for row in connection.execute(query))

    def sources_of(self, user_ids: Collection[int | None]) -> Mapping[int | None, frozenset[int]]:
        """What each of these users reads."""
        query = select(subscriptions.c.user_id, subscriptions.c.source_id)
        found: dict[int | None, set[int]] = {user_id: set() for user_id in user_ids}
        with self._database.read() as connection:
            for user_id, source_id in connection.execute(query):
                if user_id in found:
                    found[user_id].add(source_id)
        return {user_id: frozenset(sources) for user_id, sources in found.items()}

    def scores(self, criteria: Criteria, since: datetime) -> Sequence[tuple[int, int]]:
        """Item and score, as given without a model to the items first seen since then."""
        query = (
            select(item_scores.c.item_id, item_scores.c.score)
            .join(items, items.c.id == item_scores.c.item_id)
            .where(
                item_scores.c.briefing_id == criteria.briefing_id,
                item_scores.c.criteria_version == criteria.version,
                item_scores.c.scored_by == OFFLINE,
                items.c.first_seen_at >= since,
            )
        )
        with self._database.read() as connection:
            return [(row[0], row[1]) for row in connection.execute(query)]

    def rated(self) -> Mapping[int, tuple[RatedProfile, ...]]:
        """By briefing: what its reader has liked or disliked, the latest first."""
        query = (
            select(
                item_scores.c.briefing_id,
                item_scores.c.feedback,
                items.c.id.label("item_id"),
                items.c.title,
                item_profiles.c.language,
                item_profiles.c.words,
                item_profiles.c.meaning,
            )
            .join(items, items.c.id == item_scores.c.item_id)
            .join(item_profiles, item_profiles.c.item_id == items.c.id)
            .where(item_scores.c.feedback != 0)
            .order_by(items.c.id.desc())
        )
        found: dict[int, tuple[RatedProfile, ...]] = {}
        with self._database.read() as connection:
            for row in connection.execute(query):
                rated = RatedProfile(row.item_id, row.title, row.feedback, _profile(row))
                found[row.briefing_id] = (*found.get(row.briefing_id, ()), rated)
        return found

    # ---- writing

    def save(self, scores: Sequence[RefinedScore]) -> frozenset[int]:
        """Only where the score is still one without a model, by the same criteria.

        Items first, as a settlement does, so that the two never wait for each other; an item
        that somebody else is writing, be it only its mark for the search index, is left out.
        Returns those.
        """
        left_out: set[int] = set()
        for chunk in in_chunks(sorted(scores, key=lambda one: (one.item_id, one.briefing_id))):
            with self._database.write() as connection:
                free = set(
                    connection.scalars(
                        select(items.c.id)
                        .where(items.c.id.in_({one.item_id for one in chunk}))
                        .order_by(items.c.id)
                        .with_for_update(skip_locked=True, key_share=True)
                    )
                )
                left_out.update(one.item_id for one in chunk if one.item_id not in free)
                rows = [_values(one) for one in chunk if one.item_id in free]
                if rows:
                    connection.execute(_REFINE, rows)
                seen = {one.item_id for one in chunk if one.shows} & free
                if seen:
                    marked = update(items).where(items.c.id.in_(seen))
                    grown = {"search_mark": next_search_mark, **looked_at_again()}
                    connection.execute(marked.values(**grown))
        return frozenset(left_out)

    def clear(self, marked: Sequence[tuple[int, int]]) -> None:
        """These are refined; a mark that has grown since stays."""
        for chunk in in_chunks(marked):
            seen = tuple_(item_profiles.c.item_id, item_profiles.c.mark).in_(chunk)
            with self._database.write() as connection:
                connection.execute(update(item_profiles).where(seen).values(mark=0))

    # ---- forgetting

    def outdated(self, before: datetime, limit: int) -> tuple[KeptProfile, ...]:
        """Of items first seen before then, but for those that somebody has rated."""
        rated = exists().where(
            item_scores.c.item_id == item_profiles.c.item_id, item_scores.c.feedback != 0
        )
        query = (
            select(item_profiles, items.c.source_id)
            .join(items, items.c.id == item_profiles.c.item_id)
            .where(items.c.first_seen_at < before, ~rated)
            .order_by(items.c.id)
            .limit(limit)
        )
        with self._database.read() as connection:
            return tuple(_kept(row) for row in connection.execute(query))

    def replace(self, outdated: Sequence[KeptProfile], counts: Sequence[WordCounts]) -> None:
        """Forget these profiles, whose words are in the counts now."""
        rows = [
            {
                "language": one.language,
                "articles": one.articles,
                "words": one.words,
                "counted_at": one.counted_at,
            }
            for one in counts
        ]
        ids = [one.item_id for one in outdated]
        with self._database.write() as connection:
            put(connection, word_counts, rows, ("language",))
            for chunk in in_chunks(ids):
                connection.execute(delete(item_profiles).where(item_profiles.c.item_id.in_(chunk)))


_REFINE = (
    update(item_scores)
    .where(
        item_scores.c.briefing_id == bindparam("of_briefing"),
        item_scores.c.item_id == bindparam("of_item"),
        item_scores.c.criteria_version == bindparam("version"),
        item_scores.c.scored_by == OFFLINE,
    )
    .values(score=bindparam("value"), reason=bindparam("why"))
)


def _values(score: RefinedScore) -> dict[str, Any]:
    return {
        "of_briefing": score.briefing_id,
        "of_item": score.item_id,
        "version": score.version,
        "value": score.value,
        "why": score.reason,
    }


def _kept(row: Any) -> KeptProfile:
    return KeptProfile(row.item_id, row.source_id, _profile(row))


def _profile(row: Any) -> Profile:
    return Profile(row.language, bytes(row.words), bytes(row.meaning))
