"""Other criteria for a briefing: what is recent is scored anew, each story once."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from typing import Any

import pytest

from morningdeck.store.database import migrate
from morningdeck.store.database.connect import open_database
from morningdeck.store.tables.briefs import item_scores
from morningdeck.store.tables.news import item_profiles
from tests.journeys.conftest import Deck
from tests.journeys.test_model import NEWS, PLANNED
from tests.servers.endpoint import ModelServer
from tests.servers.feeds import FeedServer

WISH = ("--criteria", "Chess federations and their players")


@pytest.fixture
def model() -> Iterator[ModelServer]:
    with ModelServer() as server:
        yield server


@pytest.fixture
def with_model(model: ModelServer, monkeypatch: pytest.MonkeyPatch) -> ModelServer:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-journey")
    monkeypatch.setenv("OPENAI_BASE_URL", model.base_url)
    monkeypatch.setenv("MORNINGDECK_ENRICHER__PREFILTER_BELOW", "0")
    return model


def scores_by_place(deck: Deck, briefing: int) -> tuple[dict[int, int], dict[int, int]]:
    """As a list has them, and as a report has."""
    listed = {
        item["id"]: item["scores"][0]["score"]
        for item in deck.ask("item", "list", "--briefing", briefing, "--limit", 200)
    }
    report = deck.ask("briefing", "run", briefing)["report"]
    told = deck.ask("report", "show", report)["items"]
    return listed, {one["item_id"]: one["score"] for one in told}


def found(deck: Deck, briefing: int, at_least: int) -> set[int]:
    words = ("--briefing", briefing, "--min-score", at_least, "--limit", 200)
    return {hit["id"] for hit in deck.ask("search", "", *words)["hits"]}


def agree(deck: Deck, briefing: int) -> None:
    """List, search and report."""
    listed, told = scores_by_place(deck, briefing)
    assert told
    assert told == {item: listed[item] for item in told}
    for at_least in (1, 40, 60):
        expected = {item for item, score in listed.items() if score >= at_least}
        assert found(deck, briefing, at_least) == expected


def test_without_a_model_list_search_and_report_show_the_new_score(
    deck: Deck, site: FeedServer
) -> None:
    deck.ask("source", "add", site.publish("/a.xml", "Gazette", NEWS))
    briefing = deck.ask("briefing", "add", "Ships", *PLANNED, "--min-score", "1")["id"]
    deck.do("run", "--once")
    before, _ = scores_by_place(deck, briefing)

    edited = deck.ask("briefing", "edit", briefing, *WISH)
    deck.do("run", "--once")

    (after,) = ({item["id"]: item["scores"] for item in deck.ask("item", "list", "--limit", 200)},)
    assert edited["criteria"] == WISH[1]
    assert {item: scores[0]["score"] for item, scores in after.items()} != before
    for at_least in (1, 40, 60):
        expected = {item for item, (one, *_) in after.items() if one["score"] >= at_least}
        assert found(deck, briefing, at_least) == expected


def test_with_a_model_each_story_is_asked_about_once_more(
    deck: Deck, site: FeedServer, with_model: ModelServer
) -> None:
    deck.ask("source", "add", site.publish("/a.xml", "Gazette", NEWS))
    for name in ("b", "c"):
        deck.ask("source", "add", site.publish(f"/{name}.xml", f"Wire {name}", [NEWS[0]]))
    briefing = deck.ask("briefing", "add", "Ships", *PLANNED, "--min-score", "1")["id"]
    deck.do("run", "--once")
    first = len(with_model.asked)

    deck.ask("briefing", "edit", briefing, *WISH)
    deck.do("run", "--once")

    again: list[dict[str, Any]] = deck.ask("item", "list", "--limit", 200)
    assert first == len(NEWS)
    assert len(with_model.asked) - first == len(NEWS)
    assert {score["by"] for item in again for score in item["scores"]} == {"gpt-4o-mini"}
    assert not any(one["outdated"] for one in deck.ask("briefing", "tune", briefing))
    agree(deck, briefing)


def test_what_an_earlier_version_scored_is_scored_as_today_after_the_upgrade(
    deck: Deck, site: FeedServer, database_url: str
) -> None:
    deck.ask("source", "add", site.publish("/a.xml", "Gazette", NEWS))
    deck.ask("briefing", "add", "Ships", *PLANNED, "--min-score", "1")
    deck.do("run", "--once")
    today = [item["scores"] for item in deck.ask("item", "list")]
    with closing(open_database(database_url)) as database:
        with database.write() as connection:
            connection.execute(item_profiles.delete())
            connection.execute(item_scores.update().values(score=99, reason="as it was"))
        migrate.downgrade(database, "0013")

    deck.do("run", "--once")

    assert [item["scores"] for item in deck.ask("item", "list")] == today
