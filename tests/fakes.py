"""Small stand-ins for the ports of the verbs; test_fakes.py holds them to the ports' contracts."""

from __future__ import annotations

import math
import struct
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from hashlib import sha256

from morningdeck.errors import PermanentError
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
    Tags,
)
from morningdeck.model.reading import Page, ParsedPage, Reading, Source, Validators
from morningdeck.model.sending import Delivery, Receipt
from morningdeck.net.answers import Answer, refusal
from morningdeck.noting import NotesInPlace
from morningdeck.ports.verbs import NO_VALIDATORS
from tests.conftest import NOW

# ---- rows


class OneSource:
    """The port `SourceRows` with one source, or none."""

    def __init__(self, source: Source | None) -> None:
        self._source = source

    def load(self, source_id: int) -> Source | None:
        return self._source if self._source and self._source.id == source_id else None


class OneItem:
    """The port `ItemRows` with one item and what it must still be scored for."""

    def __init__(self, item: Item | None, criteria: tuple[Criteria, ...] = ()) -> None:
        self.item, self.criteria, self.is_read = item, criteria, True
        self.asked_leader: list[int | None] = []
        self.slot: datetime | None = None

    def load(self, item_id: int) -> Item | None:
        item = self.item if self.item and self.item.id == item_id else None
        return item and replace(item, has_readers=self.is_read)

    def unscored(self, item_id: int, leader: int | None) -> tuple[Criteria, ...]:
        self.asked_leader.append(leader)
        return self.criteria

    def next_slot(self, item_id: int) -> datetime | None:
        return self.slot if self.load(item_id) else None


class OneStory:
    """The port `StoryRows`: the role that an item has, now or once it is assigned."""

    def __init__(self, role: StoryRole, *, known: bool = False) -> None:
        self._role, self._known = role, known
        self.assigned: list[Likeness] = []
        self.may_lead: list[bool] = []

    def role(self, item_id: int) -> StoryRole | None:
        return self._role if self._known else None

    def assign(
        self, item_id: int, likeness: Likeness, now: datetime, *, may_lead: bool = True
    ) -> StoryRole:
        self.assigned.append(likeness)
        self.may_lead.append(may_lead)
        self._known = True
        return self._role


# ---- reading


class ScriptedHttp:
    """The port `Http` with its answers written down, the last for all that follow.

    Keeps what it was asked.
    """

    def __init__(self, *answers: Page | Exception) -> None:
        self._answers = list(answers)
        self.asked: list[tuple[str, Validators]] = []

    def will_say(self, answer: Page | Exception) -> None:
        self._answers.append(answer)

    def get(
        self,
        url: str,
        *,
        validators: Validators = NO_VALIDATORS,
        accept: str | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> Page:
        self.asked.append((url, validators))
        page = self._answers.pop(0) if len(self._answers) > 1 else self._answers[0]
        if isinstance(page, Exception):
            raise page
        answer = Answer(page.status, page.headers, page.body)
        if not answer.is_page:
            raise refusal("news.example", answer, lambda: NOW)
        return page


class OnePage:
    """The port `FullText` with one page, or one trouble with it."""

    def __init__(self, url: str, answer: ParsedPage | Exception) -> None:
        self.url, self.answer = url, answer
        self.asked: list[str] = []

    def read(self, url: str) -> ParsedPage:
        self.asked.append(url)
        if url != self.url:
            raise PermanentError("news.example: answered 404", status=404)
        if isinstance(self.answer, Exception):
            raise self.answer
        return self.answer


class OneReading:
    """The port `SourceReader` with its answer about one source written down."""

    def __init__(self, source_id: int, answer: Reading | Exception) -> None:
        self._source_id, self._answer = source_id, answer

    def read(self, source: Source) -> Reading:
        if source.id != self._source_id:
            raise PermanentError("news.example: answered 404", status=404)
        if isinstance(self._answer, Exception):
            raise self._answer
        return self._answer


class MailInMemory:
    """The port `RawMail`."""

    def __init__(self) -> None:
        self._kept: dict[tuple[int, str], bytes] = {}

    def keep(self, source_id: int, uid_key: str, content: bytes) -> None:
        self._kept.setdefault((source_id, uid_key), content)

    def unprocessed(self, source_id: int) -> tuple[int, ...]:
        return tuple(number for number, (of, _) in enumerate(self._kept) if of == source_id)

    def load(self, mail_id: int) -> bytes:
        return list(self._kept.values())[mail_id]


# ---- enriching


class CountingModel:
    """The ports `Enricher`, `Summariser`, `Embedder` and `Profiler`; keeps what it was asked."""

    name = "counting"

    def __init__(self) -> None:
        self.enriched: list[Article] = []
        self.scored: list[Article] = []
        self.embedded: list[str] = []

    def enrich(self, article: Article, criteria: Sequence[Criteria]) -> Enrichment:
        self.enriched.append(article)
        return Enrichment("Short.", "news", "inform", Tags(), "en", self.name, scores_of(criteria))

    def score(self, article: Article, criteria: Sequence[Criteria]) -> tuple[Score, ...]:
        self.scored.append(article)
        return scores_of(criteria)

    def profile(self, article: Article) -> Profile:
        words = f"{article.title}\n{article.text}".encode("utf-8", "replace")
        return Profile("en", sha256(words).digest(), b"")

    def in_short(self, article: Article) -> str:
        return f"In short: {article.title}."

    def read_as(self, article: Article) -> str:
        return "en"

    def embed(self, texts: Sequence[str]) -> tuple[bytes, ...]:
        self.embedded += texts
        return tuple(vector_of(text) for text in texts)


def scores_of(criteria: Sequence[Criteria]) -> tuple[Score, ...]:
    """As `CountingModel` gives them."""
    return tuple(Score(one.briefing_id, one.version, 50, "ships", "counting") for one in criteria)


def vector_of(text: str) -> bytes:
    """As `CountingModel` gives it: another one for every text."""
    if not text.strip():
        return b""
    numbers = [byte + 1 for byte in sha256(text.encode("utf-8", "replace")).digest()[:4]]
    length = math.hypot(*numbers)
    return struct.pack("<4f", *(number / length for number in numbers))


class TitleSimilarity:
    """The port `Similarity`, by title."""

    def likeness(self, title: str, text: str, canonical_url: str | None, vector: bytes) -> Likeness:
        return Likeness(canonical_url, title, text, 0, vector)

    def speaks_of(self, text: str, title: str) -> bool:
        return any(word in text.casefold() for word in title.casefold().split())


def notes_of(model: CountingModel) -> NotesInPlace:
    return NotesInPlace(
        similarity=TitleSimilarity(), embedder=model, profiler=model, summariser=model
    )


class TitleWindow:
    """The port `StoryWindow`: titles with a word in common tell one story."""

    def __init__(self) -> None:
        self.clear()

    def clear(self) -> None:
        self._known: list[TitledItem] = []

    def add(
        self, story_id: int, subject_id: int | None, seen_at: datetime, likeness: Likeness
    ) -> None:
        words = frozenset(likeness.title.split())
        self._known.append(TitledItem(story_id, subject_id or 0, seen_at, words))

    def merge(self, story_id: int, into: int) -> None:
        self._known = [
            replace(one, story=into) if one.story == story_id else one for one in self._known
        ]

    def merge_subjects(self, subject_id: int, into: int) -> None:
        self._known = [
            replace(one, subject=into) if one.subject == subject_id else one for one in self._known
        ]

    def forget(self, before: datetime) -> None:
        self._known = [one for one in self._known if one.seen_at >= before]

    def match(self, likeness: Likeness) -> StoryMatch:
        words = set(likeness.title.split())
        near = [one for one in self._known if words & one.words]
        found = (dict.fromkeys(one.story for one in near), dict.fromkeys(o.subject for o in near))
        return StoryMatch(*map(tuple, found))


@dataclass(frozen=True)
class TitledItem:
    story: int
    subject: int
    seen_at: datetime
    words: frozenset[str]


# ---- sending


class Letterbox:
    """The port `Channel`; keeps what it was allowed to, and says whether it was."""

    def __init__(self) -> None:
        self.letters: list[Delivery] = []

    def send(self, delivery: Delivery, *, final: Callable[[], bool]) -> Receipt:
        if not final():
            return Receipt("forbidden")
        self.letters.append(delivery)
        return Receipt("allowed")
