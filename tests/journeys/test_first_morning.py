"""From an empty folder to a briefing, by commands alone, as a new user goes."""

from __future__ import annotations

from datetime import timedelta
from email import message_from_bytes
from email.policy import default
from pathlib import Path

from tests.journeys.conftest import Deck
from tests.servers.feeds import FeedServer, News

WIND = News(
    "Offshore wind farm feeds its first power into the grid",
    "The wind farm off the coast has fed its first 135 megawatts into the grid, the operator"
    " said. Nine of its 74 turbines are running. The others follow by autumn.",
)
STORAGE = News(
    "Grid storage auction clears at a record low price",
    "The auction for grid storage ended at 41,300 euros a megawatt, the lowest price so far."
    " Twelve batteries with 800 megawatts won a contract for ten years.",
)
FOOTBALL = News(
    "Late goal decides the derby",
    "A goal in the last minute decided the derby in front of 30,000 people on Sunday night.",
)


def add_energy(deck: Deck) -> int:
    words = ("--criteria", "Offshore wind and grid storage", "--daily", "07:30")
    briefing = deck.ask("briefing", "add", "Energy", *words, "--timezone", "Europe/Berlin")
    return int(briefing["id"])


def test_a_feed_becomes_a_briefing_on_disk(deck: Deck, site: FeedServer) -> None:
    source = deck.ask("source", "add", site.publish("/a.xml", "Gazette", [FOOTBALL, WIND]))
    briefing = add_energy(deck)

    deck.do("run", "--once")
    report = deck.ask("briefing", "run", briefing)

    assert source["type"] == "rss"
    (delivery,) = report["deliveries"]
    assert delivery["state"] == "SENT"
    shown = deck.ask("report", "show", report["report"])
    assert shown["items"][0]["title"] == WIND.title
    mail = message_from_bytes(Path(delivery["reply"]).read_bytes(), policy=default)
    assert [part.get_content_type() for part in mail.iter_parts()] == ["text/plain", "text/html"]
    assert WIND.title in mail.get_body(("plain",)).get_content()  # type: ignore[union-attr]
    assert Path(delivery["reply"]).with_suffix(".html").exists()


def test_nothing_comes_twice_and_an_unchanged_feed_is_not_read_again(
    deck: Deck, site: FeedServer
) -> None:
    url = site.publish("/a.xml", "Gazette", [WIND])
    source = deck.ask("source", "add", url)["id"]
    briefing = add_energy(deck)
    deck.do("run", "--once")
    first = deck.ask("briefing", "run", briefing)

    deck.do("source", "refresh", source)
    deck.do("run", "--once")
    assert site.served["/a.xml", 304] == 1
    assert deck.ask("briefing", "run", briefing)["items"] == 0

    site.publish("/a.xml", "Gazette", [STORAGE, WIND])
    deck.do("source", "refresh", source)
    deck.do("run", "--once")
    second = deck.ask("briefing", "run", briefing)

    assert first["items"] == 1
    assert [one["title"] for one in deck.ask("report", "show", second["report"])["items"]] == [
        STORAGE.title
    ]


def test_what_was_read_can_be_found(deck: Deck, site: FeedServer) -> None:
    deck.ask("source", "add", site.publish("/a.xml", "Gazette", [WIND, STORAGE, FOOTBALL]))
    deck.do("run", "--once")

    answer = deck.ask("search", "megawatt* -goal")
    phrase = deck.ask("search", '"grid storage"')

    assert answer["backend"] == "database"
    assert answer["degraded"] is False
    assert [hit["title"] for hit in phrase["hits"]] == [STORAGE.title]
    assert "<mark>" in phrase["hits"][0]["highlight"]


def test_a_briefing_made_later_weighs_what_was_read_before(deck: Deck, site: FeedServer) -> None:
    deck.ask("source", "add", site.publish("/a.xml", "Gazette", [WIND, FOOTBALL]))
    deck.do("run", "--once")

    briefing = add_energy(deck)
    deck.do("run", "--once")

    report = deck.ask("report", "show", deck.ask("briefing", "run", briefing)["report"])
    assert (report["weighed"], len(report["items"])) == (2, 1)


def test_what_is_off_the_subject_stays_out_of_a_briefing_unless_it_is_asked_for(
    deck: Deck, site: FeedServer
) -> None:
    deck.ask("source", "add", site.publish("/a.xml", "Gazette", [WIND, FOOTBALL]))
    for_all = deck.ask(
        "briefing", "add", "All", "--criteria", "wind", "--daily", "08:00", "--min-score", "0"
    )

    assert deck.ask("briefing", "run", add_energy(deck))["items"] == 1
    assert deck.ask("briefing", "run", for_all["id"])["items"] == 2


def test_one_story_in_three_feeds_takes_one_place(deck: Deck, site: FeedServer) -> None:
    for name in ("Gazette", "Herald", "Courier"):
        deck.ask("source", "add", site.publish(f"/{name}.xml", name, [WIND]))
    briefing = add_energy(deck)
    deck.do("run", "--once")

    report = deck.ask("briefing", "run", briefing)

    (item,) = deck.ask("report", "show", report["report"])["items"]
    assert len(item["also_in"]) == 2


def test_status_and_queue_stats_tell_how_it_stands(deck: Deck, site: FeedServer) -> None:
    old = News("Old news", "This happened long ago and is only kept.", age=timedelta(days=30))
    deck.ask("source", "add", site.publish("/a.xml", "Gazette", [WIND, old]))
    deck.do("run", "--once")

    status = deck.ask("status")
    stats = deck.ask("queue", "stats")

    assert status["daemon"] == {"running": False, "since": None}
    assert status["queues"]["processing"]["waiting"] == 0
    lag = {"oldest_waiting_seconds": None}
    assert status["search"] == {"backend": "database", "waiting": 0, **lag}
    assert stats["processing"]["DONE"] == 2
    assert stats["fetch"] == {"IDLE": 1, "QUEUED": 0, "FETCHING": 0}
