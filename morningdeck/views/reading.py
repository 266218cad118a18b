"""Who reads, and what: users, sources, items."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from morningdeck.model.kinds import TokenScope
from morningdeck.model.making import Tags


@dataclass(frozen=True, slots=True)
class UserView:
    id: int
    email: str
    name: str
    role: str
    timezone: str
    language: str
    enabled: bool
    credits: int | None
    created_at: datetime


@dataclass(frozen=True, slots=True)
class TokenView:
    """A key to the interface, without what opens it."""

    id: int
    name: str
    scope: str
    created_at: datetime
    last_used_at: datetime | None


@dataclass(frozen=True, slots=True)
class NewTokenView(TokenView):
    """As it is told once."""

    token: str


@dataclass(frozen=True, slots=True)
class BearerView:
    """Whoever shows a token, and how far it reaches."""

    token_id: int
    scope: TokenScope
    user: UserView


@dataclass(frozen=True, slots=True)
class SessionView:
    """A login of a browser, without what opens it."""

    id: int
    created_at: datetime
    last_seen_at: datetime | None
    browser: str
    address: str


@dataclass(frozen=True, slots=True)
class VisitorView:
    """Whoever has logged in, and by which session."""

    session_id: int
    user: UserView


@dataclass(frozen=True, slots=True)
class CodeView:
    """With it an account is claimed, once, until it ends; it is told once."""

    email: str
    code: str
    expires_at: datetime
    address: str
    """Of the page that takes it."""


@dataclass(frozen=True, slots=True)
class SourceView:
    """A source as one reader subscribes to it."""

    id: int
    type: str
    url: str
    name: str
    status: str
    paused: bool
    health: str
    consecutive_failures: int
    last_error: str | None
    last_fetched_at: datetime | None
    last_success_at: datetime | None
    next_fetch_at: datetime | None
    items: int
    etag: str | None
    last_modified: str | None
    warnings: tuple[str, ...]
    topics: tuple[str, ...]
    tags: tuple[str, ...]
    refresh_seconds: int
    prompt: str
    since: datetime
    recent: tuple[int | None, ...] = ()
    """How many items each of the last 30 fetches brought, the newest last; none of what failed."""


@dataclass(frozen=True, slots=True)
class FollowedView:
    """A source of a reader, as lists of reader apps name it."""

    id: int
    type: str
    url: str
    name: str
    tags: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class NameView:
    """What something of a reader is called; a section says of which briefing it is one."""

    id: int
    name: str
    section_of: int | None = None


@dataclass(frozen=True, slots=True)
class SourceCheckView:
    """What a look at an address found."""

    type: str
    url: str
    title: str
    feed_url: str | None
    entries: int
    newest: tuple[str, ...]
    warnings: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class RejectedView:
    url: str
    reason: str


@dataclass(frozen=True, slots=True)
class ImportView:
    """What became of a list of feeds."""

    added: int
    existing: int
    rejected: tuple[RejectedView, ...] = ()


@dataclass(frozen=True, slots=True)
class ScoreView:
    briefing_id: int
    score: int
    reason: str
    by: str
    feedback: int


@dataclass(frozen=True, slots=True)
class TunedView:
    """An item, what a briefing makes of it, and what it would make of it by another wish."""

    item_id: int
    title: str
    url: str | None
    source: str
    score: int
    reason: str
    by: str
    feedback: int
    published_at: datetime | None
    outdated: bool
    """By criteria that have changed since."""
    tried_score: int | None = None
    tried_reason: str | None = None
    """Only where another wish was tried, and nothing where it is too long ago for that."""


@dataclass(frozen=True, slots=True)
class RelatedView:
    """Another story on the same subject, by the newest of its items that the reader may see."""

    id: int
    title: str
    url: str | None


@dataclass(frozen=True, slots=True)
class SimilarView:
    """Another story that an item resembles, by the nearest of its items."""

    id: int
    story_id: int | None
    title: str
    url: str | None
    source: str
    published_at: datetime | None
    closeness: int
    """0 to 100."""


@dataclass(frozen=True, slots=True)
class TopicView:
    """What several stories of two weeks turn around, by its label."""

    id: int
    label: str
    items: int
    this_week: int
    """Stories, however many tell each."""
    week_before: int | None
    """None while the reader has not read for so long."""
    moved: int | None
    period: str
    """The day on which it was found like this."""
    since: str
    """The day on which it was found first."""
    continues_id: int | None
    newest: tuple[RelatedView, ...]


@dataclass(frozen=True, slots=True)
class TellerView:
    """An item that tells a story."""

    id: int
    source_id: int
    source: str
    title: str
    url: str | None
    published_at: datetime | None
    first_seen_at: datetime


@dataclass(frozen=True, slots=True)
class StoryView:
    """A story as far as one reader's sources tell it; headline and summary are of one article."""

    id: int
    title: str
    url: str | None
    summary: str
    language: str | None
    items: int
    sources: int
    newest_at: datetime
    told_by: tuple[TellerView, ...]
    """The newest first; a few of them in a list."""


@dataclass(frozen=True, slots=True)
class ItemView:
    """An item as one reader sees it, with that reader's scores and marks."""

    id: int
    source_id: int
    source: str
    title: str
    url: str | None
    author: str | None
    image_url: str | None
    published_at: datetime | None
    first_seen_at: datetime
    status: str
    summary: str
    category: str
    intent: str
    tags: Tags
    scores: tuple[ScoreView, ...]
    story_id: int | None
    also_in: int
    attempts: int
    failures: int
    error: str | None
    read: bool
    saved: bool
    language: str | None
    see_also: tuple[RelatedView, ...] = ()
    """Only where one item is shown."""


@dataclass(frozen=True, slots=True)
class ArrivalView:
    """An item by its place in the order in which items came."""

    id: int
    source_id: int
    first_seen_at: datetime


@dataclass(frozen=True, slots=True)
class UnreadView:
    """How many items of something are unread, and when its newest came."""

    count: int
    newest_at: datetime | None


@dataclass(frozen=True, slots=True)
class BodyView:
    """The text of an item: as its source gave it (harmless HTML), and that of its page."""

    html: str
    told: str
    page: str


@dataclass(frozen=True, slots=True)
class AlsoToldView:
    """Another article on the same event, as one reader sees it."""

    id: int
    title: str
    url: str | None
    summary: str
    source: str
    at: datetime
    """When it was published, or came."""
    adds: str = ""
    """Sentences of its text that are full of facts which the item does not have."""


@dataclass(frozen=True, slots=True)
class ArticleView:
    """What an item says, and who else tells its story."""

    item_id: int
    text: str
    tellers: tuple[AlsoToldView, ...]
