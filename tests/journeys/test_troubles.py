"""What needs somebody is said by the status, and no longer when it is over."""

from __future__ import annotations

from tests.journeys.conftest import Deck
from tests.journeys.test_saved_page import HARBOUR
from tests.servers.feeds import FeedServer


def test_a_dead_letter_is_noticed_until_it_is_tried_again(deck: Deck, site: FeedServer) -> None:
    deck.ask("item", "add", site.url("/missing"))
    deck.do("run", "--once")
    (notice,) = deck.ask("status")["notices"]
    assert "404" in notice
    assert "queue retry --all" in notice

    site.put("/missing", HARBOUR)
    deck.ask("queue", "retry", "--all")
    assert deck.ask("status")["notices"] == []
    deck.do("run", "--once")
    assert deck.ask("status")["notices"] == []
