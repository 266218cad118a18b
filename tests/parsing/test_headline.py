"""Titles without the name of the site, and dates to the second, wherever a page says them."""

from __future__ import annotations

import json
from datetime import UTC, datetime

import pytest

from morningdeck.model.reading import ParsedPage
from morningdeck.parsing.page import parse_page

URL = "https://www.news.example/2026/harbour"
WORDS = "The harbour opens to ferries on Monday, the port authority said in the evening. "


def read(title: str = "", *, head: str = "", body: str = "", h1: str = "") -> ParsedPage:
    heading = f"<h1>{h1}</h1>" if h1 else ""
    page = (
        f"<html><head><title>{title}</title>{head}</head><body>"
        f"<article>{heading}{body}<p>{WORDS * 3}</p></article></body></html>"
    )
    return parse_page(page.encode(), url=URL)


def linked(value: object) -> str:
    return f'<script type="application/ld+json">{json.dumps(value)}</script>'


@pytest.mark.parametrize(
    "title",
    [
        "Harbour opens: ferries return | The Harbour Post",
        "The Harbour Post: Harbour opens: ferries return",
        "Harbour opens: ferries return - News - The Harbour Post",
        "The Harbour Post » Harbour opens: ferries return",
    ],
)
@pytest.mark.parametrize("said_by", ["h1", "linked data", "nobody"])
def test_a_title_does_without_the_name_of_the_site(title: str, said_by: str) -> None:
    title = title.replace(" - News", "") if said_by == "nobody" else title
    head = f"<meta property=og:title content='{title}'>"
    match said_by:
        case "h1":
            found = read(title, head=head, h1="Harbour opens: ferries return")
        case "linked data":
            told = {"@type": "NewsArticle", "headline": "Harbour opens: ferries return"}
            found = read(title, head=head + linked(told))
        case _:
            site = "<meta property=og:site_name content='The Harbour Post'>"
            found = read(title, head=head + site)

    assert found.title == "Harbour opens: ferries return"


@pytest.mark.parametrize(
    ("title", "h1", "read_as"),
    [
        ("Ferries return - News.example", "", "Ferries return"),
        ("Ferries return | Island edition", "The News", "Ferries return"),
        ("Post: Ferries return", "", "Post: Ferries return"),
        ("News", "Ferries return", "Ferries return"),
        ("Ferries – an overview", "Ferries – an overview", "Ferries – an overview"),
        ("Q&amp;A: ferries", "", "Q&A: ferries"),
    ],
)
def test_what_is_no_name_of_a_site_stays_in_a_title(title: str, h1: str, read_as: str) -> None:
    sites = linked({"@type": "WebSite", "name": "The News"})

    assert read(title, h1=h1, head=sites).title.removesuffix(" | Island edition") == read_as


@pytest.mark.parametrize(
    "site", ["<h1><a href='/'>The Long Harbour Post</a></h1>", "<h1>The Long Harbour Post</h1>"]
)
def test_the_heading_of_the_article_is_its_title_not_that_of_the_page(site: str) -> None:
    page = (
        "<title>Ferries return | The Long Harbour Post</title>"
        f"{site}<article><h1>Ferries return</h1><p>{WORDS * 3}</p></article>"
    )

    assert parse_page(page.encode(), url=URL).title == "Ferries return"


MOMENT = datetime(2026, 11, 17, 22, 30, tzinfo=UTC)
SAID = "2026-11-18T00:30:00+02:00"
ARTICLE = {"@type": "NewsArticle", "datePublished": SAID, "dateModified": "2026-11-19T09:00:00Z"}


@pytest.mark.parametrize(
    "head",
    [
        linked(ARTICLE),
        linked([{"@type": "Person", "name": "Ada"}, ARTICLE]),
        linked({"@context": "https://schema.org", "@graph": [{"@type": "WebSite"}, ARTICLE]}),
        linked({"@type": ["WebPage", "ItemPage"], "mainEntity": {"@graph": [[ARTICLE]]}}),
        linked({"@type": "WebPage", "datePublished": SAID}),
        linked({**ARTICLE, "@type": ["BlogPosting"], "datePublished": [SAID]}),
        linked({**ARTICLE, "datePublished": {"@type": "Date", "@value": SAID}}),
        linked({**ARTICLE, "datePublished": "2026-11-18"})
        + f"<meta property=article:published_time content='{SAID}'>",
        f"<meta property=article:published_time content='{SAID}'>",
        "<meta name=date content='2026-11-18'>" + linked(ARTICLE),
        "<script type=application/ld+json>{broken</script>" + linked(ARTICLE),
        "<script type=application/ld+json>\n//<![CDATA[\n"
        f'{{"@type":"Article",\n"text":"a\tb","datePublished":"{SAID}"}}\n//]]></script>',
        linked(ARTICLE).replace("}", ",}"),
        linked({"@type": "Article", "name": "The 'Gull'", **ARTICLE}).replace("'", '"'),
        linked(
            {"@type": "ItemList", "itemListElement": [{**ARTICLE, "datePublished": "2020-01-01"}]}
        )
        + linked(ARTICLE),
        linked({**ARTICLE, "url": "/other", "datePublished": "2020-01-01T10:00:00Z"})
        + linked({**ARTICLE, "mainEntityOfPage": {"@id": URL}}),
        linked({**ARTICLE, "datePublished": "0001-01-01T00:00:00"})
        + f"<meta name=date content='{SAID}'>",
    ],
)
def test_a_page_tells_when_it_was_published_to_the_second(head: str) -> None:
    assert read("Harbour", head=head).published_at == MOMENT


@pytest.mark.parametrize(
    "body",
    [
        f"<time datetime='{SAID}'>Wednesday</time>",
        f"<span itemprop=datePublished content='{SAID}'>Wednesday</span>",
        f"<abbr class='published' title='{SAID}'>Wednesday</abbr>",
        f"<time datetime='2026-11-18'>Wednesday</time><time datetime='{SAID}'>half past</time>",
        f"<aside><time datetime='2026-11-18T12:00:00Z'>x</time></aside><time datetime='{SAID}'>",
        f"<ol class=comments><time datetime='2026-11-18T12:00:00Z'>x</time></ol>"
        f"<time datetime='{SAID}'>",
    ],
)
def test_a_date_in_the_text_is_read_to_the_second(body: str) -> None:
    assert read("Harbour", body=body).published_at == MOMENT


def test_when_a_page_was_changed_is_better_than_nothing() -> None:
    head = linked({"@type": "Article", "dateModified": SAID})

    assert read("Harbour", head=head).published_at == MOMENT


def test_a_moment_of_another_day_does_not_replace_the_day() -> None:
    head = "<meta property=article:published_time content='2026-11-16'>"

    found = read("Harbour", head=head, body=f"<time datetime='{SAID}'>Updated</time>")

    assert found.published_at == datetime(2026, 11, 16, tzinfo=UTC)


@pytest.mark.parametrize("nest", ['{"a":', "["])
def test_deep_or_endless_linked_data_is_left_alone(nest: str) -> None:
    head = f"<script type=application/ld+json>{nest * 200_000}</script>"

    assert read("Harbour", head=head, h1="Harbour").title == "Harbour"
