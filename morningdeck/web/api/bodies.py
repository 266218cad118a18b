"""What the bodies of requests may say; what is left out, or null, is not said."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

from morningdeck.errors import ConfigError
from morningdeck.model.wanting import ON_THE_SUBJECT
from morningdeck.web.answers import RowId

MOST_ITEMS_AT_ONCE = 10_000

LongText = Annotated[str, Field(max_length=100_000)]
ShortText = Annotated[str, Field(max_length=2_000)]
ShortTexts = Annotated[list[ShortText], Field(max_length=1_000)]
Ids = Annotated[list[RowId], Field(max_length=MOST_ITEMS_AT_ONCE)]
ScoreNumber = Annotated[int, Field(ge=0, le=100)]
ItemCount = Annotated[int, Field(ge=1, le=100)]
OnQuietDays = Literal["skip", "note"]


class Body(BaseModel):
    model_config = ConfigDict(extra="forbid")

    @property
    def says_something(self) -> bool:
        return any(getattr(self, name) is not None for name in self.model_fields_set)

    def check_says_something(self) -> None:
        if not self.says_something:
            raise ConfigError(f"say what to change: {', '.join(type(self).model_fields)}")


class SourceToAdd(Body):
    url: ShortText = Field(examples=["https://example.org/feed.xml"])
    type: ShortText | None = Field(
        None, description="rss, web, reddit or email; rss unless it shows."
    )
    name: ShortText = ""
    topics: ShortTexts = []
    prompt: LongText = ""
    every: ShortText | None = Field(None, description="How often it is read.", examples=["15m"])
    briefing: Ids = Field([], description="Briefings that take its items.")
    check: bool = Field(True, description="Read it first, and refuse what is no source.")


class SourceEdit(Body):
    name: ShortText | None = Field(None, examples=["Harbour news"])
    topics: ShortTexts | None = None
    tags: ShortTexts | None = Field(None, description="Its folders in a list of feeds.")
    prompt: LongText | None = None
    every: ShortText | None = None


class PageToSave(Body):
    url: ShortText = Field(examples=["https://example.org/an-article"])


class ItemMarks(Body):
    read: bool | None = Field(None, examples=[True])
    saved: bool | None = None
    feedback: Literal[-1, 0, 1] | None = Field(None, description="A thumb down, none, or up.")


class ItemsRead(Body):
    """Either `ids`, or `before` with or without a `source`."""

    ids: Ids | None = Field(None, examples=[[17, 18]])
    before: datetime | None = Field(None, description="All that is no newer than that.")
    source: RowId | None = None


class BriefingToAdd(Body):
    """As the options of `briefing add`."""

    title: LongText = Field(examples=["Morning"])
    criteria: LongText = Field(examples=["ships and harbours"])
    daily: ShortText | None = Field(None, examples=["08:00,18:00"])
    weekly: ShortText | None = Field(None, description="A day of the week; with `at`.")
    at: ShortText | None = None
    days: ShortText | None = Field(None, description="With `daily`: mon-fri, or mon,wed.")
    timezone: ShortText | None = Field(None, examples=["Europe/Berlin"])
    to: ShortTexts = []
    channel: ShortTexts = []
    source: Ids = []
    section: ShortTexts = Field([], description='Each "TITLE: WISH".')
    max_items: ItemCount = 10
    min_score: ScoreNumber = ON_THE_SUBJECT
    quiet_days: OnQuietDays = "skip"
    language: ShortText | None = None
    ping: ShortText | None = None


class BriefingEdit(Body):
    """As the options of `briefing edit`; an empty `source` means all, no `section` none."""

    title: LongText | None = Field(None, examples=["Evening"])
    criteria: LongText | None = None
    daily: ShortText | None = None
    weekly: ShortText | None = None
    at: ShortText | None = None
    days: ShortText | None = None
    timezone: ShortText | None = None
    to: ShortTexts | None = None
    channel: ShortTexts | None = None
    source: Ids | None = None
    section: ShortTexts | None = None
    max_items: ItemCount | None = None
    min_score: ScoreNumber | None = None
    quiet_days: OnQuietDays | None = None
    language: ShortText | None = None
    ping: ShortText | None = None


class FeedToOpen(Body):
    rotate: bool = Field(False, description="End the address that it has, and make a new one.")


class WhereToSend(Body):
    to: ShortText | None = Field(None, description="Only to this one of its addresses.")
