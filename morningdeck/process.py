"""Verb two: full text, language, story, enrichment and scores for one item.

The first item of a story is enriched for all of them; the others wait for it and take
over what it got. An item that was enriched before only gets the scores it misses. While no
model can be asked an item waits, as long as a briefing that it serves can wait for it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import datetime, timedelta

from morningdeck.errors import (
    DatabaseAwayError,
    EndpointHeldError,
    HostBusyError,
    PermanentError,
    TransientError,
)
from morningdeck.model.making import (
    Article,
    Criteria,
    Enriched,
    Enrichment,
    Item,
    Notes,
    Score,
    StoryRole,
)
from morningdeck.model.reading import THIN_CHARACTERS, ParsedPage
from morningdeck.ports.engine import Clock
from morningdeck.ports.verbs import (
    Boilerplate,
    Enricher,
    FullText,
    ItemRows,
    NoteTaker,
    Similarity,
    StoryRows,
)
from morningdeck.work import (
    ALERTING,
    INDEXING,
    REFINING,
    Done,
    Ended,
    Failed,
    Job,
    Outcome,
    Postponed,
)

LEADER_WAIT = timedelta(seconds=5)
PAGE_PATIENCE = timedelta(minutes=2)
"""News that would have to wait longer for its page is told without it."""
BEFORE_A_SLOT = timedelta(minutes=5)
"""By then whatever a briefing weighs is scored, with a model or without."""
WITHOUT_A_SLOT = timedelta(minutes=10)
"""How long an item waits that no briefing waits for."""


def process(
    job: Job,
    *,
    items: ItemRows,
    stories: StoryRows,
    similarity: Similarity,
    notes: NoteTaker,
    enricher: Enricher,
    stand_in: Enricher,
    boilerplate: Boilerplate,
    clock: Clock,
    still_mine: Callable[[Job], bool],
    full_text: FullText | None = None,
    patient: bool = True,
) -> Outcome:
    item = items.load(job.id)
    if item is None:
        return Failed("the item is gone", permanent=True)
    if not item.has_readers:
        return Ended("CANCELLED", "nobody reads its source any more")
    role = stories.role(item.id) if item.has_story else None
    if role is not None and _waits(item, role):
        return Postponed(clock() + LEADER_WAIT)
    item = replace(item, text=boilerplate.without(item.url, item.title, item.text))
    try:
        page = _page(item, full_text, clock)
    except DatabaseAwayError:
        raise
    except (TransientError, PermanentError) as error:
        return _without_page(error, clock)
    page = page and _its_own(page, item, boilerplate, similarity)
    item = item if page is None else _told_by(page, item)
    article = _article(item)
    new = not item.done_before
    known = notes.take(article, item.canonical_url, place=role is None, tell=new)
    if role is None:
        assert known.likeness is not None
        role = stories.assign(item.id, known.likeness, clock(), may_lead=not item.private)
    if _waits(item, role):
        return _put_off(clock() + LEADER_WAIT, page)
    if not still_mine(job):
        return Postponed(clock(), "its lease was lost before the enrichment")
    leader = _leader_of(item, role)
    criteria = items.unscored(item.id, leader)
    leads = leader is None
    article = noted(article, known)
    try:
        enrichment = _enrich(item, article, criteria, enricher, leads)
    except EndpointHeldError as held:
        if patient and held.until <= _patience(item, items, clock):
            return _put_off(held.until, page or _all_there_is(item), str(held))
        enrichment = _enrich(item, article, criteria, stand_in, leads)
    own = known.summary if new and not leads else None
    result = Enriched(enrichment, item.content_hash, leader, page, known.profile, own)
    return Done(result, wake=(INDEXING, REFINING, ALERTING))


def noted(article: Article, known: Notes) -> Article:
    """With what is known of it, for enrichers not to ask again."""
    return replace(
        article,
        vector=known.vector,
        profile=known.profile,
        told=known.told,
        read_as=known.read_as,
        in_short=known.summary or None,
    )


def _put_off(due_at: datetime, page: ParsedPage | None, reason: str = "") -> Postponed:
    """The page that was read meanwhile is stored, and can be found."""
    return Postponed(due_at, reason, page, wake=(INDEXING,) if page else ())


def _patience(item: Item, items: ItemRows, clock: Clock) -> datetime:
    """Until when the item may wait for a model."""
    slot = items.next_slot(item.id)
    if slot is not None:
        return slot - BEFORE_A_SLOT
    return (item.first_seen_at or clock()) + WITHOUT_A_SLOT


def _all_there_is(item: Item) -> ParsedPage | None:
    """Its page was asked and has no more to tell: it need not be asked again after each hold."""
    if item.page_read or item.done_before or not _wants_page(item):
        return None
    return ParsedPage(text=item.text)


def _waits(item: Item, role: StoryRole) -> bool:
    """For its leader, to be enriched or scored anew; what is private can always do without."""
    about_to_tell = not role.enriched or (item.done_before and role.rescores)
    return role.leader not in (None, item.id) and about_to_tell and not item.private


def _leader_of(item: Item, role: StoryRole) -> int | None:
    """Whose enrichment the item takes over; None for what is enriched itself."""
    return role.leader if role.leader != item.id and role.enriched else None


def _page(item: Item, full_text: FullText | None, clock: Clock) -> ParsedPage | None:
    """The item's page, where it is needed; without it, the news of a feed is news all the same."""
    if full_text is None or item.page_read or item.done_before or not _wants_page(item):
        return None
    try:
        page = full_text.read(item.url or "")
    except HostBusyError as busy:
        if item.saved or busy.until - clock() <= PAGE_PATIENCE:
            raise
        return None
    except DatabaseAwayError:
        raise
    except (TransientError, PermanentError):
        if item.saved:
            raise
        return None
    return page


def _its_own(
    page: ParsedPage, item: Item, boilerplate: Boilerplate, similarity: Similarity
) -> ParsedPage | None:
    """The page without what its host says on others; None if its source has told more.

    A page for consent or for login has other things to speak of than the title.
    """
    text = boilerplate.without(item.url, page.title if item.saved else item.title, page.text)
    if item.saved:
        return replace(page, text=text or page.text)
    speaks = len(text) > len(item.text) and similarity.speaks_of(text, item.title)
    return replace(page, text=text) if speaks else None


def _wants_page(item: Item) -> bool:
    on_the_web = (item.url or "").startswith(("http://", "https://"))
    return item.saved or (on_the_web and len(item.text) < THIN_CHARACTERS)


def _without_page(error: TransientError | PermanentError, clock: Clock) -> Postponed | Failed:
    """All that there is of a saved page is the page; that its server is busy is nobody's fault."""
    if isinstance(error, HostBusyError):
        return Postponed(error.until, str(error))
    after = error.after if isinstance(error, TransientError) else None
    not_before = None if after is None else clock() + timedelta(seconds=after)
    return Failed(str(error), isinstance(error, PermanentError), not_before)


def _told_by(page: ParsedPage, item: Item) -> Item:
    """The item as it will be once the page is stored."""
    untitled = item.title in (item.url, item.canonical_url)
    return replace(
        item,
        text=page.text or item.text,
        title=(page.title if untitled else "") or item.title,
        author=item.author or page.author,
        canonical_url=(page.canonical_url if item.saved else None) or item.canonical_url,
    )


def _enrich(
    item: Item,
    article: Article,
    criteria: tuple[Criteria, ...],
    enricher: Enricher,
    is_leader: bool,
) -> Enrichment | tuple[Score, ...]:
    if is_leader and not item.done_before:
        return enricher.enrich(article, criteria)
    return enricher.score(article, criteria) if criteria else ()


def _article(item: Item) -> Article:
    return Article(
        title=item.title,
        text=item.text,
        url=item.url,
        author=item.author,
        language=item.language,
        source_title=item.source_title,
        source_topics=item.source_topics,
        item_id=item.id,
    )
