"""What was added can be changed: a briefing, a source, a user."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
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


def test_all_items_of_a_story_get_the_new_score_of_the_one_that_leads(
    deck: Deck, site: FeedServer
) -> None:
    for name in ("Gazette", "Herald"):
        deck.ask("source", "add", site.publish(f"/{name}.xml", name, [WIND]))
    briefing = add_energy(deck)
    deck.do("run", "--once")

    deck.ask("briefing", "edit", briefing, "--criteria", "Football matches and derbies")
    run = deck.ask("briefing", "run", briefing)

    assert (run["items"], deck.ask("report", "show", run["report"])["weighed"]) == (0, 2)


def test_another_plan_moves_the_next_run(deck: Deck) -> None:
    briefing = add_energy(deck)

    edited = deck.ask("briefing", "edit", briefing, "--weekly", "fri", "--timezone", "Asia/Tokyo")

    due = datetime.fromisoformat(edited["next_run_at"]).astimezone(ZoneInfo("Asia/Tokyo"))
    assert (edited["frequency"], edited["local_time"]) == ("WEEKLY", "07:30")
    assert (due.weekday(), due.hour, due.minute) == (4, 7, 30)
    assert due > datetime.now(UTC)


def test_what_a_daily_loses_that_becomes_a_weekly_is_said(deck: Deck) -> None:
    briefing = add_energy(deck)
    deck.ask("briefing", "edit", briefing, "--daily", "07:30,12:00,18:00", "--days", "mon,tue")

    said = deck.do("briefing", "edit", briefing, "--weekly", "fri")[2]
    again = deck.do("briefing", "edit", briefing, "--weekly", "sat")[2]

    assert said == "it comes once a week now, not at 12:00, 18:00 and not on mon, tue any more\n"
    assert again == ""


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
        ("--weekly", "fri", "--at", "08:00", "--days", "mon-fri"),
        ("--daily", "08:00,noon"),
        ("--timezone", "Mars/Olympus"),
        ("--title", "New", "--channel", "smtp"),
        ("--title", "New", "--to", "nobody"),
    ):
        assert deck.refused("briefing", "edit", briefing, *words)[0] == 2, words
    assert deck.refused("briefing", "edit", 99, "--title", "New")[0] == 1
    assert deck.refused("briefing", "edit", briefing, "--source", 99, "--title", "New")[0] == 1
    assert deck.ask("briefing", "show", briefing) == before


# ---- a source


def test_a_source_gets_a_name_topics_and_an_interval_of_its_own(
    deck: Deck, site: FeedServer
) -> None:
    source = deck.ask("source", "add", site.publish("/a.xml", "Gazette", [WIND]))["id"]
    deck.do("run", "--once")
    late = datetime.now(UTC) + timedelta(minutes=2)

    named = deck.ask("source", "edit", source, "--name", "Paper", "--topic", "a", "--topic", "b")
    often = deck.ask("source", "edit", source, "--every", "1m", "--tag", "Town")

    assert (named["name"], named["topics"], named["refresh_seconds"]) == ("Paper", ["a", "b"], 900)
    assert (often["name"], often["refresh_seconds"]) == ("Paper", 60)
    assert often["tags"] == ["Town"]
    assert datetime.fromisoformat(named["next_fetch_at"]) > late
    assert datetime.fromisoformat(often["next_fetch_at"]) < late
    assert deck.ask("source", "edit", source, "--name", "")["name"] == "Gazette"


def test_a_page_is_looked_at_anew_by_another_prompt(deck: Deck) -> None:
    words = ("--type", "web", "--no-check", "--prompt")
    page = "https://example.org/news"
    source = deck.ask("source", "add", page, *words, "ships")["id"]
    deck.ask("source", "add", page, *words, "trains")

    assert deck.ask("source", "edit", source, "--prompt", "ferries")["prompt"] == "ferries"
    code, why = deck.refused("source", "edit", source, "--prompt", "trains")
    assert (code, "is a source already" in why) == (1, True)

    deck.ask("user", "add", "bob@example.org")
    deck.ask("source", "add", page, *words, "ferries", "--user", "bob@example.org")
    code, why = deck.refused("source", "edit", source, "--prompt", "cranes")
    assert (code, "others read" in why) == (1, True)
    assert deck.ask("source", "show", source)["prompt"] == "ferries"


def test_what_a_source_cannot_become_is_refused(deck: Deck) -> None:
    source = deck.ask("source", "add", "https://example.org/feed", "--no-check")["id"]

    for words in ((), ("--every", "soon"), ("--prompt", "ships")):
        assert deck.refused("source", "edit", source, *words)[0] == 2, words
    assert deck.refused("source", "edit", 99, "--name", "x")[0] == 1


# ---- a user


def test_a_user_is_edited_by_the_options_of_user_add(deck: Deck) -> None:
    deck.ask("user", "add", "ada@example.org", "--name", "Ada")

    words = ("--name", "Lady Ada", "--timezone", "Asia/Tokyo", "--admin")
    ada = deck.ask("user", "edit", "ada@example.org", *words)
    me = deck.ask("user", "edit", "me@localhost", "--no-admin")

    assert (ada["name"], ada["timezone"], ada["role"]) == ("Lady Ada", "Asia/Tokyo", "admin")
    assert me["role"] == "user"
    assert deck.refused("user", "edit", "ada@example.org", "--no-admin")[0] == 1
    assert deck.refused("user", "edit", "ada@example.org")[0] == 2


def test_a_mail_may_hold_several_wishes_as_sections(deck: Deck) -> None:
    town, wind = "Town: Hamburg: its harbour", "Wind: offshore wind"
    words = ("--criteria", "ships", "--daily", "8:00", "--section", town, "--section", wind)
    briefing = deck.ask("briefing", "add", "Morning", *words)

    sections = [(one["title"], one["criteria"]) for one in briefing["sections"]]
    assert sections == [("Town", "Hamburg: its harbour"), ("Wind", "offshore wind")]
    shown = deck.ask("briefing", "show", briefing["id"])
    assert shown == briefing == deck.ask("briefing", "list")[0]
    edited = deck.ask("briefing", "edit", briefing["id"], "--section", wind)
    assert [one["id"] for one in edited["sections"]] == [briefing["sections"][1]["id"]]
    assert deck.ask("briefing", "edit", briefing["id"], "--no-sections")["sections"] == []
    for wrong in ("no colon", "Town:", ": wish"):
        code, says = deck.refused("briefing", "edit", briefing["id"], "--section", wrong)
        assert (code, "section" in says) == (2, True)
