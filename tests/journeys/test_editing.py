"""What was added can be changed: a briefing, a source, a user."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any
from zoneinfo import ZoneInfo

from tests.journeys.conftest import Deck
from tests.journeys.test_first_morning import FOOTBALL, STORAGE, WIND, add_energy
from tests.servers.feeds import FeedServer


def titles(deck: Deck, run: Any) -> set[str]:
    return {item["title"] for item in deck.ask("report", "show", run["report"])["items"]}


# ---- a briefing


def test_other_criteria_choose_anew_from_what_was_read(deck: Deck, site: FeedServer) -> None:
    deck.ask("source", "add", site.publish("/a.xml", "Gazette", [WIND, STORAGE, FOOTBALL]))
    briefing = add_energy(deck)
    deck.do("run", "--once")

    edited = deck.ask("briefing", "edit", briefing, "--criteria", "Football matches and derbies")
    before = deck.ask("briefing", "preview", briefing)
    run = deck.ask("briefing", "run", briefing)

    assert edited["criteria"] == "Football matches and derbies"
    assert (before["items"], before["unscored"]) == ([], 3)
    assert titles(deck, run) == {FOOTBALL.title}


def test_the_same_criteria_ask_for_nothing(deck: Deck, site: FeedServer) -> None:
    deck.ask("source", "add", site.publish("/a.xml", "Gazette", [WIND]))
    briefing = add_energy(deck)
    deck.do("run", "--once")

    deck.ask("briefing", "edit", briefing, "--criteria", "Offshore wind and grid storage ")

    assert deck.ask("briefing", "preview", briefing)["unscored"] == 0


def test_criteria_that_change_during_a_pause_count_when_it_ends(
    deck: Deck, site: FeedServer
) -> None:
    deck.ask("source", "add", site.publish("/a.xml", "Gazette", [WIND, FOOTBALL]))
    briefing = add_energy(deck)
    deck.do("run", "--once")

    deck.ask("briefing", "pause", briefing)
    deck.ask("briefing", "edit", briefing, "--criteria", "Football matches and derbies")
    deck.do("run", "--once")
    deck.ask("briefing", "resume", briefing)

    assert titles(deck, deck.ask("briefing", "run", briefing)) == {FOOTBALL.title}


def test_a_story_is_weighed_by_the_new_criteria_only(deck: Deck, site: FeedServer) -> None:
    for name in ("Gazette", "Herald"):
        deck.ask("source", "add", site.publish(f"/{name}.xml", name, [WIND]))
    briefing = add_energy(deck)
    deck.do("run", "--once")

    deck.ask("briefing", "edit", briefing, "--criteria", "Football matches and derbies")

    assert deck.ask("briefing", "run", briefing)["items"] == 0


def test_another_plan_moves_the_next_run(deck: Deck) -> None:
    briefing = add_energy(deck)

    edited = deck.ask("briefing", "edit", briefing, "--weekly", "fri", "--timezone", "Asia/Tokyo")

    due = datetime.fromisoformat(edited["next_run_at"]).astimezone(ZoneInfo("Asia/Tokyo"))
    assert (edited["frequency"], edited["local_time"]) == ("WEEKLY", "07:30")
    assert (due.weekday(), due.hour, due.minute) == (4, 7, 30)
    assert due > datetime.now(UTC)


def test_what_is_not_named_stays(deck: Deck, site: FeedServer) -> None:
    one = deck.ask("source", "add", site.publish("/a.xml", "Gazette", [WIND]))["id"]
    briefing = add_energy(deck)
    before = deck.ask("briefing", "show", briefing)

    words = ("--title", "Power", "--max-items", 3, "--min-score", 0, "--quiet-days", "note")
    named = {"title": "Power", "max_items": 3, "min_score": 0, "quiet_days": "note"}
    assert deck.ask("briefing", "edit", briefing, *words) == before | named

    linked = {"all_sources": False, "source_ids": [one]}
    narrow = deck.ask("briefing", "edit", briefing, "--source", one)
    assert narrow == before | named | linked
    assert deck.ask("briefing", "edit", briefing, "--all-sources") == before | named


def test_what_a_briefing_cannot_become_is_refused_and_changes_nothing(deck: Deck) -> None:
    briefing = add_energy(deck)
    before = deck.ask("briefing", "show", briefing)

    for words in (
        (),
        ("--title", " "),
        ("--at", "09:00"),
        ("--daily", "08:00", "--days", "mon-fri"),
        ("--daily", "08:00,12:30"),
        ("--timezone", "Mars/Olympus"),
        ("--title", "New", "--channel", "smtp"),
        ("--title", "New", "--to", "nobody"),
    ):
        assert deck.refused("briefing", "edit", briefing, *words)[0] == 2, words
    assert deck.refused("briefing", "edit", 99, "--title", "New")[0] == 1
    assert deck.refused("briefing", "edit", briefing, "--source", 99, "--title", "New")[0] == 1
    assert deck.ask("briefing", "show", briefing) == before
