"""Which of its candidates a briefing shows: pure, and the same for preview and report.

    candidates --worthy--> stories, each by its best article --spread--> places, or why not

A place is one article: its headline, summary, reason and score. A story stands once, in the
section of the wish that it meets best.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta, tzinfo
from typing import TYPE_CHECKING

from morningdeck.model.sending import WhyNot

if TYPE_CHECKING:
    from morningdeck.model.alerting import Found
    from morningdeck.model.weighing import Candidate

DAILY_WINDOW = timedelta(days=7)
WEEKLY_WINDOW = timedelta(days=10)
"""The longest: an older item is in no briefing any more."""

PER_SUBJECT = 3

StoryKey = tuple[int | None, int | None]
"""Its id, or that of the only item that tells it."""
Tellers = Mapping[int, Collection[int]]
"""By story, the reader's sources that tell it."""


@dataclass(frozen=True, slots=True)
class Bounds:
    """Of each section; `per_source`, `per_subject` and `per_day` hold while others could fill the
    places.
    """

    min_score: int
    max_items: int
    per_source: int
    per_subject: int = PER_SUBJECT
    per_day: int | None = None
    days_in: tzinfo | None = None
    """Where a day of `per_day` begins."""


@dataclass(frozen=True, slots=True)
class Selection:
    """The places of each wish in their order, and all the other items with the reason why."""

    places: Mapping[int, tuple[Candidate, ...]]
    spare: tuple[Candidate, ...]
    """The stories that would be worth a place, the best first."""
    passed_over: tuple[tuple[Candidate, WhyNot], ...]
    """Each item once, the best first."""


def select(
    candidates: Iterable[Candidate],
    bounds: Bounds,
    *,
    tellers: Tellers,
    wishes: Sequence[int],
) -> Selection:
    """The best untold stories of each wish: by score, then newest; `wishes` in their order."""
    ranked = sorted(candidates, key=lambda one: (*rank(one), wishes.index(one.wish_id)))
    worthy = [one for one in ranked if is_worthy(one, bounds.min_score)]
    stories = list(_without_echoes(_one_per_story(worthy)))
    places: dict[int, tuple[Candidate, ...]] = {}
    refused: dict[StoryKey, WhyNot] = {}
    for wish in wishes:
        told = [one for one in stories if one.wish_id == wish]
        places[wish], why = _spread(told, bounds, tellers)
        refused.update(why)
    chosen = {one.item_id for told in places.values() for one in told}
    spare = tuple(one for one in stories if one.item_id not in chosen)
    left = _of_items_without(chosen, ranked)
    why_not = tuple((one, _why_not(one, bounds.min_score, refused)) for one in left)
    return Selection(places, spare, why_not)


def places_of_searches(
    found: Iterable[Found], most: int
) -> tuple[tuple[Found, ...], tuple[tuple[Candidate, WhyNot], ...]]:
    """The first `most` stories of each search, each once, and why the other items have no place.

    Whoever saved a search wants to know: neither a score nor a source keeps anything out.
    """
    places: list[Found] = []
    why_not: dict[int, tuple[Candidate, WhyNot]] = {}
    told: set[StoryKey] = set()
    taken: Counter[int] = Counter()
    for one in found:
        story, item = story_of(one.candidate), one.candidate
        if story in told:
            why_not.setdefault(item.item_id, (item, WhyNot.TOLD_TWICE))
        elif taken[one.search_id] == most:
            why_not.setdefault(item.item_id, (item, WhyNot.NO_PLACE))
        else:
            told.add(story)
            taken[one.search_id] += 1
            places.append(one)
    shown = {place.candidate.item_id for place in places}
    return tuple(places), tuple(why for item_id, why in why_not.items() if item_id not in shown)


def is_worthy(candidate: Candidate, min_score: int) -> bool:
    """On the subject, and its story untold or with something new."""
    return candidate.score >= min_score and (not candidate.story_shown or bool(candidate.update))


def rank(candidate: Candidate) -> tuple[float, float, int]:
    return (-candidate.score, -candidate.first_seen_at.timestamp(), -candidate.item_id)


def story_of(candidate: Candidate) -> StoryKey:
    """What an item tells; without a story, it tells one of its own."""
    return candidate.story_id, candidate.item_id if candidate.story_id is None else None


def _one_per_story(ranked: Sequence[Candidate]) -> list[Candidate]:
    """Of equals the leader of the story: what a model said of it was said of its own text."""
    best: dict[StoryKey, Candidate] = {}
    for candidate in ranked:
        first = best.setdefault(story_of(candidate), candidate)
        if candidate.is_leader and not first.is_leader and candidate.score == first.score:
            best[story_of(candidate)] = candidate
    return sorted(best.values(), key=rank)


def _without_echoes(ranked: Iterable[Candidate]) -> Iterator[Candidate]:
    """Of headlines alone too little is known to tell reports of one event from news of its subject,
    and most are the former: what has no text is told only where nothing on its subject is.
    """
    told: set[int] = set()
    for candidate in ranked:
        if not candidate.summary and candidate.subject_id in told:
            continue
        if candidate.subject_id is not None:
            told.add(candidate.subject_id)
        yield candidate


def _spread(
    ranked: Sequence[Candidate], bounds: Bounds, tellers: Tellers
) -> tuple[tuple[Candidate, ...], dict[StoryKey, WhyNot]]:
    """A story counts against its teller with most room; the cap of a source never keeps out what
    another tells too.
    """
    taken: Counter[int] = Counter()
    subjects: Counter[int | None] = Counter()
    days: Counter[date] = Counter()
    chosen: list[Candidate] = []
    refused: dict[StoryKey, WhyNot] = {}
    spare: list[Candidate] = []
    for candidate in ranked:
        if len(chosen) == bounds.max_items:
            refused[story_of(candidate)] = WhyNot.NO_PLACE
            continue
        sources = {candidate.source_id, *tellers.get(candidate.story_id or 0, ())}
        teller = min(sources, key=lambda one: (taken[one], one != candidate.source_id, one))
        day = candidate.first_seen_at.astimezone(bounds.days_in).date()
        full = {
            WhyNot.SOURCE_FULL: len(sources) == 1 and taken[teller] >= bounds.per_source,
            WhyNot.SUBJECT_FULL: subjects[candidate.subject_id] >= bounds.per_subject,
            WhyNot.DAY_FULL: bounds.per_day is not None and days[day] >= bounds.per_day,
        }
        if why_not := next((why for why, is_so in full.items() if is_so), None):
            refused[story_of(candidate)] = why_not
            spare.append(candidate)
            continue
        taken[teller] += 1
        subjects[candidate.subject_id] += candidate.subject_id is not None
        days[day] += 1
        chosen.append(candidate)
    for candidate in spare[: bounds.max_items - len(chosen)]:
        del refused[story_of(candidate)]
        chosen.append(candidate)
    return tuple(sorted(chosen, key=rank)), refused


def _of_items_without(chosen: Collection[int], ranked: Iterable[Candidate]) -> Iterator[Candidate]:
    """The first candidate of each other item."""
    seen = set(chosen)
    for candidate in ranked:
        if candidate.item_id not in seen:
            seen.add(candidate.item_id)
            yield candidate


def _why_not(candidate: Candidate, min_score: int, refused: Mapping[StoryKey, WhyNot]) -> WhyNot:
    if candidate.score < min_score:
        return WhyNot.OFF_SUBJECT
    if not is_worthy(candidate, min_score):
        return WhyNot.TOLD_BEFORE
    return refused.get(story_of(candidate), WhyNot.TOLD_TWICE)
