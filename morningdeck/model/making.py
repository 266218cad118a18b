"""What is made of an item: articles, enrichments, scores, stories."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from morningdeck.model.reading import ParsedPage


@dataclass(frozen=True, slots=True)
class Profile:
    """What scores are made of: an article's words and meaning, packed as the enrichers do it."""

    language: str
    words: bytes
    meaning: bytes


@dataclass(frozen=True, slots=True)
class Article:
    """What an enricher is given: data, never instructions.

    `vector` is its embedding, little-endian float32 of unit length, empty when there is none;
    `item_id` says for which item credits are taken.
    """

    title: str
    text: str
    url: str | None = None
    author: str | None = None
    language: str | None = None
    source_title: str = ""
    source_topics: tuple[str, ...] = ()
    vector: bytes = b""
    item_id: int | None = None
    profile: Profile | None = None
    told: Enrichment | None = None
    """What the offline enricher says of this very text, its scores apart, where that is known."""
    read_as: str | None = None
    """The language of this very text, empty if nobody can tell; None where it was not read yet."""
    in_short: str | None = None
    """Its summary without a model; the same."""


@dataclass(frozen=True, slots=True)
class Criteria:
    """One briefing an item may serve: scored against `text` at `version`."""

    briefing_id: int
    version: int
    text: str
    user_id: int | None = None
    language: str | None = None
    """In which its reader wants to be told why."""


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
    title: str
    url: str | None
    canonical_url: str | None
    author: str | None
    published_at: datetime | None
    text: str
    content_hash: str
    language: str | None
    source_title: str
    source_topics: tuple[str, ...]
    done_before: bool
    """True for an item that only needs scores that it has not got yet."""
    saved: bool = False
    """A reader saved its address by hand: all that is known of it is what its page says."""
    private: bool = False
    """One reader's own: it leads no story that others tell."""
    page_read: bool = False
    """The text is that of its page."""
    first_seen_at: datetime | None = None
    has_readers: bool = True
    """Somebody reads its source."""
    has_story: bool = True


@dataclass(frozen=True, slots=True)
class Likeness:
    """What stories are found by; the numbers in bytes are little-endian."""

    canonical_url: str | None
    title: str
    text_hash: str
    simhash: int
    vector: bytes = b""
    title_words: bytes = b""
    lead_words: bytes = b""


@dataclass(frozen=True, slots=True)
class Notes:
    """What is said of an article by its text alone."""

    vector: bytes
    profile: Profile
    likeness: Likeness | None
    """None where its place among the stories is known."""
    summary: str = ""
    read_as: str = ""
    """The language of the text, where it shows."""
    told: Enrichment | None = None
    """By the offline enricher, its scores apart; None where another one is asked."""


@dataclass(frozen=True, slots=True)
class StoryMatch:
    """The stories that tell what an item tells, and the subjects that it speaks of, best first.

    Where there are several, all are one.
    """

    stories: tuple[int, ...] = ()
    subjects: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class StoryRole:
    """What an item is to its story: its leader, which alone is enriched, or another."""

    story_id: int
    leader: int | None
    """None while there are only private items, each of which is enriched for itself."""
    enriched: bool
    """The leader has been: what it got can be taken over."""
    rescores: bool = False
    """The leader is about to be scored anew."""


@dataclass(frozen=True, slots=True)
class Enriched:
    """Result of processing: an enrichment, or only scores for an item that has one.

    If the text is no longer the one with this `content_hash`, it is processed again.
    """

    found: Enrichment | tuple[Score, ...]
    content_hash: str
    leader: int | None = None
    """The item that leads its story, whose enrichment and scores it takes over."""
    page: ParsedPage | None = None
    """The article behind its link, where its source told too little."""
    profile: Profile | None = None
    own_summary: str | None = None
    """Of its own text, where all else is taken over: it stands under its own headline."""
