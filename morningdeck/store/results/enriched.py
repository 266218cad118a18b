"""Saves what processing has made of an item: enrichment, scores, the text of its page."""

from __future__ import annotations

from dataclasses import asdict
from datetime import datetime
from functools import cache
from typing import Any

from sqlalchemy import BindParameter, Connection, bindparam, case, func, select, update

from morningdeck.errors import PermanentError
from morningdeck.model.making import Enriched, Enrichment, Profile, Score
from morningdeck.model.reading import ParsedPage
from morningdeck.store.database.bulk import change, insert_into
from morningdeck.store.database.prepared import Prepared
from morningdeck.store.expressions.alerts import looked_at_when_done
from morningdeck.store.expressions.briefings import serves
from morningdeck.store.expressions.indexed import index_item
from morningdeck.store.tables.briefs import briefings, item_scores
from morningdeck.store.tables.columns import BigInt
from morningdeck.store.tables.news import item_profiles, item_texts, items, next_search_mark
from morningdeck.work import Job

TAKEN_OVER = ("category", "intent", "tags", "language", "enriched_by")
"""From the leader; the summary stays that of the item's own text, under its own headline."""
SCORE_COLUMNS = ("score", "reason", "criteria_version", "scored_by")

_THIS = items.c.id == bindparam("this")


def _given(*names: str) -> dict[str, BindParameter[Any]]:
    """Columns, and their values, which are filled in later."""
    return {name: bindparam(f"its_{name}") for name in names}


_MARKS = {
    "processed_at": bindparam("now"),
    "search_mark": next_search_mark,
    **looked_at_when_done(),
}
_MARKING = Prepared(update(items).where(_THIS).values(**_MARKS))
_ENRICHING = Prepared(update(items).where(_THIS).values(**_MARKS, **_given("summary", *TAKEN_OVER)))
_SUMMING_UP = Prepared(update(items).where(_THIS).values(**_given("summary")))
_leader = items.alias("leader")
_TAKING_OVER = Prepared(
    update(items)
    .where(_THIS, _leader.c.id == bindparam("leads"))
    .values({name: _leader.c[name] for name in TAKEN_OVER})
)
_SENDING_BACK = Prepared(
    update(items)
    .where(_THIS, items.c.content_hash != bindparam("read"))
    .values(status="NEW", processed_at=None, due_at=None)
)


@cache
def _scoring(kind: str) -> Prepared:
    """Replace a score; `considered_in` stays, so that no report has the item twice."""
    unique, changed = ("briefing_id", "item_id"), SCORE_COLUMNS
    added = insert_into(item_scores, kind).values(**_given(*unique, *changed))
    new = {name: added.excluded[name] for name in changed}
    return Prepared(added.on_conflict_do_update(index_elements=unique, set_=new))


@cache
def _profiling(kind: str) -> Prepared:
    """With a mark that its scores are to be refined."""
    changed = ("language", "words", "meaning")
    added = insert_into(item_profiles, kind).values(mark=1, **_given("item_id", *changed))
    new = {name: added.excluded[name] for name in changed}
    marked = {**new, "mark": item_profiles.c.mark + 1}
    return Prepared(added.on_conflict_do_update(index_elements=("item_id",), set_=marked))


@cache
def _copying(kind: str) -> Prepared:
    """The leader's scores, for the briefings that this item serves too."""
    copied, this = ("briefing_id", *SCORE_COLUMNS), bindparam("this", type_=BigInt)
    scores = (
        select(this, *(item_scores.c[name] for name in copied))
        .join(briefings, briefings.c.id == item_scores.c.briefing_id)
        .where(item_scores.c.item_id == bindparam("leads"), serves(this))
    )
    added = insert_into(item_scores, kind).from_select(["item_id", *copied], scores)
    return Prepared(
        added.on_conflict_do_update(
            index_elements=["briefing_id", "item_id"],
            set_={name: added.excluded[name] for name in SCORE_COLUMNS},
            where=item_scores.c.criteria_version < added.excluded.criteria_version,
        )
    )


def save_enriched(connection: Connection, job: Job, enriched: Enriched, now: datetime) -> None:
    """The enrichment and the scores, with a mark for the search index that the item has changed."""
    item_id, found = job.id, enriched.found
    if enriched.page is not None:
        _keep_page(connection, item_id, enriched.page)
    marks = {"this": item_id, "now": now}
    if isinstance(found, Enrichment):
        _ENRICHING.soon(connection, marks | _enrichment(found))
    else:
        _MARKING.soon(connection, marks)
    kind = connection.dialect.name
    for score in found.scores if isinstance(found, Enrichment) else found:
        _scoring(kind).soon(connection, _score(item_id, score))
    if enriched.leader is not None:
        _take_over(connection, item_id, enriched.leader)
    if (profile := enriched.profile) is not None:
        _profiling(kind).soon(connection, _profile(item_id, profile))
    if enriched.own_summary is not None:
        _SUMMING_UP.soon(connection, {"this": item_id, "its_summary": enriched.own_summary})
    _SENDING_BACK.soon(connection, {"this": item_id, "read": enriched.content_hash})
    index_item(connection, item_id)


def save_parsed_page(connection: Connection, job: Job, page: ParsedPage, now: datetime) -> None:
    _keep_page(connection, job.id, page)
    index_item(connection, job.id)


def _keep_page(connection: Connection, item_id: int, page: ParsedPage) -> None:
    """The article, and from its page whatever the source left empty."""
    untitled = items.c.title.in_((items.c.url, items.c.canonical_url))
    change(
        connection,
        items,
        items.c.id == item_id,
        title=case((untitled, page.title or items.c.title), else_=items.c.title),
        author=func.coalesce(items.c.author, page.author),
        image_url=func.coalesce(items.c.image_url, page.image_url),
        published_at=func.coalesce(items.c.published_at, page.published_at),
        search_mark=next_search_mark,
    )
    this, raw = item_texts.c.item_id == item_id, item_texts.c.raw_content
    told = case((raw == "", page.html), else_=raw)
    change(connection, item_texts, this, web_content=page.text, raw_content=told)


def _enrichment(found: Enrichment) -> dict[str, Any]:
    return {
        "its_summary": found.summary,
        "its_category": found.category,
        "its_intent": found.intent,
        "its_tags": asdict(found.tags),
        "its_language": found.language or None,
        "its_enriched_by": found.by,
    }


def _score(item_id: int, score: Score) -> dict[str, Any]:
    return {
        "its_item_id": item_id,
        "its_briefing_id": score.briefing_id,
        "its_score": score.value,
        "its_reason": score.reason,
        "its_criteria_version": score.version,
        "its_scored_by": score.by,
    }


def _profile(item_id: int, profile: Profile) -> dict[str, Any]:
    return {
        "its_item_id": item_id,
        "its_language": profile.language,
        "its_words": profile.words,
        "its_meaning": profile.meaning,
    }


def _take_over(connection: Connection, item_id: int, leader: int) -> None:
    """Copy the leader's enrichment, and its scores."""
    values = {"this": item_id, "leads": leader}
    if not _TAKING_OVER.within(connection, values):
        raise PermanentError("the leader of its story is gone")
    _copying(connection.dialect.name).soon(connection, values)
