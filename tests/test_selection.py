"""Which candidates a briefing shows, and in which order."""

from __future__ import annotations

from datetime import UTC, timedelta
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from morningdeck.model.weighing import Candidate
from morningdeck.selection import Bounds, Selection, Tellers, select
from tests.conftest import NOW


def candidate(item_id: int, score: int = 50, **fields: Any) -> Candidate:
    """Of a source of its own, unless the fields say otherwise."""
    values: dict[str, Any] = {
        "source_id": item_id,
        "source_title": "News",
        "story_id": None,
        "title": f"Item {item_id}",
        "url": None,
        "summary": "",
        "reason": "",
        "published_at": None,
        "first_seen_at": NOW,
        "wish_id": 5,
        **fields,
    }
    return Candidate(item_id=item_id, score=score, **values)


def selected(*candidates: Candidate, tellers: Tellers | None = None, **bounds: Any) -> Selection:
    known = Bounds(**{"min_score": 0, "max_items": 10, "per_source": 3, **bounds})
    return select(candidates, known, tellers=tellers or {}, wishes=(5, 6))


def chosen(*candidates: Candidate, tellers: Tellers | None = None, **bounds: Any) -> list[int]:
    """The items of the places of the first wish."""
    found = selected(*candidates, tellers=tellers, **bounds)
    return [one.item_id for one in found.places[5]]


def test_the_best_come_first() -> None:
    assert chosen(candidate(1, 20), candidate(2, 90), candidate(3, 50)) == [2, 3, 1]


def test_of_equals_the_newest_then_the_latest_stored_comes_first() -> None:
    old = candidate(3, first_seen_at=NOW - timedelta(hours=1))

    assert chosen(old, candidate(1), candidate(2)) == [2, 1, 3]


def test_a_story_is_told_by_whom_its_summary_is_of() -> None:
    leader = candidate(1, 60, story_id=7, is_leader=True, first_seen_at=NOW - timedelta(hours=1))

    assert chosen(candidate(2, 60, story_id=7), leader, candidate(3, 60)) == [3, 1]
    assert chosen(candidate(2, 70, story_id=7), leader) == [2]


def test_what_scores_too_little_is_left_out() -> None:
    assert chosen(candidate(1, 39), candidate(2, 40), min_score=40) == [2]


def test_only_so_many_are_shown() -> None:
    assert chosen(*(candidate(number, number) for number in range(20)), max_items=2) == [19, 18]


def test_a_story_takes_one_place_told_by_its_best_item() -> None:
    told = [candidate(1, 60, story_id=7), candidate(2, 80, story_id=7), candidate(3, 70)]

    assert chosen(*told) == [2, 3]


def test_items_without_a_story_are_stories_of_their_own() -> None:
    assert chosen(candidate(1), candidate(2)) == [2, 1]


def test_a_story_that_was_told_before_is_not_told_again() -> None:
    assert chosen(candidate(1, 99, story_id=7, story_shown=True), candidate(2)) == [2]


def test_no_source_takes_more_than_its_places_while_others_could_fill_them() -> None:
    loud = [candidate(number, 90, source_id=1) for number in range(1, 6)]
    quiet = [candidate(number, 10) for number in (11, 12)]

    assert chosen(*loud, *quiet, max_items=5) == [5, 4, 3, 12, 11]


def test_places_that_nobody_else_fills_are_filled_by_rank() -> None:
    loud = [candidate(number, 90 - number, source_id=1) for number in range(1, 6)]

    assert chosen(*loud, candidate(11, 10), max_items=5) == [1, 2, 3, 4, 11]
    assert chosen(*loud, per_source=1, max_items=3) == [1, 2, 3]


def test_hidden_members_of_a_story_take_no_place_of_their_source() -> None:
    hidden = [candidate(number, 80, source_id=1, story_id=7) for number in (1, 2, 3)]
    best = candidate(9, 90, story_id=7)

    assert chosen(best, *hidden, candidate(4, 70, source_id=1), per_source=1) == [9, 4]


def test_a_cap_never_keeps_out_what_another_paper_tells_too() -> None:
    loud = [candidate(number, 90, source_id=1, story_id=number) for number in range(1, 6)]
    others = [candidate(number, 10) for number in range(11, 20)]
    tellers = {1: {1, 2}, 2: {1, 3}, 3: {1, 3}, 4: {1, 3}, 5: {1}}

    assert chosen(*loud, *others, tellers=tellers, per_source=1, max_items=6) == [
        *(5, 4, 3, 2, 1),
        19,
    ]


def test_a_story_counts_against_its_teller_with_most_room() -> None:
    first, last = candidate(1, 90, source_id=1), candidate(3, 70, source_id=1)
    shared = candidate(2, 80, source_id=1, story_id=7)
    those = (first, shared, last, candidate(4, 10))

    assert chosen(*those, per_source=2, max_items=3) == [1, 2, 4]
    assert chosen(*those, per_source=2, max_items=3, tellers={7: {2}}) == [1, 2, 3]


def test_a_week_is_spread_over_its_days_while_others_could_fill_it() -> None:
    monday = [candidate(number, 90 - number) for number in range(1, 5)]
    tuesday = candidate(9, 10, first_seen_at=NOW - timedelta(days=1))

    assert chosen(*monday, tuesday, per_day=2, max_items=3) == [1, 2, 9]
    assert chosen(*monday, per_day=2, max_items=3) == [1, 2, 3]


def test_a_story_stands_in_the_section_of_the_wish_that_it_meets_best() -> None:
    found = selected(
        candidate(1, 70, wish_id=5),
        candidate(1, 80, wish_id=6),
        candidate(2, 60, wish_id=5, story_id=7),
        candidate(3, 50, wish_id=6, story_id=7),
        candidate(4, 40, wish_id=5),
        candidate(4, 40, wish_id=6),
    )

    assert [one.item_id for one in found.places[5]] == [2, 4]
    assert [one.item_id for one in found.places[6]] == [1]


def test_a_story_that_was_told_comes_back_with_what_is_new() -> None:
    new = candidate(1, 60, story_id=7, story_shown=True, update="A second pier opens.")
    again = candidate(2, 99, story_id=7, story_shown=True)

    assert chosen(again, new) == [1]


def test_a_headline_alone_is_told_only_where_nothing_on_its_subject_is() -> None:
    merger = candidate(1, 90, subject_id=4, summary="Two fruit traders merge.")
    echo, other = candidate(2, 80, subject_id=4), candidate(3, 70, subject_id=5)
    more = candidate(4, 60, subject_id=4, summary="Its shares rose by a tenth.")

    found = selected(merger, echo, other, more)

    assert [one.item_id for one in found.places[5]] == [1, 3, 4]
    assert [(one.item_id, why.name) for one, why in found.passed_over] == [(2, "TOLD_TWICE")]


def test_one_subject_fills_no_more_than_its_share_while_others_could() -> None:
    fruit = [candidate(n, 90 - n, subject_id=4, summary="Text.") for n in range(1, 6)]
    others = [candidate(6, 50), candidate(7, 45, subject_id=5)]

    assert chosen(*fruit, *others, per_subject=2, max_items=4) == [1, 2, 6, 7]
    assert chosen(*fruit, *others, per_subject=2, max_items=5) == [1, 2, 3, 6, 7]
    assert selected(*fruit, *others, per_subject=2, max_items=4).passed_over[0][1].name == (
        "SUBJECT_FULL"
    )


def test_each_item_without_a_place_has_its_reason() -> None:
    found = selected(
        candidate(1, 90, source_id=1, story_id=7),
        candidate(2, 80, source_id=2, story_id=7),
        candidate(3, 70, source_id=1),
        candidate(4, 60, source_id=3),
        candidate(5, 50, source_id=4),
        candidate(6, 95, story_id=8, story_shown=True),
        candidate(7, 39),
        per_source=1,
        max_items=2,
        min_score=40,
    )

    assert [one.item_id for one in found.places[5]] == [1, 4]
    assert [(one.item_id, why.name) for one, why in found.passed_over] == [
        (6, "TOLD_BEFORE"),
        (2, "TOLD_TWICE"),
        (3, "SOURCE_FULL"),
        (5, "NO_PLACE"),
        (7, "OFF_SUBJECT"),
    ]
    assert [one.item_id for one in found.spare] == [3, 5]


def test_nothing_comes_of_nothing() -> None:
    assert chosen() == []


# ---- against the plain way


@st.composite
def _markets(draw: st.DrawFn) -> tuple[list[Candidate], dict[int, set[int]]]:
    """A few candidates of few stories, sources, days and scores, so that they collide."""
    found = []
    for item in range(1, draw(st.integers(0, 14)) + 1):
        story, source = draw(st.sampled_from([None, 1, 2, 3])), draw(st.integers(1, 4))
        seen = NOW - timedelta(days=draw(st.integers(0, 3)))
        subject, summary = draw(st.sampled_from([None, 1, 2])), draw(st.sampled_from(["", "It."]))
        shown = story == 3
        for wish in draw(st.sampled_from([(5,), (6,), (5, 6)])):
            fields = {"story_id": story, "source_id": source, "first_seen_at": seen}
            score = draw(st.integers(2, 6)) * 10
            update = draw(st.sampled_from(["", "New."])) if shown else ""
            leads = item == 1 and story is not None
            more = {"wish_id": wish, "story_shown": shown, "update": update, "is_leader": leads}
            more |= {"subject_id": subject, "summary": summary}
            found.append(candidate(item, score, **fields, **more))
    more_tellers = st.dictionaries(st.integers(1, 3), st.sets(st.integers(1, 4)), max_size=3)
    return found, draw(more_tellers)


def plainly(
    candidates: list[Candidate], tellers: dict[int, set[int]], bounds: Bounds
) -> dict[int, list[int]]:
    """One place after the other: look at all stories for the best that may have it."""
    left = [
        one
        for one in candidates
        if one.score >= bounds.min_score and (one.update or not one.story_shown)
    ]
    stories: dict[object, list[Candidate]] = {}
    for one in left:
        stories.setdefault(one.story_id or -one.item_id, []).append(one)
    places = []
    for members in stories.values():
        highest = max(one.score for one in members)
        equals = [one for one in members if one.score == highest]
        equals = [one for one in equals if one.is_leader] or equals
        places.append(max(equals, key=lambda one: (one.first_seen_at, one.item_id, -one.wish_id)))
    sections: dict[int, list[Candidate]] = {5: [], 6: []}
    heard: list[int | None] = [None]
    for place in sorted(places, key=_order, reverse=True):
        if place.summary or place.subject_id is None or place.subject_id not in heard:
            heard.append(place.subject_id)
            sections[place.wish_id].append(place)
    return {wish: _filled(told, tellers, bounds) for wish, told in sections.items()}


def _order(one: Candidate) -> tuple[float, float, int]:
    return (one.score, one.first_seen_at.timestamp(), one.item_id)


def _filled(told: list[Candidate], tellers: dict[int, set[int]], bounds: Bounds) -> list[int]:
    waiting = sorted(told, key=_order, reverse=True)
    used: list[tuple[int, object, int | None]] = []
    chosen: list[Candidate] = []
    held_back: list[Candidate] = []
    while waiting and len(chosen) < bounds.max_items:
        one = waiting.pop(0)
        sources = tellers.get(one.story_id or 0, set()) | {one.source_id}
        counts = {source: sum(source == each for each, *_ in used) for source in sources}
        day = one.first_seen_at.date()
        full = sources == {one.source_id} and counts[one.source_id] >= bounds.per_source
        same_day = sum(day == each for _, each, _ in used)
        crowded = bounds.per_day is not None and same_day >= bounds.per_day
        of_subject = [one for _, _, one in used if one is not None].count(one.subject_id or 0)
        crowded |= of_subject >= bounds.per_subject
        if full or crowded:
            held_back.append(one)
            continue
        roomy = [source for source in sorted(sources) if counts[source] == min(counts.values())]
        source = one.source_id if one.source_id in roomy else roomy[0]
        used.append((source, day, one.subject_id))
        chosen.append(one)
    chosen += held_back[: bounds.max_items - len(chosen)]
    return [one.item_id for one in sorted(chosen, key=_order, reverse=True)]


@settings(deadline=None, database=None)
@given(
    _markets(),
    st.builds(
        Bounds,
        min_score=st.sampled_from([0, 40]),
        max_items=st.integers(1, 5),
        per_source=st.integers(1, 3),
        per_subject=st.integers(1, 3),
        per_day=st.sampled_from([None, 1, 2]),
        days_in=st.just(UTC),
    ),
)
def test_what_is_chosen_is_what_the_plain_way_chooses(
    market: tuple[list[Candidate], dict[int, set[int]]], bounds: Bounds
) -> None:
    candidates, tellers = market
    found = select(candidates, bounds, tellers=tellers, wishes=(5, 6))

    places = {wish: [one.item_id for one in told] for wish, told in found.places.items()}
    assert places == plainly(candidates, tellers, bounds)
    shown = [item for told in places.values() for item in told]
    passed = [one.item_id for one, _ in found.passed_over]
    assert sorted((*shown, *passed)) == sorted({one.item_id for one in candidates})
