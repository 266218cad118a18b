"""What is sent: briefings, candidates, reports, deliveries."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from itertools import groupby

from morningdeck.model.pictures import Picture

MAIL_ENDPOINT = "smtp"
"""The mail server, whichever it is, among the endpoints that may be held."""
AT_ONCE_SLOT = "at-once:"
"""How the slots of such reports begin; the local day and a number of that day follow."""


@dataclass(frozen=True, slots=True)
class Plan:
    """When a briefing runs, in its own zone; `weekday` (0 = Monday) makes it weekly.

    A daily one may come at `further` times of the day (hour, minute), all later than the first and
    in their order, and on some `days` of the week only; `()` are all.
    """

    hour: int
    minute: int
    timezone: str
    weekday: int | None = None
    further: tuple[tuple[int, int], ...] = ()
    days: tuple[int, ...] = ()

    @property
    def weekly(self) -> bool:
        return self.weekday is not None


@dataclass(frozen=True, slots=True)
class TitledWish:
    """What scores are by, under the title of its section."""

    id: int
    title: str


@dataclass(frozen=True, slots=True)
class Briefing:
    id: int
    user_id: int
    title: str
    plan: Plan
    recipients: tuple[str, ...]
    channels: tuple[str, ...]
    max_items: int
    min_score: int
    per_source: int
    language: str | None
    quiet_note: bool
    next_run_at: datetime
    manual: bool
    """A manual run was asked for and is still owed."""
    user_email: str
    last_slot: str | None = None
    sections: tuple[TitledWish, ...] = ()
    """Those beside its own wish."""
    at_once: bool = False
    """It only tells what one saved search has found, whenever there is something."""

    @property
    def for_one_reader(self) -> bool:
        """Who reads an address of the web, nobody knows."""
        return len(self.recipients) <= 1 and not any("://" in to for to in self.recipients)

    @property
    def wishes(self) -> tuple[TitledWish, ...]:
        """Its own first, under no title."""
        return (TitledWish(self.id, ""), *self.sections)


@dataclass(frozen=True, slots=True)
class Teller:
    """Another of the reader's sources that tells a story, and its article."""

    source: str
    url: str | None = None
    private: bool = False
    """Of a mail or a saved page: its address may be the reader's alone."""


@dataclass(frozen=True, slots=True)
class ToldBefore:
    """A story as earlier reports of a briefing have told it."""

    at: datetime
    text: str
    """What they said, and whatever the articles say that they weighed."""


@dataclass(frozen=True, slots=True)
class ReportItem:
    """A place, as a snapshot: history shows what was sent, whatever becomes of the item.

    Title, address, summary, reason and score are all of the one article.
    """

    position: int
    item_id: int
    title: str
    url: str | None
    summary: str
    score: int
    reason: str
    source_title: str
    published_at: datetime | None = None
    also_in: tuple[Teller, ...] = ()
    topics: tuple[str, ...] = ()
    section: str = ""
    """The title of its section; the first section of a daily has none."""
    language: str | None = None
    """Of the article."""
    translated: bool = False
    """It is told in the briefing's language instead, by a model."""
    minutes: int = 0
    """How long it takes to read; 0 where nobody knows."""
    private: bool = False
    """Of a mail or a saved page: its address may be the reader's alone."""
    told: bool = False
    """A daily of this week has shown its story to the reader."""
    missed: bool = False
    """The week's dailies had no place for it, nor has the weekly among its best."""
    update: str = ""
    """What is new in a story that an earlier report told, in the article's own sentences."""
    update_since: datetime | None = None
    """When that report told it."""


@dataclass(frozen=True, slots=True)
class ReportSection:
    """The places under one title, in their order."""

    title: str
    items: tuple[ReportItem, ...]


@dataclass(frozen=True, slots=True)
class Movement:
    """How many stories spoke of a topic this week, and how many in the week before: None where its
    reader has not read for so long.
    """

    topic: str
    stories: int
    before: int | None


@dataclass(frozen=True, slots=True)
class Undelivered:
    """The report before this one, which may not have arrived everywhere."""

    report_id: int
    day: str
    """The local date that it was for."""
    subject: str


class WhyNot(StrEnum):
    """Why an item that was weighed has no place."""

    OFF_SUBJECT = "off_subject"
    TOLD_TWICE = "told_twice"
    """Another article tells its story in this report."""
    TOLD_BEFORE = "told_before"
    """An earlier report has told its story, and nothing of weight is new."""
    SOURCE_FULL = "source_full"
    """Its source has all the places that one source may have."""
    SUBJECT_FULL = "subject_full"
    """Its subject has all the places that one subject may have."""
    DAY_FULL = "day_full"
    """Its day has all the places that one day of a week may have."""
    NO_PLACE = "no_place"


@dataclass(frozen=True, slots=True)
class PassedOver:
    """An item that was weighed and has no place: one of the best of them, as a snapshot."""

    position: int
    item_id: int
    title: str
    url: str | None
    source: str
    score: int
    why: WhyNot


@dataclass(frozen=True, slots=True)
class Untold:
    """Something that the user must know and that no mail has told yet."""

    notice_id: int
    text: str


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
    """The places of all sections, then what was missed."""
    weekly: bool = False
    broken_sources: tuple[str, ...] = ()
    moved: tuple[Movement, ...] = ()
    left_out: Mapping[WhyNot, int] = field(default_factory=dict)
    """How many of those weighed have no place, by reason."""
    undelivered: tuple[Undelivered, ...] = ()
    """At most one."""
    next_run_at: datetime | None = None
    is_first: bool = False
    """Its briefing has had none before."""
    untold: tuple[Untold, ...] = ()
    picture: Picture | None = None
    """Of its lead."""
    for_one: bool = False
    """Nobody reads it but whose briefing it is."""

    @property
    def lead(self) -> ReportItem | None:
        """The best that no daily has shown."""
        return next((one for one in self.items if not (one.told or one.missed)), None)

    @property
    def sections(self) -> tuple[ReportSection, ...]:
        """Those of the places that are not `missed`."""
        there = (item for item in self.items if not item.missed)
        return tuple(
            ReportSection(title, tuple(items))
            for title, items in groupby(there, key=lambda item: item.section)
        )

    @property
    def at_once(self) -> bool:
        """It tells what a saved search has found, as soon as it may."""
        return self.slot.startswith(AT_ONCE_SLOT)

    @property
    def missed(self) -> tuple[ReportItem, ...]:
        return tuple(item for item in self.items if item.missed)


@dataclass(frozen=True, slots=True)
class Rendered:
    """A report as people read it; all its mails and its page are made from these parts.

    The page holds the `picture` in itself, as nothing stands beside it.
    """

    subject: str
    text: str
    html: str
    picture: Picture | None = None


@dataclass(frozen=True, slots=True)
class Envelope:
    """One report for one address by one channel: the exact bytes that go out."""

    channel: str
    address: str
    message_id: str
    content: bytes
    file_stem: str = ""


@dataclass(frozen=True, slots=True)
class Written:
    """Result of a briefing's run: the report with all it weighed, or the slots that were missed."""

    report: Report | None
    weighed: tuple[tuple[int, int], ...] = ()
    """The scores, each by its wish and its item."""
    found: tuple[tuple[int, int], ...] = ()
    """What saved searches have found: each by its search and its item."""
    passed_over: tuple[PassedOver, ...] = ()
    rendered: Rendered | None = None
    """None when the report is sent to nobody."""
    envelopes: tuple[Envelope, ...] = ()
    next_run_at: datetime | None = None
    slot: str | None = None
    missed: tuple[str, ...] = ()


A_TEST = 0
"""The id of a delivery that has no row."""


@dataclass(frozen=True, slots=True)
class Delivery:
    """One envelope on its way; `ended` is why nothing goes there any more, if so."""

    id: int
    report_id: int
    channel: str
    address: str
    message_id: str
    content: bytes
    html: str | None = None
    """The page that `content` was made from."""
    file_stem: str = ""
    give_up_at: datetime | None = None
    ended: str | None = None


@dataclass(frozen=True, slots=True)
class Step:
    """One thing that a channel said to the other side, and what it answered.

    Secrets are masked in it; it is for whoever watches a send, and kept nowhere.
    """

    said: str
    answer: str


@dataclass(frozen=True, slots=True)
class Receipt:
    """Result of a send: what the other side said."""

    reply: str
