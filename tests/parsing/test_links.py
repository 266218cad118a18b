"""Lists of articles on pages without a feed."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from morningdeck.errors import PermanentError
from morningdeck.model.reading import LinkPage
from morningdeck.parsing.links import parse_links
from morningdeck.parsing.pool import ParserPool

URL = "https://news.example/energy"
TITLES = (
    "Offshore wind farm feeds its first power into the grid",
    "Grid storage auction clears at a record low price",
    "Heat pumps outsell gas boilers for the first time",
)
MENU = "".join(f"<li><a href='/{name}'>{name.title()}</a></li>" for name in ("news", "sport", "tv"))
FURNITURE = (
    f"<nav><ul>{MENU}</ul></nav>",
    "<footer><a href='/terms'>Terms and conditions of the use of this site</a>"
    "<a href='/privacy'>Privacy policy and cookie settings of this site</a></footer>",
)


def read(content: str) -> LinkPage:
    menu, footer = FURNITURE
    page = f"<html><head><title>Energy news</title></head><body>{menu}{content}{footer}</body>"
    return parse_links(page.encode(), url=URL, content_type="text/html")


def card(number: int, title: str) -> str:
    return (
        f"<article class='card card-{number}'><a href='/{number}'><img src='/{number}.jpg'></a>"
        f"<h2><a href='/{number}?utm_source=front'>{title}</a></h2>"
        f"<p>Teaser {number}. <a href='/by/ada'>Ada Lovelace</a></p>"
        f"<time datetime='2026-11-{number:02}T08:00:00Z'>today</time>"
        f"<a href='/{number}#comments'>{number} comments</a></article>"
    )


CARDS = "".join(card(number, title) for number, title in enumerate(TITLES, 1))


def test_the_articles_of_a_page_come_in_its_order() -> None:
    found = read(f"<main>{CARDS}</main>")

    assert found.title == "Energy news"
    assert tuple(entry.title for entry in found.entries) == TITLES
    first = found.entries[0]
    assert first.guid == first.canonical_url == "https://news.example/1"
    assert first.image_url == "https://news.example/1.jpg"
    assert first.text == "Teaser 1."
    assert first.published_at == datetime(2026, 11, 1, 8, tzinfo=UTC)


@pytest.mark.parametrize(
    "item",
    [
        "<li><a href='/{n}'>{title}</a> (example.org)</li>",
        "<tr><td><b class='t'><a href='/{n}'>{title}</a></b> <a href='/c/{n}'>9</a></td></tr>",
        "<a class='card' href='/{n}'><h3>{title}</h3><p>More about it.</p></a>",
        "<div class='post-{n}'><h4>{title}</h4><a href='/{n}' title='{title}'></a></div>",
    ],
)
def test_lists_are_written_in_many_ways(item: str) -> None:
    items = "".join(item.format(n=n, title=title) for n, title in enumerate(TITLES))
    found = read(f"<table>{items}</table>" if "<tr>" in item else f"<div>{items}</div>")

    assert tuple(entry.title for entry in found.entries) == TITLES


def test_the_words_in_a_card_that_is_a_link_are_told() -> None:
    cards = "".join(
        f"<a href='/{n}'><h3>{title}</h3><p>About {n}.</p></a>" for n, title in enumerate(TITLES)
    )

    assert [entry.text for entry in read(cards).entries] == ["About 0.", "About 1.", "About 2."]


def test_titles_in_chinese_say_much_in_few_characters() -> None:
    items = "".join(f"<li><a href='/{n}'>海上风电场并网发电</a></li>" for n in range(3))

    assert len(read(f"<ul>{items}</ul>").entries) == 3


def test_menus_tags_and_buttons_are_no_articles() -> None:
    tags = "".join(f"<li><a href='/tag/{n}'>tag {n}</a></li>" for n in range(30))
    sidebar = "<div class='sidebar'><a href='/a'>A long title that is only an advertisement</a>"
    sidebar += "<a href='/b'>Another long title that is only an advertisement</a></div>"

    found = read(f"<ul>{tags}</ul>{CARDS}{sidebar}")

    assert tuple(entry.title for entry in found.entries) == TITLES


def test_a_page_without_a_list_has_no_entries() -> None:
    assert read("<main><p>Nothing <a href='/x'>here</a>.</p></main>").entries == ()


def test_links_lead_to_the_web_and_away_from_the_page_itself() -> None:
    items = "".join(
        f"<li><a href='{href}'>A title that is long enough, {n}</a></li>"
        for n, href in enumerate(("javascript:x()", "mailto:a@b.c", "#top", URL, "/1", "/2"))
    )

    links = [entry.url for entry in read(f"<ul>{items}</ul>").entries]

    assert links == ["https://news.example/1", "https://news.example/2"]


def test_what_stands_around_a_title_does_not_make_it_new() -> None:
    before, after = read(CARDS), read(CARDS.replace("Teaser", "An hour ago"))

    assert before.digest != after.digest
    hashes = [[entry.content_hash for entry in page.entries] for page in (before, after)]
    assert hashes[0] == hashes[1]


def test_the_digest_is_of_what_can_be_seen() -> None:
    same = "<script>var now = 1</script><div class='x' hidden>secret</div>"

    assert read(CARDS + same).digest == read(CARDS).digest


def test_what_is_no_page_is_refused_by_a_child(pool: ParserPool) -> None:
    with pytest.raises(PermanentError, match=r"news\.example: not a web page"):
        pool.links(b"%PDF-1.7", url=URL, content_type="application/pdf")


def test_a_page_of_nothing_but_links_is_read_in_time(pool: ParserPool) -> None:
    body = b"<html><body>" + b"<p><a href='/x'>A title that is long enough</a></p>" * 100_000

    assert len(pool.links(body, url=URL, content_type="text/html").entries) <= 1
