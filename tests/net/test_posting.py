"""What is sent on purpose: once, to checked addresses, in time."""

from __future__ import annotations

import time
from collections.abc import Iterator

import pytest

from morningdeck.errors import PermanentError, TransientError
from morningdeck.net import GuardedClient, GuardedPoster
from tests.contracts.poster import PosterContract
from tests.servers.web import HangUp, Request, Server, answer


def poster_of(seconds: float = 10.0, networks: tuple[str, ...] = ("127.0.0.0/8",)) -> GuardedPoster:
    client = GuardedClient(user_agent="MorningDeck/test", allow_networks=networks)
    return GuardedPoster(client, timeout_seconds=seconds)


@pytest.fixture
def poster() -> GuardedPoster:
    return poster_of()


class TestGuardedPoster(PosterContract):
    pass


def test_loopback_is_refused_unless_it_is_allowed(server: Server) -> None:
    with pytest.raises(PermanentError, match=r"add it to http\.allow_networks"):
        poster_of(networks=()).post(server.url("/hook"), b"{}", headers={})
    assert server.requests == []


def test_a_password_in_the_address_is_sent_as_a_login(
    server: Server, poster: GuardedPoster
) -> None:
    server.says("/hook", answer(200))

    page = poster.post(server.url("/hook", host="me:pw@127.0.0.1"), b"{}", headers={})

    assert page is not None
    assert "pw" not in page.url
    assert server.requests[0].headers["authorization"] == "Basic bWU6cHc="


def test_an_answer_that_drips_is_waited_for_until_the_deadline(server: Server) -> None:
    server.does("/slow", lambda _: server.drip())
    begun = time.monotonic()

    with pytest.raises(TransientError, match="no complete answer in time"):
        poster_of(0.3).post(server.url("/slow"), b"{}", headers={})

    assert time.monotonic() - begun < 3


def test_the_status_counts_although_the_words_behind_it_never_come(server: Server) -> None:
    def half(_: Request) -> Iterator[bytes]:
        yield b"HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nok"
        raise HangUp

    server.does("/hook", half)

    page = poster_of().post(server.url("/hook"), b"{}", headers={})

    assert page is not None
    assert (page.status, page.body) == (200, b"ok")


def test_of_many_words_the_first_are_read(server: Server, poster: GuardedPoster) -> None:
    server.says("/hook", answer(400, b"x" * 10_000_000))

    page = poster.post(server.url("/hook"), b"{}", headers={})

    assert page is not None
    assert page.body == b"x" * 2000
