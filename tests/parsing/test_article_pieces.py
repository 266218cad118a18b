"""Articles that their pages have in pieces, or in a block that links make look like none."""

from __future__ import annotations

import pytest

from morningdeck.parsing.page import parse_page

CLASSES = [
    "article-body",
    "article-body-{}",
    "article__body",
    "entry-content",
    "post-content",
    "story-body",
    "text",
]
AD = '<div class="ad"><p>Advertisement: buy boats.</p></div>'


def paragraphs(first: int, last: int) -> str:
    return "".join(
        f"<p>The harbour opens its part {n} to ferries on Monday, the authority said, and the"
        f" trains wait at quay {n} until the last passenger has boarded.</p>"
        for n in range(first, last)
    )


def parts(inside: str) -> list[int]:
    """Which parts of the article were read."""
    page = f"<html><head><title>Harbour</title></head><body>{inside}</body></html>"
    text = parse_page(page.encode(), url="https://news.example/2026/harbour").text
    return [n for n in range(20) if f"its part {n} to" in text]


@pytest.mark.parametrize("name", CLASSES)
@pytest.mark.parametrize("row", ["{}", '<div class="row">{}</div>'])
def test_an_article_in_several_containers_is_read_to_its_end(name: str, row: str) -> None:
    pieces = [
        row.format(f'<div class="{name.format(n)} part-{n}">{paragraphs(3 * n, 3 * n + 3)}</div>')
        for n in range(3)
    ]

    assert parts(f"<article><h1>Harbour</h1>{AD.join(pieces)}</article>") == [*range(9)]


def test_a_property_tells_the_pieces_as_well_as_a_class() -> None:
    pieces = [f"<div itemprop=articleBody>{paragraphs(n, n + 3)}</div>" for n in (0, 3)]

    assert parts(f"<main><h1>Harbour</h1>{AD.join(pieces)}</main>") == [*range(6)]


def test_headings_between_pieces_stay_in_the_article() -> None:
    pieces = [f'<div class="article-body">{paragraphs(n, n + 3)}</div>' for n in (0, 3)]
    page = f"<body><article><h1>Harbour</h1>{'<h2>At the quay</h2>'.join(pieces)}</article>"

    text = parse_page(page.encode(), url="https://news.example/1").text

    assert text.split("\n")[-4] == "At the quay"


@pytest.mark.parametrize(
    "between",
    [
        '<h2><a href="/other">Another story</a></h2>',
        '<a href="/other"><h3>Another story</h3></a>',
        "<h1>Another story</h1>",
    ],
)
def test_a_headline_that_leads_elsewhere_begins_another_article(between: str) -> None:
    pieces = [f'<div class="entry-content">{paragraphs(n, n + 4)}</div>' for n in (0, 4)]

    assert parts(f"<main><h1>Harbour</h1>{between.join(pieces)}</main>") == [*range(4)]


def test_what_others_wrote_below_is_not_the_article() -> None:
    own = f'<div class="post-content">{paragraphs(0, 4)}</div>'
    others = "".join(f'<div class="post-content">{paragraphs(n, n + 2)}</div>' for n in (4, 6))

    for name in ("comments", "related-stories"):
        page = f'<main><h1>Harbour</h1>{own}<div class="{name}">{others}</div></main>'
        assert parts(page) == [*range(4)]


def test_links_do_not_decide_which_block_is_the_article() -> None:
    own = paragraphs(0, 4).replace("the authority said", '<a href="/m">the authority said</a>')
    linked = "".join(
        f'<section><a href="/{n}">Another article speaks of the trains of part {n} that wait at'
        ' the quay until the last has boarded.</a> <a href="/x">more</a></section>'
        for n in range(3)
    )
    page = f'<div class="x">{own}</div><div class="article-body">{linked}</div>'

    assert parts(f"<article>{page}</article>") == [*range(4)]


def test_paragraphs_that_are_links_are_not_lost() -> None:
    rows = "".join(
        f'<section><a href="/{n}">The harbour opens its part {n} to ferries on Monday, the'
        f" authority said.</a>{' <a href=/x>more</a>' if n % 2 else ''}</section>"
        for n in range(4)
    )

    assert parts(f'<section class="entry-content">{rows}{paragraphs(4, 5)}</section>') == [
        *range(5)
    ]
