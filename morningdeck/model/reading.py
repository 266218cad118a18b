"""What is read: sources, pages, feeds and their entries."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from enum import StrEnum

from morningdeck.model.kinds import Health

LONG_AGO = datetime.min.replace(tzinfo=UTC)
_OF_A_HEADER = re.compile(r"[ -~\xa0-\xff]{1,1024}")


@dataclass(frozen=True, slots=True)
class Source:
    """What is fetched, once for all who read it."""

    id: int
    type: str
    url: str
    title: str = ""
    etag: str | None = None
    last_modified: str | None = None
    refresh: timedelta = timedelta(minutes=15)
    first_import: bool = True
    health: Health = Health.ACTIVE
    moving: bool = False
    """Its server has lately said that it is elsewhere for good."""
    rhythm: timedelta | None = None
    """How often it brought news when it was last looked at."""
    to_ask: tuple[str, ...] = ()
    """The addresses that its last visit has left over, the next one first."""
    prompt: str = ""
    """What of a page its reader wants."""


@dataclass(frozen=True, slots=True)
class Validators:
    """What a server gave us to ask "anything new?" with, byte for byte."""

    etag: str | None = None
    last_modified: str | None = None

    @classmethod
    def of(cls, headers: Mapping[str, str]) -> Validators:
        return cls(headers.get("etag"), headers.get("last-modified")).to_send

    @property
    def to_send(self) -> Validators:
        """Without what no request can carry: control characters, and more than a line or two."""
        return Validators(_as_header(self.etag), _as_header(self.last_modified))


def _as_header(value: str | None) -> str | None:
    return value if value and _OF_A_HEADER.fullmatch(value) else None


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

    @property
    def content_type(self) -> str | None:
        return self.headers.get("content-type")

    def moved_from(self, url: str) -> str | None:
        """Where what was asked for at that address is for good, None if it is still there."""
        return self.permanent_url if self.permanent_url != url else None


@dataclass(frozen=True, slots=True)
class Visit:
    """A request to a host under its pace, with its quick retries and redirects within the host."""

    host: str
    until: datetime | None = None
    """When it is over even if nobody says so; None where no pace is kept."""


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
    canonical_url: str | None = None
    content_hash: str = ""
    language: str | None = None
    """What its feed says that it is in: often that of a template."""


@dataclass(frozen=True, slots=True)
class ParsedFeed:
    """A feed as the parser understood it: entries in the feed's own order."""

    title: str = ""
    entries: tuple[Entry, ...] = ()
    ttl: timedelta | None = None
    """The longest of what the feed itself asks for (ttl, sy:updatePeriod)."""
    warnings: tuple[str, ...] = ()
    whole: bool = True
    """False where it was guessed what broken XML was to hold: there may be more."""
    feed_links: tuple[str, ...] = ()
    """Feeds that an HTML page names; entries are empty then."""


@dataclass(frozen=True, slots=True)
class ListedFeed:
    """What a list of feeds says of one of them; other kinds of sources only ours name."""

    url: str
    title: str = ""
    folders: tuple[str, ...] = ()
    type: str = "rss"
    prompt: str = ""


THIN_CHARACTERS = 2000
"""A shorter text is taken for a teaser: its page is asked for the rest, then that page's video."""


@dataclass(frozen=True, slots=True)
class ParsedPage:
    """One article as its page shows it, without what stands around it."""

    title: str = ""
    author: str | None = None
    image_url: str | None = None
    published_at: datetime | None = None
    canonical_url: str | None = None
    """The one address that the page itself gives for all its own."""
    html: str = ""
    text: str = ""
    captions_url: str | None = None
    """Where the words of its video stand."""


@dataclass(frozen=True, slots=True)
class LinkPage:
    """A page that leads to news: its list of articles, in the page's order."""

    title: str
    digest: str
    """Differs when the page's visible text does."""
    entries: tuple[Entry, ...] = ()
    others: tuple[Entry, ...] = ()
    """Where else it leads, but for the furniture of its site."""


@dataclass(frozen=True, slots=True)
class MailLine:
    """One line of a mail, as much of it as tells what it is."""

    text: str
    linked: bool = False
    heading: bool = False


@dataclass(frozen=True, slots=True)
class ChosenStory:
    """One piece of news of a mail, by the numbers of its lines."""

    title: int
    last: int
    link: int | None = None
    """Whose link leads to it; None for that of its headline, or the first that stands alone."""


@dataclass(frozen=True, slots=True)
class ParsedMail:
    """A message as the parser understood it; one that is no news has no entries."""

    sender: str = ""
    """The address, in lower case."""
    sender_name: str = ""
    sent_at: datetime | None = None
    entries: tuple[Entry, ...] = ()
    lines: tuple[MailLine, ...] = ()
    """Of a letter that may hold several pieces of news, for whoever can choose among them."""
    to_confirm: str | None = None
    """How to confirm the subscription that the sender asks about: a link, if there is one."""


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
    to_ask: tuple[str, ...] = ()
    """Addresses that are to be asked before it is complete; each is a visit of its own."""
    warnings: tuple[str, ...] = ()
    raw_mails: tuple[int, ...] = ()
    """The kept messages that are in the entries now, and need not be kept any longer."""


@dataclass(frozen=True, slots=True)
class Fetched:
    """Result of a fetch: a reading, and how it is to be kept."""

    reading: Reading
    rhythm: timedelta | None = None
    apart: timedelta = timedelta(0)
    steady: bool = False
    """It was well before, and its server says that it is still there."""
    import_limit: int | None = None
    """On a first import: how many entries, the newest of the last days, are enriched."""
    import_since: datetime | None = None

    def to_enrich(self, entries: Sequence[Entry]) -> frozenset[str]:
        """The guids of all of them; on a first import, of the newest few of the last days."""
        if self.import_limit is None:
            return frozenset(entry.guid for entry in entries)
        since = self.import_since
        recent = [
            entry
            for entry in entries
            if entry.published_at is None or since is None or entry.published_at >= since
        ]
        newest = sorted(recent, key=lambda entry: entry.published_at or LONG_AGO, reverse=True)
        return frozenset(entry.guid for entry in newest[: self.import_limit])


@dataclass(frozen=True, slots=True)
class FetchTrouble:
    """Result of a failed fetch: what the source's readers are shown."""

    health: Health
    tell: str | None = None
    apart: timedelta = timedelta(0)


@dataclass(frozen=True, slots=True)
class Spaced:
    """Result of a fetch that only says when: this far from the others of its host."""

    apart: timedelta


ASKED_TO_LEAVE = "its reader has unsubscribed"
"""The reason for which an address is ended that its reader has ended."""


class BounceKind(StrEnum):
    """What a mail that came back says of its address."""

    NONE = "none"
    """It is no bounce."""
    TROUBLE = "trouble"
    """It may be reached another time, or by another letter."""
    DEAD = "dead"
    LEFT = "left"
    """Its reader has asked for no more."""


@dataclass(frozen=True, slots=True)
class Bounce:
    """Result of reading a mail of the mailbox for bounces."""

    kind: BounceKind = BounceKind.NONE
    status: str = ""
    """As RFC 3463 has it, e.g. 5.1.1; empty where it names none."""
    reason: str = ""
    message_ids: tuple[str, ...] = ()
    """Of mails that it speaks of, without their brackets."""
    recipient: str = ""
    """Whom it speaks of, where it names no mail and just one address."""
