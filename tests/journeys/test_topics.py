"""Topics: found by the daemon, seen at the command line."""

from __future__ import annotations

import pytest

from tests.journeys.conftest import Deck
from tests.journeys.test_refined import OTHERS, PLACES, VERBS, arabica, coffee, other
from tests.servers.feeds import FeedServer, News


@pytest.fixture
def news(monkeypatch: pytest.MonkeyPatch) -> list[News]:
    monkeypatch.setenv("MORNINGDECK_FETCH__FIRST_IMPORT_ITEMS", "200")
    rest = [other(word, verb) for word, verb in zip(OTHERS, VERBS * 2, strict=False)]
    return [
        *map(coffee, PLACES),
        *rest,
        *map(arabica, PLACES),
        *(other(w, "moves") for w in OTHERS),
    ]


def test_a_daemon_finds_them_once_enough_was_read(
    deck: Deck, site: FeedServer, news: list[News]
) -> None:
    deck.ask("source", "add", site.publish("/a.xml", "Wire", news))
    assert deck.ask("topics", "list") == []

    deck.do("run", "--once")

    topics = deck.ask("topics", "list")
    (one,) = [topic for topic in topics if "coffee" in topic["label"].lower()]
    assert one["items"] >= len(PLACES)
    assert one["this_week"] > 0
    assert (one["week_before"], one["moved"], one["continues_id"]) == (None, None, None)
    shown = deck.ask("topics", "show", one["id"])
    assert {story["id"] for story in one["newest"]} <= {story["id"] for story in shown["newest"]}
    _, table, _ = deck.do("topics", "list")
    assert table.splitlines()[0].split("\t") == [
        "id", "label", "this week", "week before", "moved", "newest",
    ]  # fmt: skip
    assert deck.refused("topics", "show", 99999) == (1, "morningdeck: there is no topic 99999")


def test_somebody_without_a_daemon_at_night_has_them_found_by_hand(
    deck: Deck, site: FeedServer, news: list[News], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MORNINGDECK_TOPICS__ENABLED", "false")
    deck.ask("source", "add", site.publish("/a.xml", "Wire", news))
    deck.do("run", "--once")
    assert deck.ask("topics", "list") == []

    found = deck.ask("topics", "find")
    again = deck.ask("topics", "find")

    assert found
    assert [topic["label"] for topic in again] == [topic["label"] for topic in found]
    assert deck.ask("topics", "list") == again
    deck.ask("user", "add", "bob@example.org")
    assert deck.ask("topics", "find", "--user", "bob@example.org") == []
    assert deck.ask("topics", "list", "--user", "bob@example.org") == []
