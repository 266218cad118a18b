"""Every format of feed, and what is no feed at all."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from urllib.parse import urlsplit

import pytest

from morningdeck.errors import PermanentError

from .samples import URL, atom, only_entry, only_item, parsed, rss

RSS_1 = b"""<?xml version="1.0"?>
<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"
         xmlns="http://purl.org/rss/1.0/" xmlns:dc="http://purl.org/dc/elements/1.1/">
  <channel rdf:about="https://news.example/"><title>Old News</title></channel>
  <item rdf:about="https://news.example/1">
    <title>One</title><link>https://news.example/1</link><dc:date>2026-11-18T08:00Z</dc:date>
  </item>
</rdf:RDF>"""

ATOM_03 = b"""<feed version="0.3" xmlns="http://purl.org/atom/ns#">
  <entry><title mode="escaped" type="text/html">A &amp;amp; B</title>
    <link rel="alternate" type="text/html" href="/1"/><id>tag:news.example,2004:1</id>
    <issued>2004-05-06T07:08:09+02:00</issued>
    <content type="text/html" mode="escaped">&lt;p&gt;Hello&lt;/p&gt;</content></entry>
</feed>"""

JSON = b"""{"version": "https://jsonfeed.org/version/1.1", "title": "J", "items": [
  {"id": 7, "url": "/7", "title": "Seven", "content_html": "<p>Hi</p>",
   "authors": [{"name": "Jo"}], "image": "/7.png", "date_published": "2026-11-18T08:00:00+01:00"},
  {"id": "8", "content_text": "1 < 2 & 3"}, "nonsense"]}"""


def test_rss_2_tells_everything_about_an_item() -> None:
    entry = only_item(
        "<title>Hello</title><link>https://news.example/1</link><guid>n1</guid>"
        "<pubDate>Wed, 18 Nov 2026 08:00:00 +0100</pubDate><dc:creator>Jo Doe</dc:creator>"
        "<description>short</description>"
        "<content:encoded><![CDATA[<p>The whole <b>text</b></p>]]></content:encoded>"
        '<media:thumbnail url="https://news.example/1.jpg"/>'
    )

    assert (entry.guid, entry.url, entry.title) == ("n1", "https://news.example/1", "Hello")
    assert entry.author == "Jo Doe"
    assert entry.published_at == datetime(2026, 11, 18, 7, 0, tzinfo=UTC)
    assert entry.html == "<p>The whole <b>text</b></p>"
    assert entry.text == "The whole text"
    assert entry.image_url == "https://news.example/1.jpg"


def test_atom_1_tells_everything_about_an_entry() -> None:
    entry = only_entry(
        "<title type='html'>Hello &amp;amp; bye</title><id>urn:1</id>"
        "<link rel='self' href='/self'/><link href='/1'/><author><name>Jo</name></author>"
        "<author><name>Bo</name></author>"
        "<updated>2026-11-18T09:00:00Z</updated><published>2026-11-18T08:00:00Z</published>"
        "<content type='xhtml'><div xmlns='http://www.w3.org/1999/xhtml'>"
        "<p>Hi <em>you</em></p></div></content>"
    )

    assert (entry.guid, entry.url) == ("urn:1", "https://news.example/1")
    assert (entry.title, entry.author) == ("Hello & bye", "Jo, Bo")
    assert entry.published_at == datetime(2026, 11, 18, 8, 0, tzinfo=UTC)
    assert entry.html == "<div><p>Hi <em>you</em></p></div>"


def test_rdf_items_stand_beside_their_channel() -> None:
    feed = parsed(RSS_1)

    assert feed.title == "Old News"
    assert [(each.guid, each.title) for each in feed.entries] == [("https://news.example/1", "One")]


def test_atom_03_still_reads() -> None:
    (entry,) = parsed(ATOM_03).entries

    assert (entry.title, entry.text) == ("A & B", "Hello")
    assert entry.published_at == datetime(2004, 5, 6, 5, 8, 9, tzinfo=UTC)


def test_a_json_feed_reads_with_its_oddities() -> None:
    feed = parsed(JSON)

    seven, eight = feed.entries
    assert (seven.guid, seven.url, seven.author) == ("7", "https://news.example/7", "Jo")
    assert seven.image_url == "https://news.example/7.png"
    assert (eight.title, eight.text) == ("1 < 2 & 3", "1 < 2 & 3")
    assert feed.warnings == ("entry 3 has neither guid, link, title nor text: skipped",)


@pytest.mark.parametrize(
    ("body", "languages"),
    [
        (rss("<language>de-AT</language><item><guid>1</guid></item>"), ["de"]),
        (rss("<dc:language>FR</dc:language><item><guid>1</guid></item>"), ["fr"]),
        (
            rss(
                "<language>en_us</language><item><guid>1</guid><dc:language>nl</dc:language></item>"
                "<item><guid>2</guid></item>"
            ),
            ["nl", "en"],
        ),
        (
            b'<feed xmlns="http://www.w3.org/2005/Atom" xml:lang="es"><entry><id>1</id></entry>'
            b'<entry xml:lang="pt-BR"><id>2</id></entry></feed>',
            ["es", "pt"],
        ),
        (
            b'{"title": "J", "language": "it", "items": [{"id": 1}, {"id": 2, "language": "ja"}]}',
            ["it", "ja"],
        ),
        (rss("<language>German</language><item><guid>1</guid></item>"), [None]),
        (rss("<language></language><item><guid>1</guid></item>"), [None]),
        (b"<rss><channel><language>sv</language><item><guid>1</guid></item><b></channel>", ["sv"]),
    ],
)
def test_a_feed_may_say_what_language_it_is_in(body: bytes, languages: list[str | None]) -> None:
    assert [entry.language for entry in parsed(body).entries] == languages


def test_entries_keep_the_order_of_the_feed() -> None:
    feed = parsed(rss("".join(f"<item><title>{n}</title></item>" for n in (3, 1, 2))))

    assert [each.title for each in feed.entries] == ["3", "1", "2"]


@pytest.mark.parametrize("name", ["ITEM", "Item"])
def test_names_in_capitals_are_understood(name: str) -> None:
    feed = parsed(f"<RSS><CHANNEL><{name}><TITLE>x</TITLE></{name}></CHANNEL></RSS>".encode())

    assert [each.title for each in feed.entries] == ["x"]


def test_an_empty_feed_is_a_feed() -> None:
    assert parsed(rss("<title>Quiet</title>")).title == "Quiet"
    assert parsed(atom("<title>Quiet</title>")).entries == ()


@pytest.mark.parametrize(
    ("asked", "ttl"),
    [
        ("<ttl>90</ttl>", timedelta(minutes=90)),
        ("<sy:updatePeriod>daily</sy:updatePeriod>", timedelta(hours=24)),
        (
            "<sy:updatePeriod>daily</sy:updatePeriod><sy:updateFrequency>4</sy:updateFrequency>",
            timedelta(hours=6),
        ),
        ("<ttl>30</ttl><sy:updatePeriod>hourly</sy:updatePeriod>", timedelta(hours=1)),
        ("<ttl>often</ttl>", None),
        ("", None),
    ],
)
def test_the_longest_wait_that_a_feed_asks_for_counts(asked: str, ttl: timedelta | None) -> None:
    assert parsed(rss(asked)).ttl == ttl


def test_a_page_names_its_feeds() -> None:
    page = b"""<!DOCTYPE html><html><head><base href="https://blog.example/">
      <link rel="alternate" type="application/json" href="/wp-json/1">
      <link rel="Alternate" type="application/rss+xml; charset=utf-8" href="feed/"></head>
      <body><a href="https://other.example/atom.xml">Atom</a><a href="/about">About</a>"""

    feed = parsed(page)

    assert feed.feed_links == ("https://blog.example/feed/", "https://other.example/atom.xml")
    assert feed.entries == ()


def test_feeds_of_comments_are_named_last() -> None:
    link = '<link rel="alternate" type="application/rss+xml"'
    page = f"""<!DOCTYPE html><html><head>{link} href="/comments/feed/">
      {link} href="/talk" title="Blog &raquo; Comments Feed">{link} href="/feed/"></head>
      <body><a href="/atom.xml">Atom</a>"""

    paths = [urlsplit(link).path for link in parsed(page.encode()).feed_links]

    assert paths == ["/feed/", "/atom.xml", "/comments/feed/", "/talk"]


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        (b"", "the answer is empty"),
        (b"  \n ", "the answer is empty"),
        (b"%PDF-1.7 ...", "looks like a PDF"),
        (b"hello there", "no XML at all"),
        (b"<html><body>Not found</body></html>", "a web page that names none"),
        (b'{"error": "no"}', "JSON without a list of items"),
        (b'{"items": [', "broken JSON"),
        (b'<opml version="2.0"><body/></opml>', "OPML list"),
        (b'<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"/>', "a sitemap"),
    ],
)
def test_what_is_no_feed_is_called_what_it_is(body: bytes, reason: str) -> None:
    with pytest.raises(PermanentError, match=f"not a feed: .*{reason}"):
        parsed(body)


def test_relative_links_follow_xml_base_then_the_feed() -> None:
    based = parsed(atom('<entry xml:base="https://a.example/b/"><link href="c"/></entry>'))
    plain = parsed(atom("<entry><link href='c'/></entry>"))
    channel = parsed(rss("<link>https://site.example/</link><item><link>c</link></item>"))

    assert based.entries[0].url == "https://a.example/b/c"
    assert plain.entries[0].url == URL.replace("feed.xml", "c")
    assert channel.entries[0].url == "https://site.example/c"
