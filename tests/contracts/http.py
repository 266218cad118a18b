"""The port `Http`: an answer is a page or an error that says whether to come again."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from morningdeck.errors import PermanentError, TransientError
from morningdeck.model import Validators
from morningdeck.ports import Http

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
