"""What the verbs need: rows, the way out, parsers, readers, enrichers, stories, channels, an index.

What a job has found is stored by `JobStore.settle`, not by the rows.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from datetime import date, datetime, timedelta
from typing import Protocol

from morningdeck.model.alerting import Found
from morningdeck.model.finding import SearchAnswer, SearchDocument, SearchQuery
from morningdeck.model.making import (
    Article,
    Criteria,
    Enrichment,
    Item,
    Likeness,
    Notes,
    Profile,
    Score,
    StoryMatch,
    StoryRole,
)
from morningdeck.model.reading import (
    Bounce,
    ChosenStory,
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
from morningdeck.model.sending import (
    Briefing,
    Delivery,
    Movement,
    Receipt,
    Teller,
    ToldBefore,
    Undelivered,
    Untold,
)
from morningdeck.model.weighing import Candidate

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

    def found(self, briefing: Briefing, since: datetime) -> tuple[Found, ...]:
        """What its saved searches have found and no report has weighed, of items first seen after
        `since`: in the order in which the searches were saved, the newest first.
        """

    def open_at_once(self, briefing: Briefing, day: date, most: int) -> int | None:
        """Make the row of a report that goes out at once; None if its user had `most` that day."""

    def open_report(self, briefing_id: int, slot: str | None) -> int | None:
        """Make the slot's report row, once; None when it has been written already. Without a slot,
        for a manual run, the next number is taken, or the one left unfinished.
        """

    def tellers(
        self, user_id: int, story_ids: Collection[int]
    ) -> Mapping[int, Mapping[int, Teller]]:
        """By story, each of the reader's own sources that tell it, by the source's id."""

    def minutes(self, item_ids: Collection[int]) -> Mapping[int, int]:
        """How long each takes to read; 0 where only a little of it is known."""

    def told_before(
        self, briefing: Briefing, story_ids: Collection[int]
    ) -> Mapping[int, ToldBefore]:
        """What its reports of the same kind, daily or weekly, have told of these stories."""

    def told_by_dailies(
        self, briefing: Briefing, since: datetime
    ) -> Collection[tuple[int | None, int | None]]:
        """The stories, or else the items, that its readers had in a daily since then."""

    def topics(self, user_id: int) -> Mapping[int, Movement]:
        """By item, the topic that it belongs to; those found last, of the last two weeks."""

    def undelivered(self, briefing: Briefing) -> tuple[Undelivered, ...]:
        """Its last report that went out, if that may not have arrived everywhere."""

    def broken_sources(self, briefing_id: int) -> tuple[str, ...]: ...

    def has_reports(self, briefing_id: int) -> bool: ...

    def untold(self, user_id: int) -> tuple[Untold, ...]:
        """The oldest of the user's open notices that no mail has told."""


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


class Poster(Protocol):
    """The way out for what is sent on purpose: guarded, with a deadline, never repeated."""

    def post(
        self,
        url: str,
        body: bytes,
        *,
        headers: Mapping[str, str],
        last_step: Callable[[], bool] = lambda: True,
    ) -> Page | None:
        """Send it; `last_step` is asked right before the last byte, None if it forbids that.

        Any status is an answer, redirects are not followed. NotSentError where the last byte was
        allowed and did not arrive. After any other error it may have, if `last_step` was asked.
        """


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

    def mail(self, body: bytes, chosen: Sequence[ChosenStory] = ()) -> ParsedMail:
        """The news in a received message, as `chosen` among its lines, else as it looks."""

    def bounce(self, body: bytes) -> Bounce:
        """What a mail server says in it of an address that it could not reach."""


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

    def read_as(self, article: Article) -> str:
        """The language that the text is in; empty where nobody can tell."""


class NoteTaker(Protocol):
    def take(self, article: Article, address: str | None, *, place: bool, tell: bool) -> Notes:
        """`place`: what its story is found by; `tell`: a summary at least. Whoever dies of it is
        replaced; TransientError where an article is to blame.
        """


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
