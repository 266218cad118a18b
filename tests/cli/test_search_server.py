"""The command line with a search server: filled by `run`, off, refusing the key, made anew."""

from __future__ import annotations

import pytest

from tests.cli.conftest import Terminal
from tests.servers.meilisearch import Meilisearch


@pytest.fixture
def deck(
    terminal: Terminal,
    feed_url: str,
    own_search_server: Meilisearch,
    monkeypatch: pytest.MonkeyPatch,
) -> Terminal:
    monkeypatch.setenv("MORNINGDECK_SEARCH__URL", own_search_server.url)
    monkeypatch.setenv("MORNINGDECK_SEARCH__API_KEY", own_search_server.key)
    terminal.json("source", "add", feed_url)
    assert terminal("run", "--once", "--no-web").code == 0
    return terminal


def test_a_run_fills_the_index_and_a_search_asks_it(deck: Terminal) -> None:
    answer = deck.json("search", "harbuor")

    assert (answer["backend"], answer["degraded"], answer["total"]) == ("meilisearch", False, 1)
    assert "<mark>Harbour</mark>" in answer["hits"][0]["highlight"]
    search = deck.json("status")["search"]
    assert search == {"backend": "meilisearch", "waiting": 0, "oldest_waiting_seconds": None}

    assert deck.json("item", "read-all") == {"read": 1}
    assert deck.json("search", "harbour", "--unread")["hits"] == []
    waiting = deck.json("status")["search"]
    assert waiting["waiting"] == 1
    assert waiting["oldest_waiting_seconds"] >= 0
    assert deck.json("reindex")["documents"] == 1
    assert deck.json("status")["search"]["waiting"] == 0
    assert deck.json("search", "is:read")["backend"] == "meilisearch"


def test_h14_with_the_server_off_results_still_come(
    deck: Terminal, own_search_server: Meilisearch
) -> None:
    own_search_server.kill()

    answer = deck.json("search", "harbour")
    assert (answer["backend"], answer["degraded"], answer["total"]) == ("database", True, 1)
    assert "because the search server does not answer" in deck("search", "harbour").out
    assert deck("run", "--once", "--no-web").code == 0  # it waits for nobody

    failed = deck("reindex")
    assert failed.code == 1
    assert "search server 127.0.0.1" in failed.err
    own_search_server.up()


def test_a_refused_key_is_told_with_what_to_do_and_never_shown(
    deck: Terminal, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MORNINGDECK_SEARCH__API_KEY", "wrong-and-secret")

    for _ in range(2):
        answer = deck.json("search", "harbour")
        assert (answer["backend"], answer["degraded"], answer["total"]) == ("database", True, 1)
    (notice,) = deck.json("status")["notices"]
    assert "refuses search.api_key" in notice
    said = deck("reindex")
    assert said.code == 1
    assert "wrong-and-secret" not in notice + said.err


@pytest.mark.parametrize(
    ("key", "value", "says"),
    [
        ("BACKEND", "meilisearch", "backend is meilisearch, which needs a url"),
        ("URL", "127.0.0.1:7700", "must be an address like http://127.0.0.1:7700"),
        ("INDEX", "no/such name", "search.index"),
    ],
)
def test_settings_that_make_no_sense_are_refused(
    terminal: Terminal, monkeypatch: pytest.MonkeyPatch, key: str, value: str, says: str
) -> None:
    monkeypatch.setenv(f"MORNINGDECK_SEARCH__{key}", value)

    ended = terminal("status")

    assert ended.code == 2
    assert says in ended.err
