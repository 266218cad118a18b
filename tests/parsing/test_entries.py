"""The rules that hold for entries of every format."""

from __future__ import annotations

import pytest

from morningdeck.parsing.entries import MAX_TEASER

from .samples import only_entry, only_item, parsed, rss


@pytest.mark.parametrize(
    ("item", "guid"),
    [
        ("<guid>g</guid><link>https://a.example/1</link>", "g"),
        ("<link>https://a.example/1</link>", "https://a.example/1"),
        ("<link>mailto:jo@a.example</link>", "mailto:jo@a.example"),
        (f"<guid>{'x' * 600}</guid>", "sha256:"),
    ],
)
def test_the_guid_is_the_feeds_own_or_the_link(item: str, guid: str) -> None:
    assert only_item(item).guid.startswith(guid)
    assert len(only_item(item).guid) < 100


def test_without_guid_and_link_title_and_text_tell_entries_apart() -> None:
    one, other = parsed(
        rss("<item><title>One</title></item><item><title>Other</title></item>")
    ).entries

    assert one.guid == one.content_hash
    assert one.guid != other.guid


def test_an_entry_of_nothing_is_skipped_with_a_warning_and_the_others_stay() -> None:
    feed = parsed(rss("<item><guid>1</guid></item><item/><item><title>3</title></item>"))

    assert [each.title for each in feed.entries] == ["1", "3"]
    assert feed.warnings == ("entry 2 has neither guid, link, title nor text: skipped",)


def test_a_repeated_entry_comes_once() -> None:
    item = "<item><guid>1</guid><title>x</title></item>"

    assert len(parsed(rss(item * 3)).entries) == 1


def test_different_entries_under_one_guid_are_told_apart_whatever_their_order() -> None:
    one, other = (f"<item><guid>1</guid><title>{title}</title></item>" for title in "ab")

    guids = {each.title: each.guid for each in parsed(rss(one + other)).entries}
    later = {each.title: each.guid for each in parsed(rss(other + one)).entries}

    assert len(set(guids.values())) == 2
    assert guids == later


@pytest.mark.parametrize(
    ("written", "title"),
    [
        ("AT&amp;amp;T", "AT&T"),
        ("AT&amp;amp;amp;T", "AT&T"),
        ("A &lt;b&gt;bold&lt;/b&gt; move", "A bold move"),
        ("Use List&lt;T&gt; if 1 &lt; 2", "Use List<T> if 1 < 2"),
        ("&lt;![CDATA[ok", "<![CDATA[ok"),
        ("  two\n lines ", "two lines"),
        ("a\u0007b", "ab"),
    ],
)
def test_titles_are_plain_text(written: str, title: str) -> None:
    assert only_item(f"<title>{written}</title>").title == title


def test_a_plain_atom_title_keeps_what_looks_like_a_tag() -> None:
    assert only_entry("<title>The &lt;br&gt; tag</title>").title == "The <br> tag"


@pytest.mark.parametrize(
    ("item", "title"),
    [
        ("<title/><description>&lt;p&gt;First words.&lt;/p&gt;</description>", "First words."),
        ("<title/><media:title>Spare</media:title>", "Spare"),
        ("<link>https://a.example/1</link>", "https://a.example/1"),
        ("<enclosure url='https://a.example/pod%20cast.mp3' type='audio/mpeg'/>", "pod cast.mp3"),
        (f"<description>{'word ' * 40}</description>", "word word"),
    ],
)
def test_no_entry_is_without_a_title(item: str, title: str) -> None:
    found = only_item(item).title

    assert found.startswith(title)
    assert len(found) <= 81


@pytest.mark.parametrize(
    ("item", "url"),
    [
        ("<link>https://a.example/1</link>", "https://a.example/1"),
        ("<link> /1\n</link>", "https://news.example/1"),
        ("<guid>https://a.example/g</guid>", "https://a.example/g"),
        ("<guid isPermaLink='false'>https://a.example/g</guid>", None),
        ("<guid>17</guid>", None),
        ("<title>x</title><link>javascript:alert(1)</link>", None),
        ("<link uri='at://did:plc:1/2'>https://a.example/1</link>", "https://a.example/1"),
        ("<media:thumbnail url='https://a.example/1.jpg'/>", "https://a.example/1.jpg"),
        ("<enclosure url='https://a.example/1.png' type='image/png'/>", "https://a.example/1.png"),
        ("<content type='image/png' src='/1.png'/>", "https://news.example/1.png"),
        ("<content type='text/html' src='/1'/>", "https://news.example/1"),
        (
            "<description>&lt;iframe width='9' src='//v.example/1'&gt;</description>",
            "https://v.example/1",
        ),
        (
            "<description>&lt;video&gt;&lt;source src='/a?b&amp;amp;c'&gt;</description>",
            "https://news.example/a?b&c",
        ),
        ("<title>x</title><link>ftp://a.example/1</link>", None),
        ("<enclosure url='https://a.example/1.mp3' type='audio/mpeg'/>", "https://a.example/1.mp3"),
        (
            "<link>https://b\u00fccher.example/\u00e4?\u00f6=1</link>",
            "https://xn--bcher-kva.example/%C3%A4?%C3%B6=1",
        ),
    ],
)
def test_links_lead_to_the_web_or_nowhere(item: str, url: str | None) -> None:
    assert only_item(item).url == url


@pytest.mark.parametrize(
    ("item", "image"),
    [
        ("<enclosure url='/1.png' type='image/png'/>", "https://news.example/1.png"),
        (
            "<media:group><media:content url='/1' medium='image'/></media:group>",
            "https://news.example/1",
        ),
        (
            "<media:content url='/1.mp4'><media:thumbnail url='/t'/></media:content>",
            "https://news.example/t",
        ),
        ("<itunes:image href='/1'/>", "https://news.example/1"),
        (
            "<description>&lt;img src='/p.gif' width='1'&gt;"
            "&lt;img src='/a?b&amp;amp;c'&gt;</description>",
            "https://news.example/a?b&c",
        ),
        ("<enclosure url='/1.mp3' type='audio/mpeg'/>", None),
        ("<itunes:image href='data:image/png;base64,AAAA'/>", None),
    ],
)
def test_the_image_is_found(item: str, image: str | None) -> None:
    assert only_item(f"<title>x</title>{item}").image_url == image


@pytest.mark.parametrize(
    ("item", "author"),
    [
        ("<author>jo@a.example (Jo Doe)</author>", "Jo Doe"),
        ("<author>Jo</author><dc:creator>Jo</dc:creator>", "Jo"),
        ("<itunes:author>Jo</itunes:author>", "Jo"),
        ("<author/>", None),
    ],
)
def test_the_author_is_a_name(item: str, author: str | None) -> None:
    assert only_item(f"<title>x</title>{item}").author == author


def test_the_hash_changes_with_the_text_and_not_with_the_markup() -> None:
    def digest(description: str) -> str:
        return only_item(f"<title>x</title><description>{description}</description>").content_hash

    assert digest("&lt;p&gt;a  b&lt;/p&gt;") == digest("a b")
    assert digest("a b") != digest("a c")


def test_the_texts_of_a_feed_that_has_too_much_of_them_are_cut() -> None:
    items = [
        f"<item><guid>{n}</guid><description>{'word ' * 80_000}</description></item>"
        for n in "abcdefghij"
    ]
    feed = parsed(rss("".join(items)))
    first, *_, last = feed.entries

    assert len(first.text) > 300_000
    assert len(last.text) == len(last.html) <= MAX_TEASER
    assert (
        last.content_hash
        == only_item(f"<description>{'word ' * 80_000}</description>").content_hash
    )
    assert feed.warnings == ("the texts of 3 entries were cut: there is too much in one feed",)


def test_dates_decide_nothing_and_unknown_ones_are_none() -> None:
    future = only_item("<title>x</title><pubDate>Fri, 01 Jan 2100 00:00:00 GMT</pubDate>")

    assert future.published_at is not None
    assert future.published_at.year == 2100
    assert only_item("<title>x</title><pubDate>soon</pubDate>").published_at is None


def test_a_bad_date_leaves_the_word_to_the_next() -> None:
    entry = only_entry("<id>1</id><published>2026-13-40</published><updated>2026-11-18</updated>")

    assert str(entry.published_at) == "2026-11-18 00:00:00+00:00"
