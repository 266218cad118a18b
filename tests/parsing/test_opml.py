"""Lists of feeds, mostly not well-formed."""

from __future__ import annotations

import re
from typing import Any

import pytest

from morningdeck.errors import PermanentError
from morningdeck.model.reading import ListedFeed
from morningdeck.parsing.opml import parse_opml

from .conftest import Corpus

_ABOUT_FEEDS = re.compile(
    rb"Eval: ((?:len\()?result\[[\"']feeds[\"']\](?!.*(?:tags|categories)).*)", re.M
)


def test_folders_nest_and_order_and_repetitions_stay() -> None:
    listed = parse_opml(
        b"""<opml><body><outline text="A &amp; B"><outline title="C">
        <outline text="one" xmlUrl="https://a.example/1"/></outline>
        <outline xmlurl='https://a.example/2' TITLE='two'></outline></outline>
        <outline type="rss" text="one" XMLURL=" https://a.example/1 "/></body></opml>"""
    )

    assert listed == (
        ListedFeed("https://a.example/1", "one", ("A & B", "C")),
        ListedFeed("https://a.example/2", "two", ("A & B",)),
        ListedFeed("https://a.example/1", "one"),
    )


@pytest.mark.parametrize(
    ("attributes", "title"),
    [
        (
            """text="The "Editor's" Choice" xmlUrl="https://a.example/1\"""",
            """The "Editor's" Choice""",
        ),
        ("""xmlUrl="https://a.example/1" text='a "b' c" d'""", """a "b' c" d"""),
        ("""text="x > y" checked xmlUrl="https://a.example/1\"""", "x > y"),
        ("""text="a <b>c</b>" xmlUrl="https://a.example/1\"""", "a <b>c</b>"),
    ],
)
def test_quotation_marks_in_a_name_cost_no_feed(attributes: str, title: str) -> None:
    listed = parse_opml(f"<opml><outline {attributes}/>\n<outline {attributes} /></opml>".encode())

    assert listed == (ListedFeed("https://a.example/1", title),) * 2


def test_a_broken_list_gives_all_its_feeds() -> None:
    listed = parse_opml(
        b'<opml><body><outline text="R&D <3"><outline text=bad xmlUrl="https://a.example/?a=1&b=2">'
        b'<outline xmlUrl="https://a.example/2"/><outline xmlUrl="https://a.example/3"/'
    )

    assert [feed.url for feed in listed] == ["https://a.example/?a=1&b=2", "https://a.example/2"]


@pytest.mark.parametrize(
    ("attributes", "title"),
    [
        ('text="lost its end xmlUrl="https://a.example/?a=1&amp;b=2"', "lost its end"),
        ('text="x" xmlUrl=https://a.example/?a=1&b=2', "x"),
        ('text="x" xmlUrl="https://a.example/?a=1&b=2', "x"),
    ],
)
def test_an_address_is_found_without_its_quotation_marks(attributes: str, title: str) -> None:
    listed = parse_opml(f"<opml><outline {attributes} />\n<outline {attributes}/></opml>".encode())

    assert listed == (ListedFeed("https://a.example/?a=1&b=2", title),) * 2


def test_what_is_no_list_is_refused_and_an_empty_one_is_not() -> None:
    assert parse_opml(b'<opml version="2.0"><body/></opml>') == ()
    with pytest.raises(PermanentError, match="not an OPML list"):
        parse_opml(b"<html><body>hello</body></html>")


def test_a_real_list_of_422_feeds_comes_whole(corpus: Corpus) -> None:
    (body,) = (body for name, body in corpus("opml-engblogs").items() if name.endswith(".opml"))

    listed = parse_opml(body)

    assert len(listed) == body.count(b"xmlUrl=") == 422
    assert all(feed.url.startswith("http") and feed.title for feed in listed)


def test_lists_mean_what_listparser_says_they_mean(corpus: Corpus) -> None:
    checked = 0
    for name, body in corpus("opml-listparser").items():
        if name.startswith(("opml/", "malformed/")) and "duplication" not in name:
            listed = parse_opml(body)
            result: dict[str, Any] = {
                "feeds": [{"url": feed.url, "title": feed.title} for feed in listed]
            }
            for claim in _ABOUT_FEEDS.findall(body):
                assert eval(claim.decode(), {"result": result}), f"{name}: {claim!r}"
                checked += 1
    assert checked > 20
