"""What a user gets wrong: one clear line each, the right exit code, and nothing lost."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from morningdeck.engine.node import lock_as_daemon
from tests.journeys.conftest import Deck
from tests.journeys.test_first_morning import WIND, add_energy
from tests.servers.feeds import FeedServer


def test_every_wrong_setting_is_named_at_once(deck: Deck, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MORNINGDECK_FETCH__WORKERS", "none")
    monkeypatch.setenv("MORNINGDECK_SMTP__PROT", "25")

    code, line = deck.refused("status")

    assert code == 2
    assert "fetch.workers" in line
    assert "MORNINGDECK_SMTP__PROT: there is no such setting" in line


@pytest.mark.parametrize(
    ("address", "said"),
    [
        ("http://127.0.0.1:1/feed", "127.0.0.1"),
        ("http://169.254.169.254/latest", "http.allow_networks"),
        ("ftp://example.org/feed", "http"),
        ("not an address", "address"),
    ],
)
def test_an_address_that_cannot_be_read_is_not_added(deck: Deck, address: str, said: str) -> None:
    code, line = deck.refused("source", "add", address)

    assert code in (1, 2)
    assert said in line
    assert deck.ask("source", "list") == []


def test_a_page_without_a_feed_is_not_added(deck: Deck, site: FeedServer) -> None:
    url = site.put("/page", b"<html><body><p>Just a page</p></body></html>")

    code, line = deck.refused("source", "add", url)

    assert code == 1
    assert "feed" in line


def test_a_missing_feed_and_a_second_subscription_are_refused(deck: Deck, site: FeedServer) -> None:
    assert deck.refused("source", "add", site.url("/nothing"))[0] == 1
    url = site.publish("/a.xml", "Gazette", [WIND])
    deck.ask("source", "add", url)

    code, line = deck.refused("source", "add", url)

    assert code == 1
    assert "already" in line


def test_a_zone_or_a_time_that_is_none_is_refused(deck: Deck) -> None:
    words = ("briefing", "add", "X", "--criteria", "x")
    wrong_zone = deck.refused(*words, "--daily", "08:00", "--timezone", "Mars/Olympus")
    wrong_time = deck.refused(*words, "--daily", "25:00", "--timezone", "UTC")

    assert wrong_zone[0] == wrong_time[0] == 2
    assert "Mars/Olympus" in wrong_zone[1]
    assert "25:00" in wrong_time[1]


def test_a_second_daemon_on_the_same_data_is_refused(
    deck: Deck, sqlite_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DATABASE_URL", sqlite_url)
    lock = lock_as_daemon(deck.folder / "data")
    try:
        code, line = deck.refused("run", "--once")
    finally:
        lock.close()

    assert code == 1
    assert "already running" in line
    assert deck.do("run", "--once")[0] == 0


def test_a_data_folder_that_cannot_be_written_is_named(
    deck: Deck, monkeypatch: pytest.MonkeyPatch
) -> None:
    (deck.folder / "file").write_text("")
    monkeypatch.setenv("MORNINGDECK_DATA_DIR", str(deck.folder / "file" / "data"))

    code, line = deck.refused("status")

    assert code == 2
    assert "data_dir" in line


def test_an_outbox_that_cannot_be_written_loses_nothing(
    deck: Deck, site: FeedServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    outbox = deck.folder / "outbox"
    outbox.write_text("in the way")
    monkeypatch.setenv("MORNINGDECK_DELIVERY__FOLDER", str(outbox))
    deck.ask("source", "add", site.publish("/a.xml", "Gazette", [WIND]))
    briefing = add_energy(deck)
    deck.do("run", "--once")
    code, out, err = deck.do("briefing", "run", briefing, "--json")
    (stuck,) = json.loads(out)["deliveries"]

    outbox.unlink()
    (report,) = deck.ask("report", "list")
    deck.do("report", "send", report["id"])

    assert (code, stuck["state"]) == (1, "RETRY")
    assert "has reached nobody yet" in err
    assert str(outbox) in stuck["error"]
    (sent,) = deck.ask("report", "show", report["id"])["deliveries"]
    assert sent["state"] == "SENT"
    assert Path(sent["reply"]).exists()


def test_an_unknown_id_and_an_unknown_command_are_told_apart(deck: Deck) -> None:
    assert deck.refused("briefing", "show", 99)[0] == 1
    assert deck.do("frobnicate")[0] == 2
