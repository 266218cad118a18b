"""Full texts: one request a page, and patience with nobody."""

from __future__ import annotations

import pytest

from morningdeck.errors import DatabaseAwayError, PermanentError, TransientError
from morningdeck.net import PoliteClient
from morningdeck.parsing.pool import ParserPool
from morningdeck.sources.page_text import MOST_SILENT, PATIENCE, PageReader
from tests.contracts.full_text import WORDS, FullTextContract
from tests.fakes import ScriptedHttp
from tests.servers.web import Server, answer


def html(more: str = "") -> bytes:
    body = (
        f"<html><title>Harbour</title><body><article><p>{WORDS}</p></article>{more}</body></html>"
    )
    return answer(body=body.encode(), content_type="text/html")


@pytest.fixture
def pages(http: PoliteClient, parser: ParserPool) -> PageReader:
    return PageReader(http, parser)


class TestPageReader(FullTextContract):
    @pytest.fixture
    def article_url(self, server: Server) -> str:
        server.says("/a", html())
        return server.url("/a")

    @pytest.fixture
    def missing_url(self, server: Server) -> str:
        return server.url("/missing")


def test_the_title_of_a_page_is_its_headline(server: Server, pages: PageReader) -> None:
    server.says("/a", html())

    assert pages.read(server.url("/a")).title == "Harbour"


def test_the_words_of_a_video_belong_to_its_page(server: Server, pages: PageReader) -> None:
    server.says("/a", html("<video><track kind=captions src='/a.vtt'></video>"))
    server.says("/a.vtt", answer(body=b"WEBVTT\n\n00:01.000 --> 00:02.000\nGood morning\n"))

    assert pages.read(server.url("/a")).text == f"{WORDS}\n\nGood morning"


def test_a_page_is_read_although_its_captions_are_not(server: Server, pages: PageReader) -> None:
    server.says("/a", html("<video><track kind=captions src='/a.vtt'></video>"))

    assert pages.read(server.url("/a")).text == WORDS


@pytest.mark.parametrize("status", [404, 410])
def test_a_page_that_is_not_there_says_so(server: Server, pages: PageReader, status: int) -> None:
    server.says("/a", answer(status))

    with pytest.raises(PermanentError) as caught:
        pages.read(server.url("/a"))
    assert caught.value.status == status


def test_a_server_that_never_answers_is_left_alone(server: Server, pages: PageReader) -> None:
    server.says("/a", answer(503))

    for _ in range(PATIENCE + 5):
        with pytest.raises(TransientError, match="503"):
            pages.read(server.url("/a"))

    assert len(server.requests) == PATIENCE


def test_a_server_is_asked_again_after_a_while(
    server: Server, http: PoliteClient, parser: ParserPool
) -> None:
    pages = PageReader(http, parser, silent_seconds=0)
    server.says("/a", *[answer(503)] * (PATIENCE + 1), html())

    for _ in range(PATIENCE + 1):
        with pytest.raises(TransientError):
            pages.read(server.url("/a"))

    assert pages.read(server.url("/a")).text == WORDS


def test_a_database_that_is_away_is_no_silence_of_the_host(parser: ParserPool) -> None:
    pages = PageReader(ScriptedHttp(DatabaseAwayError("database: away")), parser)

    for _ in range(PATIENCE + 1):
        with pytest.raises(DatabaseAwayError):
            pages.read("https://news.example/a")


def test_of_very_many_silent_hosts_the_first_is_forgotten(parser: ParserPool) -> None:
    http = ScriptedHttp(TransientError("no answer"))
    pages = PageReader(http, parser)
    first = ["https://news.example/"]

    for url in [*first * 4, *(f"https://{n}.example/" for n in range(MOST_SILENT)), *first]:
        with pytest.raises(TransientError):
            pages.read(url)

    assert [url for url, _ in http.asked].count(first[0]) == PATIENCE + 1
