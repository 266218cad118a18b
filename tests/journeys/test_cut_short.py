"""A feed whose answer was cut short: its rest comes with the next visit, whatever its ETag."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.journeys.conftest import Deck
from tests.servers.web import HangUp, Request, Server, answer

ITEMS = [f"<item><guid>a-{n}</guid><title>News {n}</title></item>" for n in range(2)]
WHOLE = f"<rss><channel><title>Gazette</title>{''.join(ITEMS)}</channel></rss>".encode()
CUT = WHOLE[: WHOLE.index(b"<title>News 1") + 9]


@pytest.mark.parametrize(
    "head",
    [b"HTTP/1.0 200 OK", b"HTTP/1.1 200 OK\r\nContent-Length: +500", b"HTTP/1.1 206 Part"],
    ids=["no length", "no number", "a part"],
)
def test_what_was_cut_off_comes_with_the_next_visit(
    deck: Deck, server: Server, head: bytes
) -> None:
    visits = iter(["to add it", "cut"])

    def script(request: Request) -> Iterator[bytes]:
        if next(visits, "") == "cut":
            yield head + b'\r\nETag: "new"\r\n\r\n' + CUT
            raise HangUp
        known = request.headers.get("if-none-match") == '"new"'
        yield answer(304) if known else answer(body=WHOLE, etag='"new"')

    server.does("/feed", script)
    added = deck.ask("source", "add", server.url("/feed"))
    for _ in range(2):
        deck.do("source", "refresh", added["id"])
        assert deck.do("run", "--once")[0] == 0

    titles = [item["title"] for item in deck.ask("item", "list")]
    assert sorted(titles) == ["News 0", "News 1"]
