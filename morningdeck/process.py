"""Verb two: language, story, enrichment and scores for one item.

The first item of a story is enriched for all of them; the others wait for it and take
over what it got. An item that was enriched before only gets the scores it misses.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta

from morningdeck.model import Article, Criteria, Enrichment, Item, Processed, Score
from morningdeck.ports import Clock, Embedder, Enricher, ItemRows, Similarity, StoryRows
from morningdeck.work import Done, Ended, Failed, Job, Outcome, Postponed

INDEXING = "indexing"
REPRESENTATIVE_WAIT = timedelta(seconds=5)
LEAD_CHARACTERS = 600
"""How much of the text, beside the title, the embedding speaks of."""


def process(
    job: Job,
    *,
    items: ItemRows,
    stories: StoryRows,
    similarity: Similarity,
    embedder: Embedder,
    enricher: Enricher,
    clock: Clock,
    still_mine: Callable[[Job], bool],
) -> Outcome:
    item = items.load(job.id)
    if item is None:
        return Failed("the item is gone", permanent=True)
    if not items.read(item.id):
        return Ended("CANCELLED", "nobody reads its source any more")
    (vector,) = embedder.embed((f"{item.title}\n{item.text[:LEAD_CHARACTERS]}",))
    place = stories.standing(item.id)
    if place is None:
        likeness = similarity.likeness(item.title, item.text, item.canonical_url, vector)
        place = stories.place(item.id, likeness, clock())
    leader = place.representative_id if place.representative_id != item.id else None
    if leader is not None and not place.settled:
        return Postponed(clock() + REPRESENTATIVE_WAIT)
    if not still_mine(job):
        return Postponed(clock(), "its lease was lost before the enrichment")
    criteria = items.unscored(item.id, leader)
    enrichment = _enrich(item, _article(item, vector), criteria, enricher, leader is None)
    return Done(Processed(enrichment, item.content_hash, leader), wake=(INDEXING,))


def _enrich(
    item: Item,
    article: Article,
    criteria: tuple[Criteria, ...],
    enricher: Enricher,
    leads: bool,
) -> Enrichment | tuple[Score, ...]:
    if leads and not item.enriched:
        return enricher.enrich(article, criteria)
    return enricher.score(article, criteria) if criteria else ()


def _article(item: Item, vector: bytes) -> Article:
    return Article(
        title=item.title,
        text=item.text,
        url=item.url,
        author=item.author,
        language=item.language,
        source_title=item.source_title,
        source_topics=item.source_topics,
        vector=vector,
    )
