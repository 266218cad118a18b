"""The nouns: frozen values that travel between the parts.

Times are aware UTC. Texts are plain unless the name says HTML, and HTML in here
has been sanitised. Nothing in this module knows where a value came from.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime, timedelta
from enum import StrEnum


class SourceType(StrEnum):
    RSS = "RSS"
    WEB = "WEB"
    REDDIT = "REDDIT"
    EMAIL = "EMAIL"
    SAVED = "SAVED"


class Health(StrEnum):
    ACTIVE = "active"
    DEGRADED = "degraded"
    INACTIVE = "inactive"
    GONE = "gone"


# ---- what is read


@dataclass(frozen=True, slots=True)
class Source:
    """What is fetched, once for all who read it."""

    id: int
    type: SourceType
    url: str
    title: str = ""
    topics: tuple[str, ...] = ()
    prompt: str | None = None
    etag: str | None = None
    last_modified: str | None = None
    refresh: timedelta = timedelta(minutes=15)
    first_import: bool = True
    health: Health = Health.ACTIVE
    moved_to: str | None = None
    moved_times: int = 0


@dataclass(frozen=True, slots=True)
class Validators:
    """What a server gave us to ask "anything new?" with, byte for byte."""

    etag: str | None = None
    last_modified: str | None = None


@dataclass(frozen=True, slots=True)
class Page:
    """One answer of the way out: the body decompressed, the header names in lower case."""

    url: str
    status: int
    headers: dict[str, str]
    body: bytes
    permanent_url: str | None = None
    """Where permanent redirects alone led, None when there was none."""

    @property
    def unchanged(self) -> bool:
        return self.status == 304


@dataclass(frozen=True, slots=True)
class Entry:
    """One piece of news as its source tells it."""

    guid: str
    url: str | None
    title: str
    author: str | None = None
    image_url: str | None = None
    published_at: datetime | None = None
    html: str = ""
    text: str = ""
    tags: tuple[str, ...] = ()
    canonical_url: str | None = None
    content_hash: str = ""


@dataclass(frozen=True, slots=True)
class ParsedFeed:
    """A feed as the parser understood it: entries in the feed's own order."""

    title: str = ""
    entries: tuple[Entry, ...] = ()
    link: str | None = None
    ttl: timedelta | None = None
    """The longest of what the feed itself asks for (ttl, sy:updatePeriod)."""
    warnings: tuple[str, ...] = ()
    feed_links: tuple[str, ...] = ()
    """Feeds that an HTML page names; entries are empty then."""


@dataclass(frozen=True, slots=True)
class Reading:
    """What one read of a source brought."""

    entries: tuple[Entry, ...] = ()
    unchanged: bool = False
    title: str = ""
    validators: Validators = Validators()
    fresh_for: timedelta | None = None
    """How long the feed or its server asks us to wait before the next read."""
    moved_to: str | None = None
    feed_url: str | None = None
    """The feed that was found behind the page that was given."""
    warnings: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Fetched:
    """Result of a fetch: a reading, and when to ask again."""

    reading: Reading
    import_limit: int | None = None
    """On a first import: how many entries, the newest of the last days, are enriched."""
    import_since: datetime | None = None


@dataclass(frozen=True, slots=True)
class FetchTrouble:
    """Result of a failed fetch: what the source's readers are shown."""

    health: Health
    tell: str | None = None


# ---- what is made of it


@dataclass(frozen=True, slots=True)
class Article:
    """What an enricher is given: data, never instructions.

    `vector` is its embedding, little-endian float32 of unit length, empty when there is none.
    """

    title: str
    text: str
    url: str | None = None
    author: str | None = None
    language: str | None = None
    source_title: str = ""
    source_topics: tuple[str, ...] = ()
    vector: bytes = b""


@dataclass(frozen=True, slots=True)
class Criteria:
    """One briefing an item may serve: scored against `text` at `version`."""

    briefing_id: int
    version: int
    text: str
    user_id: int = 0


@dataclass(frozen=True, slots=True)
class Score:
    briefing_id: int
    version: int
    value: int
    reason: str
    by: str


@dataclass(frozen=True, slots=True)
class Tags:
    topics: tuple[str, ...] = ()
    people: tuple[str, ...] = ()
    companies: tuple[str, ...] = ()
    technologies: tuple[str, ...] = ()
    sentiment: str = "neutral"


@dataclass(frozen=True, slots=True)
class Enrichment:
    """What an enricher makes of an article; `by` names the model, or `offline`."""

    summary: str
    category: str
    intent: str
    tags: Tags
    language: str
    by: str
    scores: tuple[Score, ...] = ()


@dataclass(frozen=True, slots=True)
class Item:
    """An item on its way through processing."""

    id: int
    source_id: int
    title: str
    url: str | None
    canonical_url: str | None
    author: str | None
    published_at: datetime | None
    first_seen_at: datetime
    text: str
    content_hash: str
    language: str | None
    source_title: str
    source_topics: tuple[str, ...]
    story_id: int | None
    enriched: bool
    """True for an item that only needs scores that it has not got yet."""


@dataclass(frozen=True, slots=True)
class Likeness:
    """What stories are found by."""

    canonical_url: str | None
    title: str
    text_hash: str
    simhash: int
    vector: bytes = b""


@dataclass(frozen=True, slots=True)
class StoryPlace:
    """Where an item stands in its story: the representative alone is enriched."""

    story_id: int
    representative_id: int
    settled: bool
    """The representative is `DONE`: its enrichment can be taken over."""


@dataclass(frozen=True, slots=True)
class Processed:
    """Result of processing: an enrichment, or only scores for an item that has one.

    If the text is no longer the one with this `content_hash`, it is processed again.
    """

    found: Enrichment | tuple[Score, ...]
    content_hash: str
    leader: int | None = None
    """The representative of its story, whose enrichment and scores it takes over."""


# ---- what is sent


@dataclass(frozen=True, slots=True)
class Plan:
    """When a briefing runs, in its own zone; `weekday` (0 = Monday) makes it weekly."""

    hour: int
    minute: int
    timezone: str
    weekday: int | None = None


@dataclass(frozen=True, slots=True)
class Briefing:
    id: int
    user_id: int
    title: str
    criteria: str
    plan: Plan
    recipients: tuple[str, ...]
    channels: tuple[str, ...]
    max_items: int
    min_score: int
    per_source: int
    language: str | None
    quiet_note: bool
    next_run_at: datetime
    last_slot: str | None
    manual: bool
    """A manual run was asked for and is still owed."""
    user_email: str
    user_name: str


@dataclass(frozen=True, slots=True)
class Candidate:
    """An item that a briefing weighs."""

    item_id: int
    source_id: int
    source_title: str
    story_id: int | None
    title: str
    url: str | None
    summary: str
    score: int
    reason: str
    published_at: datetime | None
    first_seen_at: datetime
    topics: tuple[str, ...] = ()
    feedback: int = 0
    image_url: str | None = None
    story_shown: bool = False
    """An earlier report of this briefing has told its story."""


@dataclass(frozen=True, slots=True)
class ReportItem:
    """A snapshot: history shows what was sent, whatever becomes of the item."""

    position: int
    item_id: int
    title: str
    url: str | None
    summary: str
    score: int
    reason: str
    source_title: str
    published_at: datetime | None = None
    also_in: tuple[str, ...] = ()
    topics: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Report:
    """What a briefing says for one slot."""

    id: int
    briefing_id: int
    briefing_title: str
    slot: str
    subject: str
    overview: str
    generated_at: datetime
    timezone: str
    language: str | None
    weighed: int
    items: tuple[ReportItem, ...] = ()
    weekly: bool = False
    broken_sources: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Envelope:
    """One report for one address by one channel: the exact bytes that go out."""

    channel: str
    address: str
    message_id: str
    content: bytes
    file_stem: str = ""


@dataclass(frozen=True, slots=True)
class Briefed:
    """Result of a briefing's run: the report with all it weighed, or the slots that were missed."""

    report: Report | None
    weighed: tuple[int, ...] = ()
    envelopes: tuple[Envelope, ...] = ()
    next_run_at: datetime | None = None
    slot: str | None = None
    missed: tuple[str, ...] = ()
    notices: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Delivery:
    """One envelope on its way."""

    id: int
    report_id: int
    channel: str
    address: str
    message_id: str
    content: bytes
    file_stem: str = ""
    attempts: int = 0


@dataclass(frozen=True, slots=True)
class Receipt:
    """Result of a send: what the other side said."""

    reply: str


# ---- what is found


@dataclass(frozen=True, slots=True)
class SearchDocument:
    """An item as the search index holds it; `mark` is the outbox mark it answers."""

    id: int
    mark: int
    source_id: int
    title: str
    summary: str
    content: str
    author: str
    topics: tuple[str, ...] = ()
    people: tuple[str, ...] = ()
    companies: tuple[str, ...] = ()
    technologies: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class SearchQuery:
    """What a reader asks; never answered beyond `user_id`'s own sources."""

    user_id: int
    text: str
    briefing_id: int | None = None
    source_id: int | None = None
    unread: bool = False
    saved: bool = False
    min_score: int | None = None
    since: datetime | None = None
    sort: str = "relevance"
    limit: int = 20
    offset: int = 0


@dataclass(frozen=True, slots=True)
class Hit:
    id: int
    title: str
    url: str | None
    summary: str
    highlight: str
    published_at: datetime | None


@dataclass(frozen=True, slots=True)
class SearchAnswer:
    backend: str
    degraded: bool
    total: int
    hits: tuple[Hit, ...] = ()
    facets: dict[str, dict[str, int]] = field(default_factory=dict)
