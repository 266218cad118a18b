"""A briefing as a feed, at the command line."""

from __future__ import annotations

from tests.cli.conftest import Terminal

BRIEFING = ("briefing", "add", "Morning", "--criteria", "ships", "--daily", "08:00")


def test_the_addresses_of_a_feed_are_told_once(terminal: Terminal) -> None:
    id = str(terminal.json(*BRIEFING)["id"])

    made = terminal.json("briefing", "feed", id)
    again = terminal("briefing", "feed", id)
    new = terminal.json("briefing", "feed", id, "--rotate")

    assert made["rss"].startswith("http://127.0.0.1:8484/feeds/mdf_")
    assert made.keys() == {"briefing_id", "rss", "atom", "json"}
    assert (again.code, "--rotate" in again.err) == (1, True)
    assert new["rss"] != made["rss"]
    assert terminal.json("briefing", "show", id)["feed"] is True


def test_a_feed_is_ended(terminal: Terminal) -> None:
    id = str(terminal.json(*BRIEFING)["id"])
    terminal.json("briefing", "feed", id)

    assert terminal.json("briefing", "feed", id, "--end")["feed"] is False
    assert terminal("briefing", "feed", id, "--end", "--rotate").code == 2
    assert terminal("briefing", "feed", "4711").code == 1
    assert "only time" in terminal("briefing", "feed", id).err
