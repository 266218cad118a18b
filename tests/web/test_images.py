"""Images by way of the deck, from servers that say and try whatever they like."""

from __future__ import annotations

import os
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import httpx2
import pytest

from morningdeck.outlets import MOST_IMAGE_BYTES
from morningdeck.web.images import FETCHED_AT_ONCE, image_path
from tests.servers.web import HangUp, Request, Server, answer
from tests.waiting import until
from tests.web.site import THREADS, Website, website

JPEG = b"\xff\xd8\xff\xe0" + b"jpeg" * 10
PNG = b"\x89PNG\r\n\x1a\n" + b"png" * 10
KINDS = {
    "image/jpeg": JPEG,
    "image/png": PNG,
    "image/gif": b"GIF89a" + b"gif" * 10,
    "image/webp": b"RIFF\x24\0\0\0WEBPVP8 " + b"webp" * 10,
    "image/avif": b"\0\0\0\x20ftypavif" + b"avif" * 10,
}
SVG = b'<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'
LOOPBACK = ["127.0.0.1/32"]


@pytest.fixture
def server() -> Iterator[Server]:
    with Server() as one:
        yield one


@pytest.fixture
def deck(tmp_path: Path, database_url: str) -> Iterator[Website]:
    with website(tmp_path, database_url, reaches=LOOPBACK) as web:
        yield web


@pytest.fixture
def alone(tmp_path: Path, sqlite_url: str) -> Iterator[Website]:
    with website(tmp_path, sqlite_url, reaches=LOOPBACK) as web:
        yield web


def path(web: Website, url: str) -> str:
    made = image_path(web.app.adapters.outlets, url)
    assert made is not None
    return made


def seen(web: Website, url: str, **headers: str) -> httpx2.Response:
    with web.asked_with(None, **headers) as anybody:
        return anybody.get(path(web, url))


def test_an_image_is_what_its_bytes_say(deck: Website, server: Server) -> None:
    for number, (kind, content) in enumerate(KINDS.items()):
        server.says(f"/{number}", answer(body=content, content_type="text/html"))
        found = seen(deck, server.url(f"/{number}"))
        assert (found.status_code, found.headers["content-type"]) == (200, kind)
        assert found.content == content
        assert found.headers["x-content-type-options"] == "nosniff"
        assert "default-src 'none'" in found.headers["content-security-policy"]


@pytest.mark.parametrize(
    "body", [SVG, b"<html><script>alert(1)</script>", b"", b"GIF88a" + SVG, b"BM" + SVG]
)
def test_what_is_no_image_is_not_shown_whatever_it_is_called(
    alone: Website, server: Server, body: bytes
) -> None:
    server.says("/a.png", answer(body=body, content_type="image/png"))

    found = seen(alone, server.url("/a.png"))

    assert found.status_code == 404
    assert body not in found.content or not body


def test_its_server_learns_nothing_of_the_reader(alone: Website, server: Server) -> None:
    server.says("/1.png", answer(body=PNG, set_cookie="who=1"), answer(body=PNG))
    server.says("/2.png", answer(body=PNG))
    reader = {
        "Cookie": "session=s3cret",
        "Referer": "https://deck.example/items/17",
        "User-Agent": "ReadersBrowser/1",
        "Accept-Language": "sv",
        "X-Forwarded-For": "203.0.113.7",
        "Authorization": "Bearer mdk_s3cret",
    }

    for name in ("/1.png", "/2.png"):
        answered = seen(alone, server.url(name), **reader)
        assert "set-cookie" not in answered.headers

    for request in server.requests:
        assert {name.lower() for name in request.headers} <= {
            *("host", "user-agent", "accept", "accept-encoding", "connection")
        }
        told = " ".join(request.headers.values())
        assert not any(value in told for value in reader.values())


def test_it_is_fetched_once_for_all_who_look(alone: Website, server: Server) -> None:
    server.says("/1.png", answer(body=PNG))
    server.says("/2.png", answer(404))

    for _ in range(3):
        assert seen(alone, server.url("/1.png")).content == PNG
        assert seen(alone, server.url("/2.png")).status_code == 404

    assert [one.path for one in server.requests] == ["/1.png", "/2.png"]


def test_only_addresses_that_the_deck_has_made_are_fetched(alone: Website, server: Server) -> None:
    server.says("/1.png", answer(body=PNG))
    server.says("/2.png", answer(body=PNG))
    first, second = (path(alone, server.url(name)) for name in ("/1.png", "/2.png"))
    _, _, signature, _ = first.split("/")
    address = second.split("/")[3]

    with alone.asked_with(None) as anybody:
        for asked in (f"/images/{signature}/{address}", f"/images/x/{address}", first + "A"):
            assert anybody.get(asked).status_code == 404
    assert server.requests == []


@pytest.mark.parametrize("allowed", [["10.0.0.0/8"], LOOPBACK])
def test_addresses_that_are_not_public_are_not_asked(
    tmp_path: Path, sqlite_url: str, allowed: list[str]
) -> None:
    """Neither at once nor by a redirect."""
    with (
        Server(everywhere=True) as inside,
        website(tmp_path, sqlite_url, reaches=allowed) as web,
    ):
        inside.says("/secret.png", answer(body=PNG))
        private = inside.url("/secret.png", host="127.0.0.2")
        inside.says("/leads.png", answer(302, location=private))

        assert seen(web, private).status_code == 404
        assert seen(web, inside.url("/leads.png")).status_code == 404
        assert "/secret.png" not in [one.path for one in inside.requests]


def test_what_is_too_large_or_never_ends_is_given_up(alone: Website, server: Server) -> None:
    large = PNG + bytes(MOST_IMAGE_BYTES)
    server.says("/large.png", answer(body=large))

    def endless(_: Request) -> Iterator[bytes]:
        yield b"HTTP/1.1 200 OK\r\nContent-Type: image/png\r\n\r\n" + PNG
        while True:
            yield bytes(65_536)

    server.does("/endless.png", endless)

    assert seen(alone, server.url("/large.png")).status_code == 404
    assert seen(alone, server.url("/endless.png")).status_code == 404


def test_a_server_that_drips_holds_up_no_page(tmp_path: Path, sqlite_url: str) -> None:
    def drips(_: Request) -> Iterator[bytes]:
        yield b"HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\n" + PNG
        yield from slow_one.drip()

    with Server(drips) as slow_one, website(tmp_path, sqlite_url, reaches=LOOPBACK) as web:
        many = FETCHED_AT_ONCE + THREADS
        with ThreadPoolExecutor(many) as readers:
            slow = [readers.submit(seen, web, slow_one.url(f"/{n}.png")) for n in range(many)]
            try:
                until(lambda: len(slow_one.requests) == FETCHED_AT_ONCE)
                with web.asked_with(web.token("ada@example.org", "read")) as client:
                    assert client.get("/api/v1/me").status_code == 200
                assert not any(one.done() for one in slow)
                assert len(slow_one.requests) == FETCHED_AT_ONCE
            finally:
                slow_one.stop()
        assert {one.result().status_code for one in slow} == {404}


def test_there_are_none_where_the_settings_want_none(
    tmp_path: Path, sqlite_url: str, server: Server
) -> None:
    server.says("/1.png", answer(body=PNG))
    with website(tmp_path, sqlite_url, reaches=LOOPBACK) as web:
        made = path(web, server.url("/1.png"))
    with website(tmp_path, sqlite_url, reaches=LOOPBACK, images=False) as web:
        assert image_path(web.app.adapters.outlets, server.url("/1.png")) is None
        with web.asked_with(None) as anybody:
            assert anybody.get(made).status_code == 404
    assert server.requests == []


@pytest.mark.parametrize("url", [None, "", "data:image/png;base64,AA", "javascript:x", "/1.png"])
def test_what_is_not_of_the_web_has_no_path(alone: Website, url: str | None) -> None:
    assert image_path(alone.app.adapters.outlets, url) is None


@pytest.mark.parametrize("url", ["https://a.example/\u202e\0\ud800.png", "http://" + "a" * 3000])
def test_odd_addresses_are_no_bug(alone: Website, url: str) -> None:
    assert seen(alone, url).status_code == 404


def test_what_is_kept_is_for_its_owner_alone_and_has_an_end(
    tmp_path: Path, sqlite_url: str, server: Server
) -> None:
    content = PNG + os.urandom(300_000)
    chosen: dict[str, Any] = {"reaches": LOOPBACK, "images_mb": 1}
    server.does("/gone.png", hang_up)
    with website(tmp_path, sqlite_url, **chosen) as web:
        for number in range(5):
            server.says(f"/{number}.png", answer(body=content))
            assert seen(web, server.url(f"/{number}.png")).status_code == 200
        assert seen(web, server.url("/gone.png")).status_code == 404
    kept = list((tmp_path / "images").iterdir())

    assert sum(one.stat().st_size for one in kept) <= 2**20
    assert {one.stat().st_mode & 0o777 for one in kept} == {0o600}
    assert (tmp_path / "images").stat().st_mode & 0o777 == 0o700


def hang_up(_: Request) -> Iterator[bytes]:
    raise HangUp(reset=True)
    yield b""
