"""What the verbs need: rows, the way out, parsers, readers, enrichers, stories, channels, an index.

What a job has found is stored by `JobStore.settle`, not by the rows.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from datetime import datetime, timedelta
from typing import Protocol

from morningdeck.model.finding import SearchAnswer, SearchDocument, SearchQuery
from morningdeck.model.making import (
    Article,
    Criteria,
    Enrichment,
    Item,
    Likeness,
    Profile,
    Score,
    StoryMatch,
    StoryRole,
)
from morningdeck.model.reading import (
    Entry,
    LinkPage,
    ListedFeed,
    Page,
    ParsedFeed,
    ParsedMail,
    ParsedPage,
    Reading,
    Source,
    Validators,
    Visit,
)
from morningdeck.model.sending import Briefing, Candidate, Delivery, Receipt

NO_VALIDATORS = Validators()


# ---- rows


class SourceRows(Protocol):
    def load(self, source_id: int) -> Source | None: ...


class ItemRows(Protocol):
    def load(self, item_id: int) -> Item | None: ...

    def unscored(self, item_id: int, leader: int | None) -> tuple[Criteria, ...]:
        """The briefings that the item serves without a current score of it or its leader."""

    def next_slot(self, item_id: int) -> datetime | None:
        """When the first of the briefings that it serves is to be written."""

    def has_readers(self, item_id: int) -> bool:
        """Does anybody read its source?"""


class StoryRows(Protocol):
    def role(self, item_id: int) -> StoryRole | None:
        """None before it has a story; it takes over from a leader that cannot lead any more."""

    def assign(
        self, item_id: int, likeness: Likeness, now: datetime, *, may_lead: bool = True
    ) -> StoryRole:
        """Find the item's story, or make it; one at a time, so that no story is made twice."""


class BriefingRows(Protocol):
    def load(self, briefing_id: int) -> Briefing | None: ...

    def candidates(self, briefing: Briefing, since: datetime) -> tuple[Candidate, ...]:
        """Scores that no report has weighed yet, of items first seen after `since`."""

    def open_report(self, briefing_id: int, slot: str | None) -> int | None:
        """Make the slot's report row, once; None when it has been written already. Without a slot,
        for a manual run, the next number is taken, or the one left unfinished.
        """

    def also_in(
        self, user_id: int, story_ids: Collection[int]
    ) -> Mapping[int, tuple[tuple[int, str], ...]]:
        """By story: (source id, name) of each of the reader's own sources that tell it."""

    def broken_sources(self, briefing_id: int) -> tuple[str, ...]: ...


# ---- reading sources


class Pace(Protocol):
    """How often, and by how many at once, a host may be asked; hosts are those of `host_of`."""

    def apart(self, host: str) -> timedelta:
        """How long after one request the next may come."""

    def enter(self, host: str, who: str, patience: timedelta | None = None) -> Visit:
        """The host is theirs until they `leave` it, or HostBusyError says when to come back.

        `who` keeps its position among those who wait, unless its patience would not last so long.
        """

    def leave(self, visit: Visit, requests: int = 1) -> None:
        """The next visit may come as long after this one as so many requests demand."""


class Http(Protocol):
    """The way out, guarded and polite: a deadline, a body cap, checked addresses, paced hosts."""

    def get(
        self,
        url: str,
        *,
        validators: Validators = NO_VALIDATORS,
        accept: str | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> Page:
        """304 is an answer; raises TransientError, PermanentError, or HostBusyError until when."""


class HttpWithForms(Http, Protocol):
    def post_form(
        self, url: str, form: Mapping[str, str], *, headers: Mapping[str, str] | None = None
    ) -> Page:
        """Send a form, once: it is neither repeated nor sent on to where a redirect leads."""


class Parser(Protocol):
    """Foreign bytes to values, in a child process with limits on time and memory."""

    def feed(self, body: bytes, *, url: str, content_type: str | None) -> ParsedFeed: ...

    def page(self, body: bytes, *, url: str, content_type: str | None) -> ParsedPage:
        """The article that a web page holds."""

    def links(self, body: bytes, *, url: str, content_type: str | None) -> LinkPage:
        """The list of articles that a web page holds."""

    def posts(self, body: bytes, *, url: str, content_type: str | None) -> tuple[Entry, ...]:
        """What a listing or feed of Reddit holds."""

    def captions(self, body: bytes, *, url: str, content_type: str | None) -> str:
        """The words of a video."""

    def opml(self, body: bytes) -> tuple[ListedFeed, ...]:
        """Each feed in the list, in its order."""

    def mail(self, body: bytes) -> ParsedMail:
        """The news in a received message."""


class RawMail(Protocol):
    """Received messages as they came, from their arrival until their items are stored."""

    def keep(self, source_id: int, uid_key: str, content: bytes) -> None:
        """Safe when this returns; a message that is kept under that key already stays as it is."""

    def unprocessed(self, source_id: int) -> tuple[int, ...]:
        """The ids of those kept, the oldest first."""

    def load(self, mail_id: int) -> bytes: ...


class SourceReader(Protocol):
    def read(self, source: Source) -> Reading: ...


class FullText(Protocol):
    def read(self, url: str) -> ParsedPage:
        """The article behind a link; HostBusyError when its server is to be asked later."""


# ---- enriching items


class Embedder(Protocol):
    """Texts to vectors of unit length (little-endian float32), locally."""

    def embed(self, texts: Sequence[str]) -> tuple[bytes, ...]: ...


class Profiler(Protocol):
    def profile(self, article: Article) -> Profile:
        """What scores can be made of again, without the article."""


class Enricher(Protocol):
    @property
    def name(self) -> str: ...

    def enrich(self, article: Article, criteria: Sequence[Criteria]) -> Enrichment:
        """Everything about the article, with one score for each of the criteria."""

    def score(self, article: Article, criteria: Sequence[Criteria]) -> tuple[Score, ...]:
        """Only scores, for an article that was enriched before."""


class Summariser(Protocol):
    def in_short(self, article: Article) -> str:
        """In the article's own words, and without a model."""


class Boilerplate(Protocol):
    def without(self, url: str | None, title: str, text: str) -> str:
        """The text without the lines that other pages of its host have as well."""


class Similarity(Protocol):
    """What stories are found by."""

    def likeness(
        self, title: str, text: str, canonical_url: str | None, vector: bytes
    ) -> Likeness: ...

    def speaks_of(self, text: str, title: str) -> bool:
        """Is that the text of something with this title?"""


class StoryWindow(Protocol):
    """The likenesses of the last days, and which story each belongs to."""

    def clear(self) -> None: ...

    def add(
        self, story_id: int, subject_id: int | None, seen_at: datetime, likeness: Likeness
    ) -> None: ...

    def merge(self, story_id: int, into: int) -> None:
        """Two stories have become one."""

    def merge_subjects(self, subject_id: int, into: int) -> None: ...

    def forget(self, before: datetime) -> None: ...

    def match(self, likeness: Likeness) -> StoryMatch:
        """Where an item with this likeness belongs."""


# ---- sending and finding


class Channel(Protocol):
    """One way to deliver. `final` is called before the point of no return; False forbids it.

    A channel that may do the same twice without harm has no such point.
    """

    def send(self, delivery: Delivery, *, final: Callable[[], bool]) -> Receipt:
        """Deliver, or raise: whatever comes before the point of no return means that nothing
        arrived, after it only NotSentError does. Anything else says that it may have arrived.
        """


class SearchIndex(Protocol):
    @property
    def name(self) -> str: ...

    def put(self, documents: Sequence[SearchDocument], gone: Sequence[int]) -> None:
        """Add or replace documents and remove those gone; returns when they can be found."""

    def clear(self) -> None: ...
    def search(self, query: SearchQuery) -> SearchAnswer: ...
