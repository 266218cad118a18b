"""The processing verb: one enrichment a story, scores for everybody, no work for nobody."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime, timedelta

import pytest

from morningdeck.model import (
    Article,
    Criteria,
    Enriched,
    Enrichment,
    Item,
    Likeness,
    Score,
    StoryRole,
    Tags,
)
from morningdeck.process import process
from morningdeck.work import Done, Ended, Failed, Job, Outcome, Postponed, Stage
from tests.conftest import NOW

ITEM = Item(
    id=4711,
    title="Harbour opens",
    url="https://news.example/1",
    canonical_url="https://news.example/1",
    author="Ada",
    published_at=NOW,
    text="x" * 5000,
    content_hash="hash",
    language=None,
    source_title="News",
    source_topics=("sea",),
    enriched=False,
)
SHIPS = Criteria(5, 1, "ships")
LEADS = StoryRole(9, ITEM.id, enriched=False)
FOLLOWS = StoryRole(9, 1, enriched=True)


class OneItem:
    """The port `ItemRows` with one item and what it must still be scored for."""

    def __init__(self, item: Item | None, criteria: tuple[Criteria, ...] = (SHIPS,)) -> None:
        self.item, self.criteria, self.is_read = item, criteria, True
        self.asked_leader: list[int | None] = []

    def load(self, item_id: int) -> Item | None:
        return self.item

    def unscored(self, item_id: int, leader: int | None) -> tuple[Criteria, ...]:
        self.asked_leader.append(leader)
        return self.criteria

    def read(self, item_id: int) -> bool:
        return self.is_read


class OneStory:
    """The port `StoryRows`: where the item stands, now or once it is assigned."""

    def __init__(self, role: StoryRole = LEADS, *, known: bool = False) -> None:
        self._role, self._known = role, known
        self.assigned: list[Likeness] = []

    def role(self, item_id: int) -> StoryRole | None:
        return self._role if self._known else None

    def assign(self, item_id: int, likeness: Likeness, now: datetime) -> StoryRole:
        self.assigned.append(likeness)
        return self._role


class Likenesses:
    """The port `Similarity`, by title."""

    def likeness(self, title: str, text: str, canonical_url: str | None, vector: bytes) -> Likeness:
        return Likeness(canonical_url, title, text, 0, vector)

    def same_story(self, one: Likeness, other: Likeness) -> bool:
        return one.title == other.title


class Counting:
    """The ports `Enricher` and `Embedder`; keeps what it was asked."""

    name = "counting"

    def __init__(self) -> None:
        self.enriched: list[Article] = []
        self.scored: list[Article] = []
        self.embedded: list[str] = []

    def enrich(self, article: Article, criteria: Sequence[Criteria]) -> Enrichment:
        self.enriched.append(article)
        return Enrichment("Short.", "news", "inform", Tags(), "en", self.name, _scores(criteria))

    def score(self, article: Article, criteria: Sequence[Criteria]) -> tuple[Score, ...]:
        self.scored.append(article)
        return _scores(criteria)

    def embed(self, texts: Sequence[str]) -> tuple[bytes, ...]:
        self.embedded += texts
        return tuple(b"vector" for _ in texts)


def _scores(criteria: Sequence[Criteria]) -> tuple[Score, ...]:
    return tuple(Score(one.briefing_id, one.version, 50, "ships", "counting") for one in criteria)


@pytest.fixture
def model() -> Counting:
    return Counting()


def outcome(
    model: Counting, items: OneItem, stories: OneStory | None = None, *, mine: bool = True
) -> Outcome:
    return process(
        Job(Stage.PROCESSING, ITEM.id, 1),
        items=items,
        stories=stories or OneStory(),
        similarity=Likenesses(),
        embedder=model,
        enricher=model,
        clock=lambda: NOW,
        still_mine=lambda job: mine,
    )


def processed(model: Counting, items: OneItem, stories: OneStory | None = None) -> Enriched:
    found = outcome(model, items, stories)
    assert isinstance(found, Done)
    assert found.wake == ("indexing",)
    assert isinstance(found.result, Enriched)
    return found.result


def test_a_story_of_its_own_is_enriched_with_all_scores_in_one_call(model: Counting) -> None:
    result = processed(model, OneItem(ITEM))

    assert isinstance(result.found, Enrichment)
    assert [score.briefing_id for score in result.found.scores] == [5]
    assert (result.content_hash, result.leader) == ("hash", None)
    assert (len(model.enriched), len(model.scored)) == (1, 0)


def test_the_enricher_is_given_all_that_is_known(model: Counting) -> None:
    processed(model, OneItem(ITEM))

    (article,) = model.enriched
    assert (article.title, article.text, article.url) == (ITEM.title, ITEM.text, ITEM.url)
    assert (article.author, article.source_title, article.source_topics) == (
        "Ada",
        "News",
        ("sea",),
    )
    assert article.vector == b"vector"


def test_only_title_and_lead_are_embedded(model: Counting) -> None:
    processed(model, OneItem(ITEM))

    assert model.embedded == ["Harbour opens\n" + "x" * 600]


def test_a_follower_takes_over_and_is_scored_only_for_what_is_missing(model: Counting) -> None:
    items = OneItem(ITEM)
    result = processed(model, items, OneStory(FOLLOWS))

    assert result.leader == 1
    assert isinstance(result.found, tuple)
    assert [score.briefing_id for score in result.found] == [5]
    assert (items.asked_leader, model.enriched) == ([1], [])


def test_h12_a_follower_without_readers_of_its_own_costs_no_call(model: Counting) -> None:
    result = processed(model, OneItem(ITEM, ()), OneStory(FOLLOWS))

    assert (result.found, result.leader) == ((), 1)
    assert (model.enriched, model.scored) == ([], [])


def test_a_follower_waits_for_its_leader_and_that_is_no_failure(model: Counting) -> None:
    waiting = replace(FOLLOWS, enriched=False)

    assert outcome(model, OneItem(ITEM), OneStory(waiting)) == Postponed(NOW + timedelta(seconds=5))
    assert (model.enriched, model.scored) == ([], [])


def test_an_item_keeps_the_story_it_has(model: Counting) -> None:
    stories = OneStory(FOLLOWS, known=True)
    processed(model, OneItem(ITEM), stories)

    assert stories.assigned == []


def test_a_new_item_is_assigned_by_its_likeness(model: Counting) -> None:
    stories = OneStory()
    processed(model, OneItem(ITEM), stories)

    (likeness,) = stories.assigned
    assert (likeness.title, likeness.canonical_url) == (ITEM.title, ITEM.canonical_url)
    assert likeness.vector == b"vector"


def test_what_was_enriched_before_only_gets_the_scores_it_misses(model: Counting) -> None:
    result = processed(model, OneItem(replace(ITEM, enriched=True)))

    assert result.found == _scores((SHIPS,))
    assert model.enriched == []


def test_what_misses_nothing_costs_no_call(model: Counting) -> None:
    assert processed(model, OneItem(replace(ITEM, enriched=True), ())).found == ()
    assert (model.enriched, model.scored) == ([], [])


def test_what_nobody_reads_any_more_is_cancelled(model: Counting) -> None:
    items = OneItem(ITEM)
    items.is_read = False

    assert outcome(model, items) == Ended("CANCELLED", "nobody reads its source any more")
    assert model.embedded == []


def test_nothing_is_enriched_under_a_lost_lease(model: Counting) -> None:
    found = outcome(model, OneItem(ITEM), mine=False)

    assert isinstance(found, Postponed)
    assert (model.enriched, model.scored) == ([], [])


def test_an_item_that_is_gone_is_not_processed(model: Counting) -> None:
    found = outcome(model, OneItem(None))

    assert isinstance(found, Failed)
    assert found.permanent
