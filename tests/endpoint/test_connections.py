"""How many connections an endpoint is asked by."""

from __future__ import annotations

from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

from morningdeck.endpoint.client import Client
from tests.asking import KEY
from tests.servers import endpoint as play
from tests.servers.endpoint import Asked, ModelServer

CALLERS = 128
SAID = {"response_format": {"type": "json_schema", "json_schema": {"schema": {"properties": {}}}}}
MESSAGES = [{"role": "system", "content": "Answer."}, {"role": "user", "content": "What?"}]


def ask(client: Client) -> str:
    return client.chat("small", MESSAGES, SAID).text


def test_nobody_waits_for_the_connection_of_another(endpoint: ModelServer) -> None:
    all_here = Barrier(CALLERS)

    def together(asked: Asked) -> Iterable[bytes]:
        all_here.wait(10)
        return play.good(asked)

    endpoint.will(together)
    client = Client(endpoint.base_url, KEY, timeout_seconds=10)
    with ThreadPoolExecutor(CALLERS) as threads:
        answers = list(threads.map(lambda _: ask(client), range(CALLERS)))
    client.close()

    assert answers == ["{}"] * CALLERS


def test_a_connection_is_used_again(endpoint: ModelServer) -> None:
    client = Client(endpoint.base_url, KEY, timeout_seconds=10)

    for _ in range(3):
        ask(client)
    client.close()

    assert endpoint.server.connections == 1
