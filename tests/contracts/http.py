"""The port `Http`: an answer is a page or an error that says whether to come again."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest

from morningdeck.errors import PermanentError, TransientError
from morningdeck.model.reading import Validators
from morningdeck.ports.verbs import Http, HttpWithForms
from tests.servers.web import HangUp, Request, Server, answer

Says = Callable[..., str]
"""`says(status, body, Header_Name="value")`: the address that will answer so."""


class HttpContract:
    """Give it the fixtures `http` and `says`."""

    def test_a_page_comes_with_its_body_and_its_headers(self, http: Http, says: Says) -> None:
        url = says(200, b"\x00 news \xff", etag='W/"a b"', content_type="text/plain")

        page = http.get(url)

        assert (page.status, page.body, page.url) == (200, b"\x00 news \xff", url)
        assert page.headers["etag"] == 'W/"a b"'
        assert page.headers["content-type"] == "text/plain"
        assert not page.unchanged

    def test_not_modified_is_an_answer_to_one_who_has_it(self, http: Http, says: Says) -> None:
        url = says(304, b"", etag='"1"')

        page = http.get(url, validators=Validators('"1"'))

        assert page.unchanged
        assert page.body == b""

    @pytest.mark.parametrize("status", [401, 404, 410])
    def test_a_refusal_is_permanent_and_tells_its_status(
        self, http: Http, says: Says, status: int
    ) -> None:
        with pytest.raises(PermanentError) as caught:
            http.get(says(status, b"no"))
        assert caught.value.status == status

    @pytest.mark.parametrize("status", [429, 500, 503])
    def test_a_busy_server_is_asked_later(self, http: Http, says: Says, status: int) -> None:
        with pytest.raises(TransientError) as caught:
            http.get(says(status, b"", retry_after="120"))
        assert caught.value.after == 120


class HttpWithFormsContract:
    """Give it the fixture `http`, which may visit `server`."""

    def test_a_form_is_posted_and_its_answer_read(
        self, server: Server, http: HttpWithForms
    ) -> None:
        server.says("/token", answer(body=b'{"a": 1}'))
        login = {"Authorization": "Basic eA=="}

        page = http.post_form(server.url("/token"), {"grant": "a b", "x": "ü&"}, headers=login)

        assert page.body == b'{"a": 1}'
        (request,) = server.requests
        assert request.method == "POST"
        assert request.body == b"grant=a+b&x=%C3%BC%26"
        assert request.headers["content-type"] == "application/x-www-form-urlencoded"
        assert request.headers["authorization"] == "Basic eA=="

    def test_a_form_is_not_sent_on(self, server: Server, http: HttpWithForms) -> None:
        server.says("/token", answer(307, location="/other"))

        with pytest.raises(PermanentError, match="answered 307"):
            http.post_form(server.url("/token"), {})

        assert [request.path for request in server.requests] == ["/token"]

    def test_a_form_is_sent_once_whatever_becomes_of_it(
        self, server: Server, http: HttpWithForms
    ) -> None:
        def hang_up(_: Request) -> Iterator[bytes]:
            yield b""
            raise HangUp

        server.does("/token", hang_up)
        server.says("/busy", answer(503))

        for path in ("/token", "/busy"):
            with pytest.raises(TransientError):
                http.post_form(server.url(path), {})

        assert [request.path for request in server.requests] == ["/token", "/busy"]
