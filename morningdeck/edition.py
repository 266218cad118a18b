"""What a briefing says for one slot: drawn up from the rows, without a word of its own.

    candidates --updates, told by dailies--> select --sections, what was missed--> Report

The same for a report and for a preview: nothing is marked or stored from here.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from itertools import islice
from math import ceil
from typing import TYPE_CHECKING

from morningdeck.model.sending import PassedOver, Report, WhyNot
from morningdeck.model.weighing import Candidate
from morningdeck.schedule import next_run, zone
from morningdeck.selection import (
    DAILY_WINDOW,
    WEEKLY_WINDOW,
    Bounds,
    Selection,
    places_of_searches,
    rank,
    select,
    story_of,
)
from morningdeck.snapshots import Placed, kept, left_out, snapshots
from morningdeck.updates import whats_new

if TYPE_CHECKING:
    from morningdeck.model.alerting import Found
    from morningdeck.model.sending import Briefing, Movement, Plan, Teller, ToldBefore
    from morningdeck.ports.verbs import BriefingRows

WEEK = timedelta(days=7)
MOST_OF_A_SEARCH = 50
MOST_MISSED, MOST_MOVED = 5, 6


@dataclass(frozen=True, slots=True)
class Drawn:
    """A report without its words, the scores that were weighed for it, what saved searches have
    found, and the best without a place.
    """

    report: Report
    weighed: tuple[tuple[int, int], ...]
    found: tuple[tuple[int, int], ...]
    passed_over: tuple[PassedOver, ...]


def window(plan: Plan) -> timedelta:
    """How long ago an item may have been first seen."""
    return WEEKLY_WINDOW if plan.weekly else DAILY_WINDOW


def draw_up(
    report_id: int, slot: str, briefing: Briefing, rows: BriefingRows, now: datetime
) -> Drawn:
    plan = briefing.plan
    zone(plan.timezone)  # a machine may lose one: said before anything needs it
    all_found = rows.found(briefing, now - window(plan))
    of_searches, over = places_of_searches(all_found, MOST_OF_A_SEARCH)
    candidates = _candidates(briefing, rows, now)
    told = {story_of(one.candidate) for one in of_searches}
    left = [one for one in candidates if story_of(one) not in told]
    stories = {*_stories(candidates, briefing.min_score), *_stories_found(of_searches)}
    tellers = rows.tellers(briefing.user_id, stories)
    selection = _selection(left, tellers, briefing)
    topics = rows.topics(briefing.user_id) if plan.weekly else {}
    places = _with_searches(_places(selection, left, topics, briefing), of_searches)
    twice = [(one, WhyNot.TOLD_TWICE) for one in candidates if story_of(one) in told]
    passed_over = left_out([*selection.passed_over, *over, *twice], places)
    report = Report(
        id=report_id,
        briefing_id=briefing.id,
        briefing_title=briefing.title,
        slot=slot,
        subject="",
        overview="",
        generated_at=now,
        timezone=plan.timezone,
        language=briefing.language,
        weighed=_number_of([*candidates, *(one.candidate for one in all_found)]),
        items=snapshots(places, tellers, rows, briefing.for_one_reader),
        weekly=plan.weekly,
        broken_sources=rows.broken_sources(briefing.id),
        moved=_moved(candidates, topics, briefing.min_score),
        left_out=Counter(why for _, why in passed_over),
        undelivered=rows.undelivered(briefing),
        next_run_at=next_run(plan, now),
        for_one=briefing.for_one_reader,
    )
    weighed = tuple((one.wish_id, one.item_id) for one in candidates)
    return Drawn(report, weighed, _pairs(all_found), kept(passed_over))


def draw_at_once(
    report_id: int,
    slot: str,
    briefing: Briefing,
    all_found: Sequence[Found],
    rows: BriefingRows,
    now: datetime,
) -> Drawn:
    """What a saved search has found, and nothing else."""
    found, over = places_of_searches(all_found, MOST_OF_A_SEARCH)
    tellers = rows.tellers(briefing.user_id, _stories_found(found))
    places = [Placed(one.candidate, "") for one in found]
    passed_over = left_out(over, places)
    report = Report(
        id=report_id,
        briefing_id=briefing.id,
        briefing_title=briefing.title,
        slot=slot,
        subject="",
        overview="",
        generated_at=now,
        timezone=briefing.plan.timezone,
        language=briefing.language,
        weighed=_number_of(one.candidate for one in all_found),
        items=snapshots(places, tellers, rows, briefing.for_one_reader),
        left_out=Counter(why for _, why in passed_over),
        for_one=briefing.for_one_reader,
    )
    return Drawn(report, (), _pairs(all_found), kept(passed_over))


def _number_of(candidates: Iterable[Candidate]) -> int:
    return len({one.item_id for one in candidates})


def _pairs(all_found: Iterable[Found]) -> tuple[tuple[int, int], ...]:
    return tuple((one.search_id, one.candidate.item_id) for one in all_found)


# ---- what there is to choose from


def _candidates(briefing: Briefing, rows: BriefingRows, now: datetime) -> Sequence[Candidate]:
    all_there_are = rows.candidates(briefing, now - window(briefing.plan))
    again = [one for one in all_there_are if one.story_shown and one.score >= briefing.min_score]
    before = rows.told_before(briefing, {one.story_id for one in again if one.story_id})
    found = [_with_update(one, before) for one in all_there_are]
    told = rows.told_by_dailies(briefing, now - WEEK) if briefing.plan.weekly else ()
    return [replace(one, told=story_of(one) in told) for one in found] if told else found


def _with_update(candidate: Candidate, before: Mapping[int, ToldBefore]) -> Candidate:
    """Only what came after the story was told can be news of it."""
    told = before.get(candidate.story_id or 0)
    if not candidate.story_shown or told is None or candidate.first_seen_at <= told.at:
        return candidate
    new = whats_new(candidate.summary, told.text, candidate.language)
    return replace(candidate, update=new, update_since=told.at) if new else candidate


def _stories(candidates: Iterable[Candidate], min_score: int) -> Collection[int]:
    return {one.story_id for one in candidates if one.story_id and one.score >= min_score}


def _stories_found(found: Iterable[Found]) -> Collection[int]:
    return _stories((one.candidate for one in found), 0)


# ---- what is chosen


def _selection(
    candidates: Sequence[Candidate],
    tellers: Mapping[int, Mapping[int, Teller]],
    briefing: Briefing,
) -> Selection:
    """A week is spread over its days: none has more than twice its share."""
    bounds = Bounds(
        min_score=briefing.min_score,
        max_items=briefing.max_items,
        per_source=briefing.per_source,
        per_day=ceil(2 * briefing.max_items / 7) if briefing.plan.weekly else None,
        days_in=zone(briefing.plan.timezone),
    )
    wishes = [wish.id for wish in briefing.wishes]
    new = [one for one in candidates if not one.told]
    selection = select(new, bounds, tellers=tellers, wishes=wishes)
    if len(new) == len(candidates):
        return selection
    told = [one for one in candidates if one.told]
    return _both(selection, select(told, bounds, tellers=tellers, wishes=wishes))


def _both(new: Selection, told: Selection) -> Selection:
    """Dailies take the best of each day: what they told keeps nothing else out of a weekly."""
    return Selection(
        {wish: (*places, *told.places[wish]) for wish, places in new.places.items()},
        (*new.spare, *told.spare),
        tuple(sorted((*new.passed_over, *told.passed_over), key=lambda one: rank(one[0]))),
    )


def _places(
    selection: Selection,
    candidates: Sequence[Candidate],
    topics: Mapping[int, Movement],
    briefing: Briefing,
) -> Sequence[Placed]:
    places = [
        Placed(one, wish.title) for wish in briefing.wishes for one in selection.places[wish.id]
    ]
    if not briefing.plan.weekly:
        return places
    if not briefing.sections:
        places = _by_topic([place.candidate for place in places], topics)
    return [*places, *_missed(selection, candidates)]


def _with_searches(places: Sequence[Placed], found: Iterable[Found]) -> Sequence[Placed]:
    """Each search has a section of its own, before what was missed."""
    of_searches = [Placed(one.candidate, one.title) for one in found]
    return sorted([*places, *of_searches], key=lambda place: place.missed)


def _missed(selection: Selection, candidates: Sequence[Candidate]) -> Iterator[Placed]:
    """Where dailies have told something: the best on what neither they nor the week's best tell."""
    if any(one.told for one in candidates):
        untold = _on_new_subjects(selection)
        yield from (Placed(one, "", missed=True) for one in islice(untold, MOST_MISSED))


def _on_new_subjects(selection: Selection) -> Iterator[Candidate]:
    shown = {one.subject_id for places in selection.places.values() for one in places}
    for one in selection.spare:
        if not one.told and (one.subject_id is None or one.subject_id not in shown):
            shown.add(one.subject_id)
            yield one


def _by_topic(chosen: Sequence[Candidate], topics: Mapping[int, Movement]) -> list[Placed]:
    """The best comes first, with all that shares its topics with none or was told; then each topic
    that several share, the one with the best article first.
    """
    shared = _shared_topics([one for one in chosen[1:] if not one.told], topics)
    titles = {one.item_id: "" for one in chosen[:1]} | shared
    order = {title: number for number, title in enumerate(dict.fromkeys(["", *titles.values()]))}
    places = [Placed(one, titles.get(one.item_id, "")) for one in chosen]
    return sorted(places, key=lambda place: order[place.section])


def _shared_topics(
    candidates: Sequence[Candidate], topics: Mapping[int, Movement]
) -> dict[int, str]:
    """By item, the topic that it shares with most others: one that its reader's news turns around,
    else one that the articles name.
    """
    of_news = {
        one.item_id: (topics[one.item_id].topic,)
        for one in candidates
        if one.item_id in topics and _speaks_of(one, topics[one.item_id].topic)
    }
    found = _most_shared(candidates, of_news)
    left = [one for one in candidates if one.item_id not in found]
    found |= _most_shared(left, {one.item_id: one.topics for one in left})
    spelled: dict[str, str] = {}  # "Ships" and "ships" are one section
    return {
        one.item_id: spelled.setdefault(found[one.item_id].casefold(), _title(found[one.item_id]))
        for one in candidates
        if one.item_id in found
    }


def _title(topic: str) -> str:
    """With a capital, if its first word has none: articles are tagged with "wind" and "iPhone"."""
    return topic[:1].upper() + topic[1:] if topic.partition(" ")[0].islower() else topic


def _speaks_of(candidate: Candidate, topic: str) -> bool:
    """Under a title a reader expects what has a word of it."""
    said = " ".join((candidate.title, candidate.summary, *candidate.topics)).casefold()
    return any(term in said for term in topic.casefold().split(", "))


def _most_shared(
    candidates: Sequence[Candidate], topics: Mapping[int, tuple[str, ...]]
) -> dict[int, str]:
    left, found = list(candidates), dict[int, str]()
    while True:
        counts = Counter(
            topic for one in left for topic in dict.fromkeys(topics.get(one.item_id, ()))
        )
        topic, count = next(iter(counts.most_common(1)), ("", 0))
        if count < 2:
            return found
        found |= {one.item_id: topic for one in left if topic in topics.get(one.item_id, ())}
        left = [one for one in left if one.item_id not in found]


def _moved(
    candidates: Iterable[Candidate], topics: Mapping[int, Movement], min_score: int
) -> tuple[Movement, ...]:
    """The topics of what is on the subject, the most told first, with a week before to compare."""
    served = {
        topics[one.item_id]: None
        for one in candidates
        if one.item_id in topics and one.score >= min_score
    }
    known = (one for one in served if one.before is not None and (one.stories or one.before))
    return tuple(sorted(known, key=lambda one: -one.stories)[:MOST_MOVED])
