from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from lxml import html

from morningdeck.model.sending import Report
from morningdeck.render import MAX_BYTES, render
from tests.render.conftest import long_stories


def parsed(report: Report, **options: Any) -> html.HtmlElement:
    return html.document_fromstring(render(report, **options).html)


def with_first(report: Report, **changes: Any) -> Report:
    first, *others = report.items
    return replace(report, items=(replace(first, **changes), *others))


def links(page: html.HtmlElement) -> list[str]:
    return [str(href) for href in page.xpath("//@href")]


def test_a_story_shows_all_that_is_known_of_it(report: Report) -> None:
    page = parsed(report)
    text = " ".join(page.body.text_content().split())
    for part in (
        "Energy & grid",
        "Wednesday 18 November",
        "Batteries carry Texas",
        "Reuters · 06:00",
        "99",
        "What happened in story 1.",
        "Why: matches the grid",
        "Also in: Bloomberg, Montel",
        "Storage",
        "New items weighed: 214, chosen: 3.",
    ):
        assert part in text


def test_what_is_not_known_leaves_no_trace(report: Report) -> None:
    bare = with_first(
        report, title="", summary="", reason="", published_at=None, also_in=(), topics=("", "\x00")
    )
    page = parsed(replace(bare, items=bare.items[:1], overview=""))
    assert page.xpath("//h2")[0].text_content() == "Reuters"
    assert not page.xpath("//*[@class='small' or @class='tags']")
    assert "·" not in page.xpath("//*[@class='meta']")[0].text_content()


def test_a_story_without_summary_says_so(report: Report) -> None:
    page = parsed(with_first(report, summary=""))

    assert page.xpath("//*[@class='summary']")[0].text_content().startswith("No summary: ")


def test_titles_and_citations_link_to_the_story(report: Report) -> None:
    assert links(parsed(report)).count("https://news.example/1") == 2


def test_the_footer_names_broken_sources(report: Report) -> None:
    broken = tuple(f"Feed {number}" for number in range(15))
    text = parsed(replace(report, broken_sources=broken)).text_content()
    assert "Sources that could not be read: Feed 0, Feed 1" in text
    assert "Feed 9, +5" in text


def test_the_footer_links_to_the_web_page_and_to_unsubscribing(report: Report) -> None:
    page = parsed(
        report, base_url="https://deck.example/", unsubscribe_url="https://deck.example/u"
    )
    assert links(page)[-2:] == ["https://deck.example/", "https://deck.example/u"]


@pytest.mark.parametrize(
    "url",
    [
        "javascript:alert(1)",
        " JaVaScRiPt:alert(1)",
        "data:text/html,x",
        "vbscript:x",
        "file:///etc/passwd",
        "//evil.example/x",
        "https:evil",
        "http://[",
        "https://x.example/" + "a" * 5000,
        None,
    ],
)
def test_what_is_no_web_link_stays_plain_text(report: Report, url: str | None) -> None:
    page = parsed(with_first(report, url=url))
    assert "Batteries carry Texas" in page.body.text_content()
    assert set(links(page)) == {"https://news.example/2", "https://news.example/3"}


def test_a_link_cannot_break_out_of_its_attribute(report: Report) -> None:
    page = parsed(with_first(report, url='https://x.example/"onclick="alert(1)" é'))
    assert "https://x.example/%22onclick=%22alert(1)%22%20%C3%A9" in links(page)
    assert not page.xpath("//@onclick")


def test_markup_in_foreign_text_is_text(report: Report) -> None:
    nasty = "<script>alert(1)</script><img src=x onerror=alert(1)>\"'&{{ 7*7 }}"
    story = with_first(report, title=nasty, summary=nasty, reason=nasty, topics=(nasty,))
    page = parsed(replace(story, briefing_title=nasty, broken_sources=(nasty,), overview=nasty))
    assert not page.xpath("//script | //img | //@onerror")
    assert page.xpath("//h1")[0].text_content() == nasty


@pytest.mark.parametrize(
    "path",
    [
        "naughty-strings/blns.json",
        "xss/html5lib_sanitizer.json",
        "xss/miniflux_sanitizer.json",
    ],
)
def test_nothing_executable_survives(report: Report, path: str, corpora: Path) -> None:
    corpus = json.loads((corpora / path).read_text())
    texts = [text if isinstance(text, str) else text["input"] for text in corpus]
    first = report.items[0]
    items = tuple(
        replace(first, title=text, summary=text, url=text, source_title=text) for text in texts
    )
    page = parsed(replace(report, items=items))
    assert not page.xpath("//script | //iframe | //object | //img | //@*[starts-with(name(),'on')]")
    assert all(href.startswith(("http://", "https://")) for href in links(page))


def test_a_page_works_without_classes_scripts_or_anything_from_outside(report: Report) -> None:
    page = parsed(report)
    assert not page.xpath("//link | //script | //img | //@src")
    assert page.xpath("//h1/@style")
    assert all(table.get("role") == "presentation" for table in page.xpath("//table"))
    (style,) = page.xpath("//style")
    assert "prefers-color-scheme: dark" in style.text_content()
    assert "flex" not in render(report).html
    assert page.xpath("//meta[@name='color-scheme']/@content") == ["light dark"]


def test_the_character_set_is_named_before_browsers_stop_looking(report: Report) -> None:
    assert b'charset="utf-8"' in render(report).html.encode()[:1024]


@pytest.mark.parametrize(
    ("language", "direction"), [("de-AT", "ltr"), ("he", "rtl"), (None, "ltr")]
)
def test_language_and_direction_are_declared(
    report: Report, language: str | None, direction: str
) -> None:
    page = parsed(replace(report, language=language))
    assert page.get("lang") == (language or "en")[:2]
    assert page.get("dir") == direction
    assert page.xpath("//h2/@dir") == ["auto"] * 3


def test_the_preheader_tells_what_the_subject_does_not(report: Report) -> None:
    (preheader,) = parsed(report).xpath("//*[@class='preheader']")
    assert preheader.text.startswith("Brussels plans power lines · Negative prices in Spain")


@pytest.mark.parametrize("text", ["word ", "漢字", "<&>", "x", "👩‍👩‍👧 "])
def test_a_page_of_25_long_stories_stays_under_the_limit(report: Report, text: str) -> None:
    items = long_stories(report, text, most=20, address=1900)
    long = text * 5000
    page = render(replace(report, items=items, overview=f"{long}\n" * 9, briefing_title=long)).html
    assert len(page.encode()) < MAX_BYTES


def test_ordinary_summaries_are_not_shortened(report: Report) -> None:
    summary = "A sentence of about sixty characters, as summaries have them. " * 6
    items = tuple(replace(report.items[0], position=n, summary=summary) for n in range(1, 26))
    assert render(replace(report, items=items)).html.count(summary.strip()) == 25
