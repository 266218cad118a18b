"""Saving a page by hand, and reading pages and subreddits, as a user does it."""

from __future__ import annotations

from tests.journeys.conftest import Deck
from tests.servers.feeds import FeedServer, News

WORDS = "The harbour opens to ferries on Monday, the port authority said in the evening. "
MORE = "Trains wait at the quay until the last passenger has boarded, whatever the weather. "
HARBOUR = (
    "<html><head><title>Harbour opens</title><meta name=author content='Ada Lovelace'></head>"
    f"<body><article><h1>Harbour opens</h1><p>{WORDS}</p><p>{MORE}</p></article></body></html>"
).encode()


def test_a_saved_page_is_read_first(deck: Deck, site: FeedServer) -> None:
    url = site.put("/harbour", HARBOUR)

    added = deck.ask("item", "add", url)
    deck.do("run", "--once")

    shown = deck.ask("item", "show", added["id"])
    assert (added["status"], added["title"], added["saved"]) == ("NEW", url, True)
    assert (shown["status"], shown["title"]) == ("DONE", "Harbour opens")
    assert shown["author"] == "Ada Lovelace"
    assert shown["summary"]
    (hit,) = deck.ask("search", "quay")["hits"]
    assert hit["id"] == added["id"]


def test_a_saved_page_that_is_not_there_says_so_at_once(deck: Deck, site: FeedServer) -> None:
    missing = deck.ask("item", "add", site.url("/missing"))["id"]
    invalid = deck.ask("item", "add", "https://a..example/")["id"]
    assert deck.refused("item", "add", "https://not a place/")[0] == 2

    deck.do("run", "--once")

    errors = {view["id"]: view["error"] for view in deck.ask("item", "list", "--status", "ERROR")}
    assert "404" in errors[missing]
    assert "not a valid web address" in errors[invalid]
    site.put("/missing", HARBOUR)
    deck.ask("item", "retry", missing)
    deck.do("run", "--once")
    assert deck.ask("item", "show", missing)["status"] == "DONE"


def test_saving_a_page_twice_gives_one_item(deck: Deck, site: FeedServer) -> None:
    url = site.put("/harbour", HARBOUR)

    ids = {deck.ask("item", "add", each)["id"] for each in (url, f"{url}?utm_source=mail")}

    assert len(ids) == 1


def test_the_teaser_of_a_feed_is_read_in_full(deck: Deck, site: FeedServer) -> None:
    link = site.put("/harbour", HARBOUR)
    teaser = News("Harbour opens", "Ferries on Monday.", link=link)
    deck.ask("source", "add", site.publish("/a.xml", "Gazette", [teaser]))

    deck.do("run", "--once")

    (hit,) = deck.ask("search", "quay")["hits"]
    assert hit["title"] == "Harbour opens"


def test_a_page_without_a_feed_is_a_source(deck: Deck, site: FeedServer) -> None:
    titles = ("Harbour opens to the first ferries", "Grid storage auction at a record low")
    items = "".join(f"<li><a href='/{n}'>{title}</a></li>" for n, title in enumerate(titles))
    url = site.put("/news", f"<html><title>Gazette</title><ul>{items}</ul></html>".encode())

    source = deck.ask("source", "add", url, "--type", "web")
    deck.do("run", "--once")

    assert (source["type"], source["name"]) == ("web", "Gazette")
    found = {view["title"] for view in deck.ask("item", "list", "--source", source["id"])}
    assert found == set(titles)
    deck.ask("source", "refresh", source["id"])
    deck.do("run", "--once")
    assert site.served["/news", 304] == 1
