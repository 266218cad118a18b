"""Feeds that are not what XML asks for, and encodings that are not what they say."""

from __future__ import annotations

import codecs
import gzip

import pytest

from .samples import atom, parsed, rss

TITLES = "<title>caf\u00e9 \u2014 \u65e5\u672c</title>"


@pytest.mark.parametrize(
    "broken",
    [
        "<item><title>caf&eacute;&nbsp;&amp; bar</title></item>",
        "<item><title>caf\u00e9 & bar</title></item>",
        "<item><title>caf\u00e9 &amp; bar</title></item></channel></rss><script>",
        "<item><title>caf\u00e9 &amp; bar</title><b></item>",
        "<item><title>caf\u00e9 &amp; bar</title><x:y>1</x:y></item>",
        "<item><title>caf\u00e9\x00 &amp;\x0b bar</title></item>",
    ],
)
def test_a_broken_feed_gives_its_items(broken: str) -> None:
    feed = parsed(rss(broken))

    assert [each.title for each in feed.entries] == ["caf\u00e9 & bar"]


def test_a_feed_that_was_cut_off_gives_what_arrived() -> None:
    whole = rss("".join(f"<item><title>Number {n}</title></item>" for n in range(9)))

    feed = parsed(whole[:-60])

    assert [each.title for each in feed.entries] == [f"Number {n}" for n in range(8)]
    assert feed.warnings == ("broken, read as far as possible",)


def test_entries_are_the_same_ones_when_the_feed_is_whole_again() -> None:
    whole = rss("".join(f"<item><guid>a-{n}</guid><title>{n}</title></item>" for n in range(9)))

    cut = parsed(whole[:-60])

    assert [each.guid for each in cut.entries] == [each.guid for each in parsed(whole).entries][:8]


def test_dates_of_a_broken_feed_are_read_as_those_of_a_whole_one() -> None:
    dates = "<published>2026-11-32</published><updated>2026-11-18T08:00:00Z</updated>"
    whole = atom(f"<entry><id>a</id><title>x</title>{dates}</entry>")

    (cut,) = parsed(whole.removesuffix(b"</feed>")).entries

    assert cut.published_at == parsed(whole).entries[0].published_at
    assert str(cut.published_at) == "2026-11-18 08:00:00+00:00"


def test_junk_before_the_feed_is_passed_over() -> None:
    feed = parsed(b"\n\nWarning: mysql gone in /x.php\n" + rss("<item><title>x</title></item>"))

    assert [each.title for each in feed.entries] == ["x"]


def test_entities_inside_cdata_stay_what_they_are() -> None:
    feed = parsed(rss("<item><link><![CDATA[https://a.example/?a=1&b=2]]></link>&bad;</item>"))

    assert feed.entries[0].url == "https://a.example/?a=1&b=2"


def test_a_doctype_is_dropped_with_all_it_declares() -> None:
    bomb = (
        b'<!DOCTYPE rss [<!ENTITY a "boom"><!ENTITY b "&a;&a;">'
        b'<!ENTITY c SYSTEM "file:///etc/passwd">]>'
        + rss("<item><title>&b;&c;x</title></item>")[21:]
    )

    assert parsed(bomb).entries[0].title == "&b;&c;x"


@pytest.mark.parametrize(
    ("encoding", "declared", "content_type"),
    [
        ("utf-8", "utf-8", None),
        ("utf-8", None, "application/xml; charset=ISO-8859-1"),
        ("utf-8", "iso-8859-1", None),
        ("utf-8", "nonsense-9", "text/xml; charset=hex"),
        ("utf-16", "utf-16", None),
        ("utf-16-le", "utf-16", None),
        ("utf-16-be", None, None),
        ("utf-8-sig", "shift_jis", "text/xml; charset=big5"),
        ("gb18030", "gb2312", None),
        ("utf-8", "utf-16", None),
        ("gb18030", None, "text/xml; charset=gb18030"),
        ("gb18030", "iso-8859-1", "text/xml; charset='gbk'"),
        ("utf-8", "koi8-r", "text/xml; charset=undefined"),
    ],
)
def test_the_encoding_is_found(
    encoding: str, declared: str | None, content_type: str | None
) -> None:
    head = f'<?xml version="1.0" encoding="{declared}"?>' if declared else ""
    text = f"{head}<rss><channel><item>{TITLES}</item></channel></rss>"

    feed = parsed(text.encode(encoding), content_type)

    assert [each.title for each in feed.entries] == ["caf\u00e9 \u2014 \u65e5\u672c"]


def test_windows_quotes_survive_a_claim_of_latin_1() -> None:
    claim = b'<?xml version="1.0" encoding="iso-8859-1"?>'
    body = claim + b"<rss><item><title>\x93x\x94</title></item></rss>"

    assert parsed(body).entries[0].title == "\u201cx\u201d"


def test_one_bad_byte_spoils_only_itself() -> None:
    body = rss("<item><title>caf\u00e9 \u2014 ok?</title></item>").replace(b"?</t", b"\xff</t")

    assert parsed(body).entries[0].title == "caf\u00e9 \u2014 ok\ufffd"


def test_a_mark_alone_is_an_encoding() -> None:
    body = codecs.BOM_UTF16_BE + "<rss><item><title>\u00e9</title></item></rss>".encode("utf-16-be")

    assert parsed(body).entries[0].title == "\u00e9"


def test_a_feed_sent_compressed_is_unpacked() -> None:
    assert parsed(gzip.compress(rss("<title>T</title>"))).title == "T"


def test_html_in_a_sloppy_feed_is_not_taken_for_a_page() -> None:
    feed = parsed(rss("<item><title>x</title><description><div>open</description></item>"))

    assert [each.text for each in feed.entries] == ["open"]


@pytest.mark.parametrize(
    "feed",
    [
        b'<a:feed><a:entry><a:title>One</a:title><a:link href="https://a.example/1"/></a:entry></a:feed>',
        b"<rss><channel><x:item><x:title>One</x:title><x:link>https://a.example/1</x:link></x:item>"
        b"</channel></rss>",
        b'<rdf:RDF><channel/><item rdf:about="https://a.example/1"><title>One</title></item></rdf:RDF>',
    ],
)
def test_prefixes_that_nobody_declared_mean_what_they_always_do(feed: bytes) -> None:
    (entry,) = parsed(feed).entries

    assert (entry.title, entry.url or entry.guid) == ("One", "https://a.example/1")


def test_one_lost_end_of_a_title_costs_no_other_entry() -> None:
    entries = "".join(
        f'<entry><title>Number {n}</title><link href="https://a.example/{n}"/></entry>'
        for n in range(9)
    )
    feed = parsed(atom(entries.replace("Number 4</title>", "Number 4")))

    others = {f"https://a.example/{n}" for n in range(9) if n != 4}
    assert others <= {entry.url for entry in feed.entries}


def test_a_feed_that_lost_its_root_is_no_page() -> None:
    feed = parsed(atom("<title>F</title><entry><title>One</title></entry>")[1:])

    assert [entry.title for entry in feed.entries] == ["One"]


@pytest.mark.parametrize("before", ["\0", "\0\0\0", ""])
@pytest.mark.parametrize("within", ["\0", ""])
def test_a_zero_byte_makes_no_other_encoding(before: str, within: str) -> None:
    feed = parsed(f"{before}<{within}rss><item><title>x</title></item></rss>".encode())

    assert [entry.title for entry in feed.entries] == ["x"]
