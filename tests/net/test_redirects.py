"""Redirects: how far, and what they tell of a source's address."""

from __future__ import annotations

import gc
import tracemalloc
from itertools import count

import pytest

from morningdeck.errors import PermanentError
from morningdeck.ports.verbs import Http
from tests.servers.web import Server, answer


@pytest.mark.parametrize(
    ("hops", "moved_to"),
    [
        ((301,), "/1"),
        ((308, 301), "/2"),
        ((302,), None),
        ((301, 302), "/1"),
        ((302, 301), None),
        ((303, 307), None),
        ((301, 308, 302, 301), "/2"),
    ],
)
def test_leading_permanent_redirects_tell_the_new_address(
    server: Server, client: Http, hops: tuple[int, ...], moved_to: str | None
) -> None:
    for number, status in enumerate(hops):
        server.says(f"/{number}", answer(status, location=f"/{number + 1}"))
    server.says(f"/{len(hops)}", answer(body=b"here"))

    page = client.get(server.url("/0"))

    assert page.url == server.url(f"/{len(hops)}")
    assert page.permanent_url == (server.url(moved_to) if moved_to else None)
    assert page.body == b"here"


def test_a_moved_private_feed_keeps_its_password(server: Server, client: Http) -> None:
    server.says("/old", answer(301, location="/new"))
    server.says("/new", answer())

    page = client.get(server.url("/old").replace("http://", "http://me:hush@"))

    assert page.permanent_url == server.url("/new").replace("http://", "http://me:hush@")
    assert "hush" not in page.url


def test_five_redirects_are_followed_and_no_sixth(server: Server, client: Http) -> None:
    for number in range(6):
        server.says(f"/{number}", answer(302, location=f"/{number + 1}"))
    server.says("/6", answer(body=b"far"))

    assert client.get(server.url("/1")).body == b"far"
    with pytest.raises(PermanentError, match="more than 5 redirects"):
        client.get(server.url("/0"))


def test_a_redirect_loop_ends(server: Server, client: Http) -> None:
    server.says("/", answer(301, location="/"))

    with pytest.raises(PermanentError, match="more than 5 redirects"):
        client.get(server.url())

    assert len(server.requests) == 6


def test_a_redirect_to_nowhere_is_permanent(server: Server, client: Http) -> None:
    server.says("/", answer(302))

    with pytest.raises(PermanentError, match="answered 302"):
        client.get(server.url())


def test_a_redirect_to_a_very_long_address_is_refused(server: Server, client: Http) -> None:
    server.says("/", answer(302, location="/" + "a" * 8192))

    with pytest.raises(PermanentError, match="redirects to an address of more than 8192 bytes"):
        client.get(server.url())


def test_a_move_to_an_address_too_long_for_the_database_is_not_told(
    server: Server, client: Http
) -> None:
    server.says("/", answer(301, location="/" + "a" * 2100))
    server.says("/" + "a" * 2100, answer(body=b"here"))

    page = client.get(server.url())

    assert (page.body, page.permanent_url) == (b"here", None)


def test_little_is_kept_of_where_redirects_led(server: Server, client: Http) -> None:
    others = count(1)
    server.does("/", lambda _: [answer(302, location=f"/{next(others):08000}")])
    tracemalloc.start()

    for _ in range(300):
        with pytest.raises(PermanentError, match="answered 404"):
            client.get(server.url())
        server.requests.clear()

    gc.collect()
    kept = tracemalloc.get_traced_memory()[0]
    tracemalloc.stop()
    assert kept < 3_000_000, "the standard library keeps the last 128"
