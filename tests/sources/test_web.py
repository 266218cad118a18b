"""Pages without a feed: read for their links, and only when they say something new."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from morningdeck.endpoint.openai_model import OpenAIModel
from morningdeck.errors import PermanentError
from morningdeck.model.kinds import SourceType
from morningdeck.model.reading import Reading, Source, Validators
from morningdeck.net import PoliteClient
from morningdeck.parsing.pool import ParserPool
from morningdeck.prompts import read_prompts
from morningdeck.sources.link_choice import LinkChoice
from morningdeck.sources.web import DIGEST_MARK, WebReader
from tests.contracts.source_reader import SourceReaderContract
from tests.servers import endpoint as play
from tests.servers.endpoint import ModelServer
from tests.servers.web import Server, answer


def page(*titles: str, extra: str = "") -> bytes:
    items = "".join(f"<li><a href='/{len(title)}'>{title}</a></li>" for title in titles)
    return f"<html><title>Energy</title><body><ul>{items}</ul>{extra}</body></html>".encode()


NEWS = page("Offshore wind farm feeds the grid", "Grid storage auction at a record low")


@pytest.fixture
def reader(http: PoliteClient, parser: ParserPool) -> WebReader:
    return WebReader(http, parser)


def source(server: Server, last: Reading | None = None) -> Source:
    """The source as it stands after its last reading."""
    kept = last.validators if last else Validators()
    return Source(
        id=1,
        type=SourceType.WEB,
        url=server.url("/"),
        etag=kept.etag,
        last_modified=kept.last_modified,
    )


def html(body: bytes, **headers: str) -> bytes:
    return answer(200, body, content_type="text/html", **headers)


class TestWebReader(SourceReaderContract):
    @pytest.fixture
    def source(self, server: Server) -> Source:
        server.says("/", html(NEWS))
        return source(server)

    @pytest.fixture
    def absent(self, source: Source, server: Server) -> Source:
        return replace(source, url=server.url("/missing"))


def test_the_links_of_a_page_are_its_news(server: Server, reader: WebReader) -> None:
    server.says("/", html(NEWS))

    reading = reader.read(source(server))

    assert reading.title == "Energy"
    assert [entry.title for entry in reading.entries] == [
        "Offshore wind farm feeds the grid",
        "Grid storage auction at a record low",
    ]
    assert [entry.url for entry in reading.entries] == [server.url("/33"), server.url("/36")]


def test_a_page_that_says_the_same_is_unchanged(server: Server, reader: WebReader) -> None:
    server.says("/", html(NEWS), html(NEWS.replace(b"<body>", b"<body class='other'>")))

    first = reader.read(source(server))
    second = reader.read(source(server, first))

    assert not first.unchanged
    assert second.unchanged
    assert second.entries == ()
    assert second.validators == first.validators


def test_a_page_that_says_something_new_is_read(server: Server, reader: WebReader) -> None:
    server.says("/", html(NEWS), html(page("Heat pumps outsell gas boilers", "Sun breaks records")))

    first = reader.read(source(server))
    second = reader.read(source(server, first))

    assert not second.unchanged
    assert second.entries[0].title == "Heat pumps outsell gas boilers"


def test_the_validators_of_a_server_are_used_too(server: Server, reader: WebReader) -> None:
    server.says("/", html(NEWS, etag='W/"a b"', last_modified="Wed"), answer(304))

    first = reader.read(source(server))
    second = reader.read(source(server, first))

    assert first.validators.etag is not None
    assert first.validators.etag.startswith(DIGEST_MARK)
    asked = server.requests[1].headers
    assert (asked["if-none-match"], asked["if-modified-since"]) == ('W/"a b"', "Wed")
    assert second.unchanged
    assert second.validators == first.validators


def test_a_new_etag_alone_makes_no_news(server: Server, reader: WebReader) -> None:
    server.says("/", html(NEWS, etag='"1"'), html(NEWS, etag='"2"'))

    first = reader.read(source(server))
    second = reader.read(source(server, first))

    assert second.unchanged
    assert second.validators.etag is not None
    assert second.validators.etag.endswith(' "2"')


def test_a_server_without_validators_is_asked_without(server: Server, reader: WebReader) -> None:
    server.says("/", html(NEWS))

    reader.read(source(server, reader.read(source(server))))

    assert "if-none-match" not in server.requests[1].headers


def test_a_page_without_links_says_so(server: Server, reader: WebReader) -> None:
    server.says("/", html(page()))

    reading = reader.read(source(server))

    assert reading.entries == ()
    assert reading.warnings == ("the page has no list of links to read",)


def test_a_page_that_moved_tells_where(server: Server, reader: WebReader) -> None:
    server.says("/", answer(301, location="/new"))
    server.says("/new", html(NEWS))

    assert reader.read(source(server)).moved_to == server.url("/new")


def test_what_is_no_page_is_refused(server: Server, reader: WebReader) -> None:
    server.says("/", answer(body=b"%PDF-1.7", content_type="application/pdf"))

    with pytest.raises(PermanentError, match="not a web page: 'application/pdf'"):
        reader.read(source(server))


# ---- with a model


@pytest.fixture
def choosing(http: PoliteClient, parser: ParserPool, model: OpenAIModel) -> WebReader:
    return WebReader(http, parser, LinkChoice(model, read_prompts()["web"]))


def chosen(*numbers: str) -> play.Reply:
    return play.said(json.dumps({"links": numbers}))


MIXED = page(
    "Offshore wind farm feeds the grid",
    "Grid storage auction at a record low",
    extra="<p>See <a href='/about'>About the energy desk</a> or <a href='/jobs'>Jobs</a></p>",
)


def test_a_model_chooses_what_the_reader_wants_among_the_links_of_the_page(
    server: Server, choosing: WebReader, endpoint: ModelServer
) -> None:
    server.says("/", html(MIXED))
    endpoint.will(chosen("2", "3", "99", "https://evil.example"))

    reading = choosing.read(replace(source(server), prompt="Storage, and the desk"))

    assert [entry.title for entry in reading.entries] == [
        "Grid storage auction at a record low",
        "About the energy desk",
    ]
    assert "Storage, and the desk" in endpoint.asked[0].instructions


def test_no_model_is_asked_about_a_list_that_is_plain_to_see(
    server: Server, choosing: WebReader, endpoint: ModelServer
) -> None:
    server.says("/", html(NEWS))

    assert len(choosing.read(source(server)).entries) == 2
    assert endpoint.asked == []


def test_the_same_links_are_chosen_from_once(
    server: Server, choosing: WebReader, endpoint: ModelServer
) -> None:
    server.says("/", html(MIXED), html(MIXED.replace(b"See", b"On Monday see")))
    endpoint.will(chosen("1"))
    wanted = replace(source(server), prompt="Wind")

    assert choosing.read(wanted).entries == choosing.read(wanted).entries
    assert len(endpoint.asked) == 1


def test_a_page_is_read_again_when_the_model_can_be_asked_again(
    server: Server, choosing: WebReader, endpoint: ModelServer
) -> None:
    server.says("/", html(MIXED))
    endpoint.will(play.refused(429, retry_after="60"))

    reading = choosing.read(replace(source(server), prompt="Wind"))

    assert reading.unchanged
    assert reading.validators.etag is None


def test_what_a_model_cannot_choose_is_chosen_by_structure(
    server: Server, choosing: WebReader, endpoint: ModelServer
) -> None:
    server.says("/", html(MIXED))
    endpoint.will(play.empty)

    assert len(choosing.read(replace(source(server), prompt="Wind")).entries) == 2
