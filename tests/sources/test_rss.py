"""Feeds over HTTP: asked politely, believed carefully, found behind pages."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta

import pytest

from morningdeck.actions.sources import read_whole
from morningdeck.errors import PermanentError, TransientError
from morningdeck.model.kinds import SourceType
from morningdeck.model.reading import Page, Reading, Source, Validators
from morningdeck.net import PoliteClient
from morningdeck.parsing.pool import ParserPool
from morningdeck.sources.rss import RssReader
from tests.contracts.source_reader import SourceReaderContract
from tests.fakes import ScriptedHttp
from tests.servers.feeds import FeedServer, News

URL = "https://news.example/feed"
FEED = b"<rss><channel><title>News</title><item><guid>1</guid></item></channel></rss>"
DATE = "Wed, 18 Nov 2026 08:00:00 GMT"


def page(body: bytes = FEED, *, url: str = URL, status: int = 200, **headers: str) -> Page:
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return Page(url=url, status=status, headers=named, body=body)


def source(**fields: object) -> Source:
    return Source(**{"id": 1, "type": SourceType.RSS, "url": URL, **fields})  # type: ignore[arg-type]


@pytest.fixture(scope="module")
def parser() -> Iterator[ParserPool]:
    pool = ParserPool(workers=1)
    yield pool
    pool.close()


class TestRssReader(SourceReaderContract):
    """Over a real connection: 304 and 404 are the server's own."""

    @pytest.fixture
    def reader(self, http: PoliteClient, parser: ParserPool) -> RssReader:
        return RssReader(http, parser)

    @pytest.fixture
    def source(self, site: FeedServer) -> Source:
        return source(url=site.publish("/a.xml", "News", [News("One", "a"), News("Two", "b")]))

    @pytest.fixture
    def absent(self, site: FeedServer) -> Source:
        return source(url=site.url("/missing"))


def test_a_feed_comes_with_its_validators_byte_for_byte(parser: ParserPool) -> None:
    http = ScriptedHttp(page(etag='W/"a b"', last_modified=DATE))

    reading = RssReader(http, parser).read(source())

    assert [entry.guid for entry in reading.entries] == ["1"]
    assert reading.title == "News"
    assert reading.validators == Validators('W/"a b"', DATE)
    assert not reading.unchanged


def test_of_a_feed_that_came_broken_no_validators_are_kept(parser: ParserPool) -> None:
    feed = FEED.replace(b"</guid>", b"</guid><title>One</title>")
    cut, untidy = feed[:-20], feed.replace(b"News", b"News & more")
    http = ScriptedHttp(page(cut, etag='"new"'), page(untidy, etag='"new"'))

    broken = RssReader(http, parser).read(source(etag='"old"', last_modified=DATE))
    mended = RssReader(http, parser).read(source())

    assert [entry.title for entry in broken.entries] == ["One"]
    assert broken.validators == Validators()
    assert mended.validators == Validators('"new"'), "nothing can be missing there"


@pytest.mark.parametrize("etag", ["", "a\x1b[2J", "a\x85", "a\rb", "a" * 1025])
def test_an_etag_that_no_request_can_carry_is_not_kept(parser: ParserPool, etag: str) -> None:
    http = ScriptedHttp(page(etag=etag, last_modified=DATE))

    assert RssReader(http, parser).read(source()).validators == Validators(None, DATE)


def test_an_unchanged_feed_keeps_its_validators_and_is_not_parsed(parser: ParserPool) -> None:
    http = ScriptedHttp(page(b"never looked at", status=304, cache_control="max-age=7200"))

    reading = RssReader(http, parser).read(source(etag='"1"', last_modified=DATE))

    assert reading.unchanged
    assert reading.entries == ()
    assert http.asked == [(URL, Validators('"1"', DATE))]
    assert reading.validators == Validators('"1"', DATE)
    assert reading.fresh_for == timedelta(hours=2)


@pytest.mark.parametrize(
    ("headers", "fresh_for"),
    [
        ({"cache-control": "public, Max-Age=600"}, timedelta(minutes=10)),
        ({"cache-control": 'max-age="600", s-maxage=9999'}, timedelta(minutes=10)),
        ({"cache-control": "max-age=99999999999"}, timedelta(hours=24)),
        ({"cache-control": "no-cache, max-age=0"}, None),
        ({"expires": "Wed, 18 Nov 2026 09:30:00 GMT", "date": DATE}, timedelta(minutes=90)),
        ({"expires": "Wed, 18 Nov 2026 09:30:00 GMT"}, None),
        ({"expires": "0", "date": DATE}, None),
        ({"expires": "Wed, 18 Nov 2026 09:30:00", "date": DATE}, None),
        ({"expires": "Mon, 01 Jan 1990 00:00:00 GMT", "date": DATE}, None),
        (
            {
                "cache-control": "max-age=60",
                "expires": "Thu, 01 Jan 2099 00:00:00 GMT",
                "date": DATE,
            },
            timedelta(hours=24),
        ),
        ({}, None),
    ],
)
def test_the_server_says_how_long_an_answer_is_fresh(
    parser: ParserPool, headers: dict[str, str], fresh_for: timedelta | None
) -> None:
    http = ScriptedHttp(Page(URL, 200, headers, FEED))

    assert RssReader(http, parser).read(source()).fresh_for == fresh_for


def test_the_longer_wish_of_feed_and_server_counts(parser: ParserPool) -> None:
    body = FEED.replace(b"<item>", b"<ttl>90</ttl><item>")
    http = ScriptedHttp(page(body, cache_control="max-age=60"))

    assert RssReader(http, parser).read(source()).fresh_for == timedelta(minutes=90)


def test_the_charset_of_the_server_reaches_the_parser(parser: ParserPool) -> None:
    body = "<rss><channel><title>\u65e5\u672c</title></channel></rss>".encode("euc_jp")
    http = ScriptedHttp(page(body, content_type="text/xml; charset=EUC-JP"))

    assert RssReader(http, parser).read(source()).title == "\u65e5\u672c"


def test_a_page_leads_to_the_feed_it_names(parser: ParserPool) -> None:
    html = b'<html><link rel=alternate type="application/rss+xml" href="/feed.xml"></html>'
    http = ScriptedHttp(page(html, etag='"page"'), page(etag='"feed"'))

    reading = whole(http, parser, source(etag='"old"'))

    assert [url for url, _ in http.asked] == [URL, "https://news.example/feed.xml"]
    assert http.asked[1][1] == Validators()
    assert reading.feed_url == "https://news.example/feed.xml"
    assert reading.validators.etag == '"feed"'
    assert len(reading.entries) == 1


def whole(http: ScriptedHttp, parser: ParserPool, of: Source | None = None) -> Reading:
    return read_whole(RssReader(http, parser), of or source())


def naming(*links: str) -> Page:
    """A page that names these feeds."""
    rel = 'rel=alternate type="application/rss+xml"'
    named = "".join(f'<link {rel} href="{link}">' for link in links)
    return page(f"<html>{named}</html>".encode())


def test_of_the_feeds_that_a_page_names_the_first_that_is_one_is_read(
    parser: ParserPool,
) -> None:
    missing = PermanentError("news.example: answered 404", status=404)
    http = ScriptedHttp(naming("/1", "/2", "/3", "/4"), missing, page(b"<html>"), page())

    reading = read_whole(RssReader(http, parser), source())

    assert reading.feed_url == "https://news.example/3"
    assert len(http.asked) == 4


def test_each_visit_asks_one_address_and_leaves_the_others_to_the_next(
    parser: ParserPool,
) -> None:
    http = ScriptedHttp(naming("/1", "/2"), page(b"<html>"), page())
    reader = RssReader(http, parser)

    first = reader.read(source())
    second = reader.read(source(to_ask=first.to_ask))

    assert first == Reading(to_ask=("https://news.example/1", "https://news.example/2"))
    assert second == Reading(to_ask=("https://news.example/2",))
    assert len(http.asked) == 2


def test_a_page_none_of_whose_first_five_feeds_is_one_is_refused(parser: ParserPool) -> None:
    gone = PermanentError("news.example: answered 410", status=410)
    http = ScriptedHttp(naming(*"123456"), *[gone] * 5)

    with pytest.raises(
        PermanentError, match=r"nothing that it names .*: .* answered 410"
    ) as caught:
        whole(http, parser)

    assert caught.value.status is None
    assert len(http.asked) == 6


def test_a_page_that_leads_to_a_page_is_refused(parser: ParserPool) -> None:
    http = ScriptedHttp(naming("/feed.xml"), naming("/feed.xml"))

    with pytest.raises(PermanentError, match=r"https://news\.example/\.\.\. is a page too"):
        whole(http, parser)


def test_a_named_feed_whose_server_is_in_trouble_is_asked_again_later(parser: ParserPool) -> None:
    http = ScriptedHttp(naming("/1", "/comments"), TransientError("news.example: 503"))

    with pytest.raises(TransientError):
        whole(http, parser)


def test_a_page_without_feeds_is_refused_in_plain_words(parser: ParserPool) -> None:
    with pytest.raises(PermanentError, match="not a feed: a web page that names none"):
        RssReader(ScriptedHttp(page(b"<html>hello</html>")), parser).read(source())


@pytest.mark.parametrize("status", [200, 304])
def test_a_permanent_redirect_is_passed_on(parser: ParserPool, status: int) -> None:
    moved = Page(URL, status, {}, FEED, permanent_url="https://new.example/feed")

    reading = RssReader(ScriptedHttp(moved), parser).read(source())

    assert reading.moved_to == "https://new.example/feed"


def test_warnings_of_the_feed_are_passed_on(parser: ParserPool) -> None:
    http = ScriptedHttp(page(FEED.replace(b"</item>", b"</item><item/>")))

    (warning,) = RssReader(http, parser).read(source()).warnings
    assert warning == "entry 2 has neither guid, link, title nor text: skipped"


def test_trouble_on_the_way_stays_what_it_is(parser: ParserPool) -> None:
    http = ScriptedHttp(TransientError("news.example: asked to wait", after=60))

    with pytest.raises(TransientError) as caught:
        RssReader(http, parser).read(source())
    assert caught.value.after == 60
