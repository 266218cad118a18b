"""Forms: sent once, to where they were meant to go, under the guard of all requests."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from morningdeck.errors import PermanentError
from morningdeck.net import PoliteClient
from tests.contracts.http import HttpWithFormsContract
from tests.servers.web import Server, answer


class TestPoliteClient(HttpWithFormsContract):
    @pytest.fixture
    def http(self, make_client: Callable[..., PoliteClient]) -> PoliteClient:
        """It would try other requests again."""
        return make_client(retry_delays=(0.01,))


def test_a_form_takes_no_connection_that_may_be_dead(server: Server, client: PoliteClient) -> None:
    server.says("/", answer())
    server.says("/token", answer())
    client.get(server.url("/"))

    client.post_form(server.url("/token"), {})

    assert [request.connection for request in server.requests] == [1, 2]


def test_a_form_does_not_reach_a_private_network(
    server: Server, make_client: Callable[..., PoliteClient]
) -> None:
    with pytest.raises(PermanentError, match="not a public address"):
        make_client(allow_networks=()).post_form(server.url("/token"), {})

    assert server.requests == []
