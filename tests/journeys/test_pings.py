"""A ping address: whoever watches from outside hears once of each run how it went."""

from __future__ import annotations

import time
from collections.abc import Iterator
from datetime import timedelta
from urllib.parse import urlsplit

import pytest
from sqlalchemy import update

from morningdeck.app import open_app
from morningdeck.errors import PermanentError
from morningdeck.model.pinged import Ping
from morningdeck.pinging import Pinging, failure_url
from morningdeck.ports.verbs import Poster
from morningdeck.settings.reading import load
from morningdeck.store.tables.briefs import pings
from tests.conftest import NOW
from tests.journeys.conftest import Deck
from tests.servers.web import Request, Server, answer

FEED = """<rss version="2.0"><channel><item><title>Harbour opens</title>
<link>https://news.example/1</link><guid>1</guid><description>Ships in the harbour.</description>
</item></channel></rss>"""
WISH = ("--criteria", "ships in harbours", "--daily", "08:00", "--timezone", "UTC")
PING = "/ping/0b9a-secret"


@pytest.fixture
def reader(deck: Deck, server: Server) -> Deck:
    server.says("/feed", answer(200, FEED.encode(), content_type="application/rss+xml"))
    server.says("/hook", answer(200))
    for path in (PING, f"{PING}/fail"):
        server.says(path, answer(200, b"OK"))
    deck.ask("source", "add", server.url("/feed"))
    return deck


def asked(server: Server) -> list[tuple[str, str]]:
    those = [request for request in server.requests if request.path.startswith("/ping")]
    return [(request.path, request.body.decode()) for request in those]


def add(deck: Deck, server: Server, *words: object) -> dict[str, object]:
    options = ("--min-score", 0, "--ping", server.url(PING))
    added: dict[str, object] = deck.ask("briefing", "add", "Ships", *WISH, *options, *words)
    return added


def test_a_run_that_arrived_is_told_once(reader: Deck, server: Server) -> None:
    added = add(reader, server, "--to", server.url("/hook"), "--channel", "webhook")

    reader.ask("briefing", "run", 1)
    assert reader.do("run", "--once")[0] == 0

    assert asked(server) == [(PING, "report 1: 1 of 1 delivered")]
    assert added["ping"] == f"http://127.0.0.1:{server.port}/..."
    assert "secret" not in f"{reader.do('briefing', 'show', 1)}{reader.do('status')}"


def test_a_run_of_which_one_failed_is_told_as_failed(reader: Deck, server: Server) -> None:
    server.says("/gone", answer(410))
    to = ("--to", server.url("/hook"), "--to", server.url("/gone"))
    add(reader, server, *to)

    reader.do("briefing", "run", 1)

    assert asked(server) == [(f"{PING}/fail", "report 1: 1 of 2 delivered")]


def test_a_run_with_nothing_to_send_went_well(reader: Deck, server: Server) -> None:
    add(reader, server)
    reader.ask("briefing", "run", 1)

    reader.ask("briefing", "run", 1)

    assert [body for _, body in asked(server)] == [
        "report 1: 1 of 1 delivered",
        "report 2: nothing to send",
    ]


def test_a_delivery_that_is_tried_again_is_told_at_its_end(reader: Deck, server: Server) -> None:
    server.says("/slow", answer(503), answer(200))
    add(reader, server, "--to", server.url("/slow"))

    reader.do("briefing", "run", 1)
    before = asked(server)
    reader.ask("report", "send", 1)

    assert (before, asked(server)) == ([], [(PING, "report 1: 1 of 1 delivered")])


def test_a_ping_that_fails_is_told_three_times_at_most_and_holds_nothing_up(
    reader: Deck, server: Server
) -> None:
    server.says(PING, answer(500))
    add(reader, server)

    run = reader.ask("briefing", "run", 1)
    with open_app(load()) as app:
        for _ in range(5):
            soon = app.clock() - timedelta(seconds=1)
            with app.store.database.write() as connection:
                connection.execute(update(pings).values(due_at=soon))
            app.pinging.round()

    assert run["deliveries"][0]["state"] == "SENT"
    assert len(asked(server)) == 3


def test_a_ping_that_hangs_is_left_in_time(
    reader: Deck, server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    def hang(_: Request) -> Iterator[bytes]:
        server.silence()
        yield b""

    monkeypatch.setattr("morningdeck.adapters.PING_SECONDS", 0.3)
    server.does(PING, hang)
    add(reader, server)
    begun = time.monotonic()

    assert reader.do("briefing", "run", 1)[0] == 0
    assert time.monotonic() - begun < 30


def test_no_address_no_ping(reader: Deck, server: Server) -> None:
    add(reader, server)
    edited = reader.ask("briefing", "edit", 1, "--ping", "")

    reader.ask("briefing", "run", 1)

    assert (edited["ping"], asked(server)) == (None, [])


def test_an_address_that_is_none_is_refused(reader: Deck) -> None:
    code, said = reader.refused("briefing", "add", "Ships", *WISH, "--ping", "hc-ping.com/secret")

    assert code == 2
    assert "https://hc-ping.com/..." in said
    assert "secret" not in said


@pytest.mark.parametrize(
    ("url", "failed"),
    [
        ("https://hc-ping.com/abc", "https://hc-ping.com/abc/fail"),
        ("https://hc-ping.com/key/slug/?create=1", "https://hc-ping.com/key/slug/fail?create=1"),
    ],
)
def test_a_failure_is_told_behind_the_path(url: str, failed: str) -> None:
    assert failure_url(url) == failed
    assert urlsplit(failed).query == urlsplit(url).query


def test_an_address_that_cannot_be_read_holds_no_other_ping_up() -> None:
    broken, other = (
        Ping(n, f"https://{host}/x", False, "0 of 1 delivered", 1)
        for n, host in ((1, "[ping.example"), (2, "ping.example"))
    )
    done: list[int] = []

    def nothing_answers() -> Poster:
        raise PermanentError("no network here")

    pinging = Pinging(
        take=lambda now: (broken, other),
        done=lambda ping: done.append(ping.report_id),
        put_off=lambda ping, until: None,
        poster=nothing_answers,
        clock=lambda: NOW,
    )

    assert pinging.round()
    assert done == [1, 2]
