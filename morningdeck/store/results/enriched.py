"""Saves what processing has made of an item: enrichment, scores, the text of its page."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, case, func, literal, select

from morningdeck.model.making import Enriched, Enrichment, Profile, Score
from morningdeck.model.reading import ParsedPage
from morningdeck.store.database.bulk import change, insert, put
from morningdeck.store.expressions.briefings import serves
from morningdeck.store.tables.briefs import briefings, item_scores
from morningdeck.store.tables.columns import BigInt
from morningdeck.store.tables.news import item_profiles, item_texts, items
from morningdeck.work import Job

TAKEN_OVER = ("category", "intent", "tags", "language", "enriched_by")
"""From the leader; the summary stays that of the item's own text, under its own headline."""


def save_enriched(connection: Connection, job: Job, enriched: Enriched, now: datetime) -> None:
    """The enrichment and the scores, with a mark for the search index that the item has changed."""
    item_id, found = job.id, enriched.found
    if enriched.page is not None:
        save_parsed_page(connection, job, enriched.page, now)
    this, marked = items.c.id == item_id, items.c.search_mark + 1
    change(connection, items, this, processed_at=now, search_mark=marked)
    if isinstance(found, Enrichment):
        change(connection, items, this, **_enrichment(found))
    _put_scores(connection, item_id, found.scores if isinstance(found, Enrichment) else found)
    if enriched.leader is not None:
        _take_over(connection, item_id, enriched.leader)
    if enriched.profile is not None:
        _put_profile(connection, item_id, enriched.profile)
    if enriched.own_summary is not None:
        change(connection, items, this, summary=enriched.own_summary)
    changed = items.c.content_hash != enriched.content_hash
    change(connection, items, this, changed, status="NEW", processed_at=None, due_at=None)


def save_parsed_page(connection: Connection, job: Job, page: ParsedPage, now: datetime) -> None:
    """The article, and from its page whatever the source left empty."""
    untitled = items.c.title.in_((items.c.url, items.c.canonical_url))
    change(
        connection,
        items,
        items.c.id == job.id,
        title=case((untitled, page.title or items.c.title), else_=items.c.title),
        author=func.coalesce(items.c.author, page.author),
        image_url=func.coalesce(items.c.image_url, page.image_url),
        published_at=func.coalesce(items.c.published_at, page.published_at),
        search_mark=items.c.search_mark + 1,
    )
    this, raw = item_texts.c.item_id == job.id, item_texts.c.raw_content
    told = case((raw == "", page.html), else_=raw)
    change(connection, item_texts, this, web_content=page.text, raw_content=told)


def _enrichment(found: Enrichment) -> dict[str, Any]:
    return {
        "summary": found.summary,
        "category": found.category,
        "intent": found.intent,
        "tags": asdict(found.tags),
        "language": found.language or None,
        "enriched_by": found.by,
    }


def _put_scores(connection: Connection, item_id: int, scores: Sequence[Score]) -> None:
    """Replace the scores before; `considered_in` stays, so that no report has the item twice."""
    rows = [
        {
            "item_id": item_id,
            "briefing_id": score.briefing_id,
            "score": score.value,
            "reason": score.reason,
            "criteria_version": score.version,
            "scored_by": score.by,
        }
        for score in scores
    ]
    put(connection, item_scores, rows, ("briefing_id", "item_id"))


def _put_profile(connection: Connection, item_id: int, profile: Profile) -> None:
    """With a mark that its scores are to be refined."""
    row = {"language": profile.language, "words": profile.words, "meaning": profile.meaning}
    added = insert(connection, item_profiles).values(item_id=item_id, mark=1, **row)
    changed = {name: added.excluded[name] for name in row}
    connection.execute(
        added.on_conflict_do_update(
            index_elements=["item_id"], set_={**changed, "mark": item_profiles.c.mark + 1}
        )
    )


def _take_over(connection: Connection, item_id: int, leader: int) -> None:
    """Copy the leader's enrichment, and its scores for the briefings that this item serves too."""
    of_leader = select(*(items.c[name] for name in TAKEN_OVER)).where(items.c.id == leader)
    row = connection.execute(of_leader).one()
    change(connection, items, items.c.id == item_id, **row._mapping)
    copied = ("briefing_id", "score", "reason", "criteria_version", "scored_by")
    scores = (
        select(literal(item_id, BigInt), *(item_scores.c[name] for name in copied))
        .join(briefings, briefings.c.id == item_scores.c.briefing_id)
        .where(item_scores.c.item_id == leader, serves(item_id))
    )
    added = insert(connection, item_scores).from_select(["item_id", *copied], scores)
    connection.execute(
        added.on_conflict_do_update(
            index_elements=["briefing_id", "item_id"],
            set_={name: added.excluded[name] for name in copied[1:]},
            where=item_scores.c.criteria_version < added.excluded.criteria_version,
        )
    )
