"""The port `Poster`: what is sent leaves once, and only as far as it may."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from morningdeck.errors import NotSentError, PermanentError, TransientError
from morningdeck.ports.verbs import Poster
from tests.servers.web import HangUp, Request, Server, answer

JSON = {"Content-Type": "application/json", "Webhook-Id": "report-7"}


class PosterContract:
    """Give it the fixture `poster`, which may visit `server`."""

    def test_what_is_sent_arrives_with_its_headers(self, server: Server, poster: Poster) -> None:
        server.says("/hook", answer(200, b"ok", retry_after="7"))

        page = poster.post(server.url("/hook"), b'{"a": "\xc3\xbc"}', headers=JSON)

        assert page is not None
        assert (page.status, page.body, page.headers["retry-after"]) == (200, b"ok", "7")
        (request,) = server.requests
        assert (request.method, request.body) == ("POST", b'{"a": "\xc3\xbc"}')
        assert request.headers["webhook-id"] == "report-7"

    @pytest.mark.parametrize("status", [204, 302, 404, 429, 500])
    def test_every_status_is_an_answer(self, server: Server, poster: Poster, status: int) -> None:
        server.says("/hook", answer(status, location="/elsewhere"))

        page = poster.post(server.url("/hook"), b"{}", headers=JSON)

        assert page is not None
        assert page.status == status
        assert [request.path for request in server.requests] == ["/hook"]

    def test_what_is_forbidden_at_the_last_byte_is_no_request(
        self, server: Server, poster: Poster
    ) -> None:
        server.says("/hook", answer(200))

        assert poster.post(server.url("/hook"), b"{}", headers=JSON, last_step=no) is None
        server.stop()
        assert [request for request in server.requests if len(request.body) == 2] == []

    def test_without_an_answer_nobody_knows(self, server: Server, poster: Poster) -> None:
        def hang_up(_: Request) -> Iterator[bytes]:
            yield b""
            raise HangUp(reset=True)

        server.does("/hook", hang_up)

        with pytest.raises(TransientError):
            poster.post(server.url("/hook"), b"{}", headers=JSON)
        assert len(server.requests) == 1

    def test_an_address_that_may_not_be_visited_is_refused(self, poster: Poster) -> None:
        asked: list[str] = []

        def step() -> bool:
            asked.append(url)
            return True

        for url in ("http://192.168.1.1/", "ftp://news.example/", "http://"):
            with pytest.raises(PermanentError):
                poster.post(url, b"{}", headers=JSON, last_step=step)
        assert asked == []

    def test_a_server_that_hangs_up_before_the_end_has_got_nothing(
        self, server: Server, poster: Poster
    ) -> None:
        """Its connection is reset while the last byte waits for leave."""

        def too_late() -> bool:
            server.stop()
            return True

        with pytest.raises((NotSentError, TransientError)):
            poster.post(server.url("/hook"), b"{}", headers=JSON, last_step=too_late)
        assert [request for request in server.requests if len(request.body) == 2] == []


def no() -> bool:
    return False
