"""Scores that are refined once more has been read: one number, wherever it is shown."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

import pytest
from sqlalchemy import func, select, update

from morningdeck.store.database.connect import open_database
from morningdeck.store.tables.news import item_profiles
from tests.journeys.conftest import Deck
from tests.servers.feeds import FeedServer, News

PLACES = ("Brazil", "Colombia", "Kenya", "Vietnam", "Peru", "Uganda", "Honduras", "India")
OTHERS = ("bank", "bridge", "election", "museum", "striker", "vaccine", "airline", "court")
VERBS = ("opens", "closes", "reports", "plans", "delays", "wins", "loses", "sells")


def coffee(place: str) -> News:
    return News(
        f"{place} expects a larger coffee harvest",
        f"Growers in {place} expect a larger harvest of arabica beans. Exporters sold 60,000 bags"
        " of coffee last month, and roasters pay more for each pound.",
    )


def arabica(place: str) -> News:
    """On the same subject, in other words."""
    return News(
        f"Arabica beans from {place} cost more",
        f"Roasters pay more for each pound of arabica beans from {place}. Exporters sold bags"
        " early, growers say.",
    )


def other(word: str, verb: str) -> News:
    return News(
        f"The {word} {verb} again",
        f"The {word} {verb} again on Tuesday, a speaker said. Neighbours of the {word} had waited"
        " for that since the winter.",
    )


@pytest.fixture
def news() -> list[News]:
    rest = [other(word, verb) for word in OTHERS for verb in VERBS]
    return [*map(coffee, PLACES), *rest, *map(arabica, PLACES)]


def test_lists_search_and_report_show_one_refined_score(
    deck: Deck, site: FeedServer, news: list[News], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MORNINGDECK_FETCH__FIRST_IMPORT_ITEMS", "200")
    for number in range(4):
        deck.do("source", "add", site.publish(f"/{number}.xml", f"Wire {number}", news[number::4]))
    words = ("--criteria", "Coffee: harvests and exports", "--daily", "07:30", "--max-items", "40")
    briefing = deck.ask("briefing", "add", "Coffee", *words, "--timezone", "UTC")["id"]

    deck.do("run", "--once")
    listed = {
        item["id"]: item["scores"][0]
        for item in deck.ask("item", "list", "--briefing", briefing, "--limit", 200)
    }
    found = deck.ask("search", "beans", "--min-score", 40, "--limit", 200)
    report = deck.ask("briefing", "run", briefing)["report"]
    told = deck.ask("report", "show", report)["items"]

    titles = {hit["id"]: hit["title"] for hit in found["hits"]}
    assert all(listed[item]["score"] >= 40 for item in titles)
    assert any(title.startswith("Arabica") for title in titles.values())
    assert told
    assert {one["item_id"]: one["score"] for one in told} == {
        one["item_id"]: listed[one["item_id"]]["score"] for one in told
    }
    again = {
        item["id"]: item["scores"][0]["score"]
        for item in deck.ask("item", "list", "--briefing", briefing, "--limit", 200)
    }
    assert again == {item: score["score"] for item, score in listed.items()}


def test_a_thumb_up_lifts_what_is_near_and_a_thumb_down_lowers_it(
    deck: Deck, site: FeedServer, news: list[News], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("MORNINGDECK_FETCH__FIRST_IMPORT_ITEMS", "200")
    deck.do("source", "add", site.publish("/a.xml", "Wire", news))
    words = ("--criteria", "Tea", "--daily", "07:30", "--language", "de")
    briefing = deck.ask("briefing", "add", "Tea", *words, "--timezone", "UTC")["id"]
    deck.do("run", "--once")

    def scores() -> dict[str, tuple[int, str]]:
        items = deck.ask("item", "list", "--briefing", briefing, "--limit", 200)
        ids.update({item["title"]: item["id"] for item in items})
        return {
            item["title"]: (item["scores"][0]["score"], item["scores"][0]["reason"])
            for item in items
        }

    ids: dict[str, int] = {}
    before = scores()
    liked, near = arabica("Peru").title, arabica("Kenya").title

    deck.do("item", "like", ids[liked])
    deck.do("run", "--once")
    with_thumb = scores()
    deck.ask("item", "show", ids[liked])
    deck.do("item", "dislike", ids[liked])
    deck.do("run", "--once")
    against = scores()

    assert with_thumb[near][0] > before[near][0]
    assert with_thumb[near][1] == f"ähnelt „{liked}“, was Ihnen gefiel"
    assert against[near][0] <= before[near][0]


def test_a_damaged_profile_holds_no_briefing_up(
    deck: Deck, site: FeedServer, news: list[News], database_url: str
) -> None:
    deck.do("source", "add", site.publish("/a.xml", "Wire", news[:20]))
    words = ("--criteria", "Coffee", "--daily", "07:30", "--timezone", "UTC")
    briefing = deck.ask("briefing", "add", "Coffee", *words)["id"]
    deck.do("run", "--once")
    with closing(open_database(database_url)) as database, database.write() as connection:
        first = select(func.min(item_profiles.c.item_id)).scalar_subquery()
        connection.execute(
            update(item_profiles)
            .where(item_profiles.c.item_id == first)
            .values(words=b"\1\2\3", meaning=b"\1", mark=1)
        )

    told = deck.ask("report", "show", deck.ask("briefing", "run", briefing)["report"])["items"]

    assert told


def test_a_wish_that_is_tried_scores_as_it_does_once_it_is_the_briefings(
    deck: Deck, site: FeedServer, news: list[News], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MORNINGDECK_FETCH__FIRST_IMPORT_ITEMS", "200")
    deck.do("source", "add", site.publish("/a.xml", "Wire", news))
    words = ("--criteria", "Tea", "--daily", "07:30", "--timezone", "UTC")
    briefing = deck.ask("briefing", "add", "Tea", *words)["id"]
    deck.do("run", "--once")
    wish = ("--criteria", "Coffee: harvests and exports")

    tried = deck.ask("briefing", "tune", briefing, *wish, "--limit", 200)
    _, table, _ = deck.do("briefing", "tune", briefing, *wish)
    deck.do("briefing", "edit", briefing, *wish)
    outdated = deck.ask("briefing", "tune", briefing)
    deck.do("run", "--once")
    now = deck.ask("briefing", "tune", briefing, "--limit", 200)

    assert table.splitlines()[0].split("\t")[:2] == ["score", "tried score"]
    assert all(one["outdated"] for one in outdated)
    assert {one["item_id"]: one["tried_score"] for one in tried} == {
        one["item_id"]: one["score"] for one in now
    }
    assert not any(one["outdated"] for one in now)
    assert max(one["score"] for one in now) >= 60
