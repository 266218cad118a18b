from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from lxml import html

from morningdeck.model.sending import Report, Teller
from morningdeck.render.fitting import MAX_BYTES, render
from morningdeck.render.links import Links
from morningdeck.wording import worded
from tests.render.conftest import long_stories
from tests.render.editions import EVERY, NASTY, with_stories

SCRIPTS = "//script | //iframe | //object | //img | //@*[starts-with(name(),'on')]"


def parsed(report: Report, links: Links | None = None) -> html.HtmlElement:
    return html.document_fromstring(render(report, links).html)


def with_first(report: Report, **changes: Any) -> Report:
    first, *others = report.items
    return replace(report, items=(replace(first, **changes), *others))


def links_of(page: html.HtmlElement) -> list[str]:
    return [str(href) for href in page.xpath("//@href")]


def said(page: html.HtmlElement) -> str:
    return " ".join(page.body.text_content().split())


def texts(page: html.HtmlElement, name: str) -> list[str]:
    """Of the elements of this class."""
    found = page.xpath(f"//*[contains(concat(' ', @class, ' '), ' {name} ')]")
    return [" ".join(element.text_content().split()) for element in found]


def test_a_day_has_a_lead_a_few_shorts_and_a_line_each_for_the_rest(report: Report) -> None:
    page = parsed(report)
    assert texts(page, "name") == ["Energy & harbour"]
    assert texts(page, "date") == ["Wednesday 18 November · 8 stories from 5 papers · 1 minute"]
    assert texts(page, "lead") == [report.items[0].title]
    assert texts(page, "short") == [item.title for item in report.items[1:4]]
    assert texts(page, "line") == [f"{item.title} {item.source_title}" for item in report.items[4:]]
    assert texts(page, "label") == ["Also today"]
    assert texts(page, "end") == ["That is all for today."]


def test_a_story_has_one_line_of_what_is_known_of_it(report: Report) -> None:
    page = parsed(report)
    assert texts(page, "meta")[0] == (
        "Gridline · also in The Harbor Courier, Ledger & Tide · 3 min"
        " · matches 'offshore wind' in the title"
    )
    assert page.xpath("//a[text()='Ledger & Tide']/@href") == ["https://1.example/its-own"]
    bare = with_first(report, also_in=(), minutes=0, reason="")
    assert texts(parsed(bare), "meta")[0] == "Gridline"


def test_no_headline_is_told_twice_and_no_score_is_shown(report: Report) -> None:
    page = parsed(report)
    assert all(said(page).count(item.title) == 1 for item in report.items[4:])
    assert "99" not in said(page)
    assert "/100" not in said(page)


def test_many_who_tell_a_story_are_counted(report: Report) -> None:
    tellers = tuple(Teller(f"Paper {n}", None) for n in range(9))
    (meta, *_) = texts(parsed(with_first(report, also_in=tellers)), "meta")
    assert "also in Paper 0, Paper 1, Paper 2, Paper 3, Paper 4, Paper 5, 3 others ·" in meta


def test_what_is_not_known_leaves_no_trace(report: Report) -> None:
    bare = with_first(report, title="", summary="", source_title="\x00", also_in=(Teller(""),))
    page = parsed(worded(bare))
    assert texts(page, "lead") == ["…"]
    assert texts(page, "text")[0].startswith("No summary: ")
    assert texts(page, "meta")[0] == "3 min · matches 'offshore wind' in the title"


def test_the_overview_of_a_model_links_its_sources() -> None:
    page = parsed(EVERY["told_by_a_model"])
    assert texts(page, "label")[0] == "At a glance"
    assert "29 percent gas (Metrika). Cheaper cells" in said(page)
    assert page.xpath("//a[text()='(Metrika)']/@href") == ["https://news.example/2"]


def test_without_a_model_the_head_says_it_all(report: Report) -> None:
    assert said(parsed(report)).count("8 stories") == 1


def test_a_test_says_so_above_all_that_it_shows() -> None:
    page = parsed(EVERY["test"])
    note = "This is a test of the briefing “Energy & harbour”; nothing in it counts as shown."
    assert texts(page, "text")[0] == note
    assert EVERY["test"].subject.startswith("Test: Skerry Bank")
    assert "At a glance" not in said(page)
    assert note in " ".join(render(EVERY["test"]).text.split()[:40])


def test_a_first_edition_welcomes_and_tells_what_there_is_to_know() -> None:
    notes = texts(parsed(EVERY["first"]), "note")
    assert notes[1].startswith("For you to know: Gridline has moved for good")
    assert notes[2].startswith("For you to know: <script>")
    assert notes[3].startswith("Welcome: this is the first edition of “Energy & harbour”.")


def test_sections_have_titles_and_only_the_first_has_a_lead() -> None:
    page = parsed(EVERY["sections"])
    assert texts(page, "section") == ["Harbours"]
    assert len(texts(page, "lead")) == 1
    assert len(page.xpath("//h2[contains(@class, 'short')]")) == 3
    assert len(page.xpath("//h3[contains(@class, 'short')]")) == 3


def test_an_update_says_what_is_new_and_since_when() -> None:
    page = parsed(EVERY["update"])
    assert texts(page, "text")[0].startswith("Since yesterday: The cable was switched off again")
    assert "nine turbines" not in said(page)


def test_what_may_not_have_arrived_is_named_once() -> None:
    told = "The briefing of 17 November may not have reached everybody: Storm keeps the ferries"
    assert said(parsed(EVERY["update"])).count(told) == 1


def test_a_weekly_says_what_moved_what_was_shown_and_what_was_missed() -> None:
    report = EVERY["weekly"]
    page = parsed(report)
    assert texts(page, "brand") == ["Morning Deck · The week"]
    assert texts(page, "date")[0].startswith("12–18 Nov · 8 stories")
    assert texts(page, "section") == ["Offshore wind", "Heat"]
    assert texts(page, "short") == [report.items[n].title for n in (2, 3, 5)]
    assert texts(page, "label") == [
        "What moved this week",
        "Already in your daily briefings",
        "What you may have missed",
    ]
    assert "Offshore wind 12 stories, 5 the week before" in said(page)
    assert "Heat 3 stories, new this week" in said(page)
    lines = texts(page, "line")[2:]
    assert [line.split(" ")[0] for line in lines] == [
        "Heat",
        "Regulator",
        "Container",
        "Bluestrait",
    ]
    assert texts(page, "end") == ["That is all for this week."]


def test_a_quiet_day_is_a_short_mail() -> None:
    page = parsed(EVERY["quiet"])
    assert texts(page, "text") == ["Nothing new was on your subject. Enjoy the silence."]
    assert texts(page, "date") == ["Wednesday 18 November"]
    assert "Chosen from 70 new articles: 70 off your subject." in said(page)


def test_where_nothing_was_new_nothing_was_chosen_from() -> None:
    assert "Chosen from" not in said(parsed(replace(EVERY["quiet"], weighed=0, left_out={})))


def test_the_footer_says_why_and_what_comes_next(report: Report) -> None:
    broken = tuple(f"Feed {number}" for number in range(15))
    page = parsed(replace(report, broken_sources=broken), Links(unsubscribe="mailto:a@b.example"))
    assert texts(page, "note") == [
        "Chosen from 70 new articles: 58 off your subject, 4 told twice.",
        f"Not read lately: {', '.join(broken[:10])}, 5 others.",
        "Next edition: Thursday 19 November, 07:00.",
        "You get this because you are a recipient of the briefing “Energy & harbour”.",
        "Unsubscribe",
    ]
    assert links_of(page)[-1] == "mailto:a@b.example"


def test_what_is_not_there_is_not_linked(report: Report) -> None:
    of_stories = {item.url for item in report.items}
    of_stories |= {teller.url for item in report.items for teller in item.also_in}
    assert set(links_of(parsed(report, Links(home="https://deck.example/")))) <= {
        *of_stories,
        "https://deck.example/",
    }


@pytest.mark.parametrize(
    "url",
    [
        "javascript:alert(1)",
        "javascript://x.example/%0aalert(1)",
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
    page = parsed(with_first(report, url=url, also_in=(Teller("Gridline", url),)))
    assert report.items[0].title in said(page)
    assert all(href.startswith("https://") and len(href) < 100 for href in links_of(page))
    assert "also in Gridline" in said(page)


def test_a_link_cannot_break_out_of_its_attribute(report: Report) -> None:
    page = parsed(with_first(report, url='https://x.example/"onclick="alert(1)" é'))
    assert "https://x.example/%22onclick=%22alert(1)%22%20%C3%A9" in links_of(page)
    assert not page.xpath("//@onclick")


def test_markup_in_foreign_text_is_text() -> None:
    page = parsed(EVERY["nasty"])
    assert not page.xpath(SCRIPTS)
    assert texts(page, "name")[0].startswith("<script>alert(1)</script><img src=x onerror")
    assert "\u202e" not in NASTY[:0] + page.text_content()


@pytest.mark.parametrize(
    "path",
    [
        "naughty-strings/blns.json",
        "xss/html5lib_sanitizer.json",
        "xss/miniflux_sanitizer.json",
    ],
)
def test_nothing_executable_survives(report: Report, path: str, corpora: Path) -> None:
    """Ten at a time, so that nothing is left out for its length."""
    corpus = json.loads((corpora / path).read_text())
    found = [text if isinstance(text, str) else text["input"] for text in corpus]
    first = report.items[0]
    for start in range(0, len(found), 10):
        some = found[start : start + 10]
        items = tuple(
            replace(
                first,
                title=text,
                summary=text,
                url=text,
                source_title=text,
                reason=text,
                also_in=(Teller(text, text),),
                section=text,
            )
            for text in some
        )
        rendered = render(replace(report, items=items, briefing_title=some[0]))
        page = html.document_fromstring(rendered.html)
        assert not page.xpath(SCRIPTS)
        assert all(href.startswith(("http://", "https://")) for href in links_of(page))
        assert page.xpath("count(//table)") == 2
        assert rendered.html.count("</html>") == 1


def test_a_page_works_without_classes_scripts_or_anything_from_outside(report: Report) -> None:
    page = parsed(report)
    assert not page.xpath("//link | //script | //img | //@src")
    assert page.xpath("//h1/@style")
    assert all(table.get("role") == "presentation" for table in page.xpath("//table"))
    (style,) = page.xpath("//style")
    assert "prefers-color-scheme: dark" in style.text_content()
    assert "url(" not in render(report).html
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


def test_each_story_runs_as_it_is_written_and_says_its_language(report: Report) -> None:
    page = parsed(with_first(report, title="אנרגיה", summary="Energy", language="he-IL"))
    (lead,) = page.xpath("//h2[contains(@class, 'lead')]")
    (text, *_) = page.xpath("//p[contains(@class, 'text')]")
    assert (lead.get("dir"), lead.get("lang")) == ("rtl", "he")
    assert (text.get("dir"), text.get("lang")) == ("ltr", "he")
    assert page.xpath("//h2[contains(@class, 'short')]/@lang") == []


def test_the_preheader_tells_what_the_subject_does_not(report: Report) -> None:
    (preheader,) = texts(parsed(report), "preheader")
    assert preheader.startswith("Energy & harbour: Heat pumps pass gas boilers in new homes")


@pytest.mark.parametrize("text", ["word ", "漢字", "<&>", "x", "👩‍👩‍👧 "])
def test_a_page_of_25_long_stories_stays_under_the_limit(report: Report, text: str) -> None:
    items = long_stories(report, text, most=20, address=1900)
    long = text * 5000
    whole = replace(report, items=items, overview=f"{long}\n" * 9, briefing_title=long)
    rendered = render(whole)
    assert len(rendered.html.encode()) < MAX_BYTES
    assert "Texts were shortened to keep this mail small." in rendered.html


def test_what_does_not_fit_is_counted() -> None:
    page = parsed(EVERY["huge"])
    shown = len(texts(page, "lead") + texts(page, "short") + texts(page, "line"))
    assert f"{300 - shown} more stories did not fit into this mail." in said(page)
    assert "300 stories from 1 paper" in said(page)


def test_the_summary_of_a_lead_is_whole_and_others_end_with_a_sentence(report: Report) -> None:
    summary = "A sentence of about sixty characters, as summaries have them. " * 10
    page = parsed(with_stories(report, {"summary": summary}, {"summary": summary}))
    lead, short, *_ = texts(page, "text")
    assert lead == summary.strip()
    assert short == (summary[:62] * 4).strip()
    assert "Texts were shortened" not in said(page)
