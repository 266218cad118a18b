"""The processing verb: one enrichment a story, scores for everybody, no work for nobody."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime, timedelta

import pytest

from morningdeck.errors import EndpointHeldError
from morningdeck.model.making import Article, Criteria, Enriched, Enrichment, Item, Score, StoryRole
from morningdeck.model.reading import ParsedPage
from morningdeck.process import process
from morningdeck.stories.boilerplate import SharedLines
from morningdeck.work import Done, Ended, Failed, Job, Outcome, Postponed, Stage
from tests.conftest import NOW
from tests.fakes import (
    CountingModel,
    OneItem,
    OneStory,
    TitleSimilarity,
    notes_of,
    scores_of,
    vector_of,
)

ITEM = Item(
    id=4711,
    title="Harbour opens",
    url="https://news.example/1",
    canonical_url="https://news.example/1",
    author="Ada",
    published_at=NOW,
    text=("harbour " * 600).strip(),
    content_hash="hash",
    language=None,
    source_title="News",
    source_topics=("sea",),
    done_before=False,
)
SHIPS = Criteria(5, 1, "ships")
LEAD = "Harbour opens\n" + ("harbour " * 600)[:600]
LEADS = StoryRole(9, ITEM.id, enriched=False)
FOLLOWS = StoryRole(9, 1, enriched=True)


@pytest.fixture
def model() -> CountingModel:
    return CountingModel()


def outcome(
    model: CountingModel,
    items: OneItem,
    stories: OneStory | None = None,
    *,
    mine: bool = True,
    stand_in: CountingModel | None = None,
    patient: bool = True,
) -> Outcome:
    return process(
        Job(Stage.PROCESSING, ITEM.id, 1),
        items=items,
        stories=stories or OneStory(LEADS),
        similarity=TitleSimilarity(),
        notes=notes_of(model),
        enricher=model,
        stand_in=stand_in or model,
        boilerplate=SharedLines(),
        clock=lambda: NOW,
        still_mine=lambda job: mine,
        patient=patient,
    )


def processed(model: CountingModel, items: OneItem, stories: OneStory | None = None) -> Enriched:
    found = outcome(model, items, stories)
    assert isinstance(found, Done)
    assert found.wake == ("indexing", "refining", "alerting")
    assert isinstance(found.result, Enriched)
    return found.result


def test_a_story_of_its_own_is_enriched_with_all_scores_in_one_call(model: CountingModel) -> None:
    result = processed(model, OneItem(ITEM, (SHIPS,)))

    assert isinstance(result.found, Enrichment)
    assert [score.briefing_id for score in result.found.scores] == [5]
    assert (result.content_hash, result.leader) == ("hash", None)
    assert (len(model.enriched), len(model.scored)) == (1, 0)


def test_the_enricher_is_given_all_that_is_known(model: CountingModel) -> None:
    processed(model, OneItem(ITEM, (SHIPS,)))

    (article,) = model.enriched
    assert (article.title, article.text, article.url) == (ITEM.title, ITEM.text, ITEM.url)
    assert (article.author, article.source_title, article.source_topics) == (
        "Ada",
        "News",
        ("sea",),
    )
    assert article.vector == vector_of(LEAD)


def test_only_title_and_lead_are_embedded(model: CountingModel) -> None:
    processed(model, OneItem(ITEM, (SHIPS,)))

    assert model.embedded == [LEAD]


def test_a_follower_takes_over_and_is_scored_only_for_what_is_missing(model: CountingModel) -> None:
    items = OneItem(ITEM, (SHIPS,))
    result = processed(model, items, OneStory(FOLLOWS))

    assert result.leader == 1
    assert isinstance(result.found, tuple)
    assert [score.briefing_id for score in result.found] == [5]
    assert (items.asked_leader, model.enriched) == ([1], [])


def test_h12_a_follower_without_readers_of_its_own_costs_no_call(model: CountingModel) -> None:
    result = processed(model, OneItem(ITEM, ()), OneStory(FOLLOWS))

    assert (result.found, result.leader) == ((), 1)
    assert (model.enriched, model.scored) == ([], [])


def test_a_follower_has_a_summary_of_its_own_words(model: CountingModel) -> None:
    own = processed(model, OneItem(ITEM), OneStory(FOLLOWS)).own_summary
    assert own == f"In short: {ITEM.title}."
    assert processed(model, OneItem(ITEM), OneStory(LEADS)).own_summary is None
    again = OneItem(replace(ITEM, done_before=True))
    assert processed(model, again, OneStory(FOLLOWS)).own_summary is None


@pytest.mark.parametrize("leader", [None, 1])
def test_a_private_item_leads_nobody_and_waits_for_nobody(
    model: CountingModel, leader: int | None
) -> None:
    stories = OneStory(StoryRole(9, leader, enriched=False))

    result = processed(model, OneItem(replace(ITEM, private=True), (SHIPS,)), stories)

    assert isinstance(result.found, Enrichment)
    assert (result.leader, stories.may_lead) == (None, [False])


def test_a_private_item_takes_over_what_others_may_read(model: CountingModel) -> None:
    result = processed(model, OneItem(replace(ITEM, private=True)), OneStory(FOLLOWS))

    assert (result.leader, model.enriched) == (1, [])


def test_a_text_that_is_not_its_titles_has_no_part_in_what_it_means(model: CountingModel) -> None:
    stories = OneStory(LEADS)
    processed(model, OneItem(replace(ITEM, text="Cookies.")), stories)

    assert stories.assigned[0].vector == vector_of(ITEM.title)


def test_a_follower_waits_for_its_leader_and_that_is_no_failure(model: CountingModel) -> None:
    waiting = replace(FOLLOWS, enriched=False)

    assert outcome(model, OneItem(ITEM, (SHIPS,)), OneStory(waiting)) == Postponed(
        NOW + timedelta(seconds=5)
    )
    assert (model.enriched, model.scored) == ([], [])


def test_a_follower_waits_for_new_scores_of_its_leader_if_it_was_done_before(
    model: CountingModel,
) -> None:
    again, rescored = replace(ITEM, done_before=True), replace(FOLLOWS, rescores=True)

    waits = outcome(model, OneItem(again, (SHIPS,)), OneStory(rescored, known=True))
    assert waits == Postponed(NOW + timedelta(seconds=5))
    assert model.scored == []
    assert isinstance(outcome(model, OneItem(ITEM), OneStory(rescored, known=True)), Done)


def test_an_item_keeps_the_story_it_has(model: CountingModel) -> None:
    stories = OneStory(FOLLOWS, known=True)
    processed(model, OneItem(ITEM, (SHIPS,)), stories)

    assert stories.assigned == []


def test_a_new_item_is_assigned_by_its_likeness(model: CountingModel) -> None:
    stories = OneStory(LEADS)
    processed(model, OneItem(ITEM, (SHIPS,)), stories)

    (likeness,) = stories.assigned
    assert (likeness.title, likeness.canonical_url) == (ITEM.title, ITEM.canonical_url)
    assert likeness.vector == vector_of(LEAD)


def test_what_was_enriched_before_only_gets_the_scores_it_misses(model: CountingModel) -> None:
    result = processed(model, OneItem(replace(ITEM, done_before=True), (SHIPS,)))

    assert result.found == scores_of((SHIPS,))
    assert model.enriched == []


def test_what_misses_nothing_costs_no_call(model: CountingModel) -> None:
    assert processed(model, OneItem(replace(ITEM, done_before=True), ())).found == ()
    assert (model.enriched, model.scored) == ([], [])


def test_what_nobody_reads_any_more_is_cancelled(model: CountingModel) -> None:
    items = OneItem(ITEM, (SHIPS,))
    items.is_read = False

    assert outcome(model, items) == Ended("CANCELLED", "nobody reads its source any more")
    assert model.embedded == []


def test_nothing_is_enriched_under_a_lost_lease(model: CountingModel) -> None:
    found = outcome(model, OneItem(ITEM, (SHIPS,)), mine=False)

    assert isinstance(found, Postponed)
    assert (model.enriched, model.scored) == ([], [])


def test_an_item_that_is_gone_is_not_processed(model: CountingModel) -> None:
    found = outcome(model, OneItem(None))

    assert isinstance(found, Failed)
    assert found.permanent


# ---- while no model can be asked


class HeldModel(CountingModel):
    """Its endpoint is held for a minute."""

    def enrich(self, article: Article, criteria: Sequence[Criteria]) -> Enrichment:
        raise EndpointHeldError("model.example", NOW + timedelta(minutes=1))

    def score(self, article: Article, criteria: Sequence[Criteria]) -> tuple[Score, ...]:
        raise EndpointHeldError("model.example", NOW + timedelta(minutes=1))


def held(item: Item, slot: datetime | None) -> Outcome:
    items = OneItem(item, (SHIPS,))
    items.slot = slot
    return outcome(HeldModel(), items, stand_in=CountingModel())


@pytest.mark.parametrize("done_before", [False, True])
def test_an_item_waits_for_a_model_that_will_be_back_before_its_briefing(done_before: bool) -> None:
    found = held(replace(ITEM, done_before=done_before), NOW + timedelta(minutes=7))

    assert isinstance(found, Postponed)
    assert found.due_at == NOW + timedelta(minutes=1)


def test_no_page_is_asked_again_because_a_model_was_away() -> None:
    thin = replace(ITEM, text="Short.")
    found = held(thin, NOW + timedelta(minutes=7))

    assert isinstance(found, Postponed)
    assert found.result == ParsedPage(text="Short.")
    read = held(replace(thin, page_read=True), NOW + timedelta(minutes=7))
    assert isinstance(read, Postponed)
    assert read.result is None


@pytest.mark.parametrize("done_before", [False, True])
def test_no_briefing_waits_for_a_model(done_before: bool) -> None:
    found = held(replace(ITEM, done_before=done_before), NOW + timedelta(minutes=5))

    assert isinstance(found, Done)


def test_a_person_who_waits_waits_for_no_model() -> None:
    items = OneItem(ITEM, (SHIPS,))
    items.slot = NOW + timedelta(days=1)

    assert isinstance(outcome(HeldModel(), items, stand_in=CountingModel(), patient=False), Done)


def test_what_no_briefing_waits_for_does_not_wait_for_ever() -> None:
    old = replace(ITEM, first_seen_at=NOW - timedelta(hours=1))

    assert isinstance(held(replace(ITEM, first_seen_at=NOW), None), Postponed)
    assert isinstance(held(old, None), Done)
