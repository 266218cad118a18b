"""Extractive summaries: whole sentences of the article, in their order."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest
from lxml import html

from morningdeck.enrichers.document import read_article
from morningdeck.enrichers.sentences import sentences
from morningdeck.enrichers.summary import LONGEST_SUMMARY, summarise
from morningdeck.model.making import Article

WIND = """\
By Ida Moss
LONDON (Reuters) - Britain approved two offshore wind farms in the North Sea on Tuesday.
The farms will power two million homes and cost nine billion pounds, the ministry said.
Photo: a wind farm at sea.
But critics doubt the price.
The wind farms are the largest that Britain has approved in the North Sea so far.
Fishermen asked for a different route of the cable, and got one.
Sign up for our newsletter and never miss a story.
© 2026 The Daily Example. All rights reserved.
"""


def summary(title: str, text: str) -> str:
    return summarise(read_article(Article(title, text)))


def test_a_summary_is_whole_sentences_in_their_order() -> None:
    found = sentences(summary("Britain approves two offshore wind farms", WIND))

    places = [WIND.find(sentence) for sentence in found]
    assert 2 <= len(found) <= 3
    assert -1 not in places
    assert places == sorted(places)


def test_bylines_captions_and_footers_are_left_out() -> None:
    found = summary("Britain approves two offshore wind farms", WIND)

    assert found.startswith("Britain approved two offshore wind farms")
    for junk in ("Ida Moss", "Reuters", "Photo", "newsletter", "©"):
        assert junk not in found


def test_a_summary_does_not_repeat_the_title() -> None:
    text = "A bridge is open again.\nThe old bridge at the mill is open to cyclists since Monday."

    assert "again" not in summary("A bridge is open again", text)


def test_the_start_of_a_text_that_serves_as_its_title_is_not_said_again() -> None:
    first = "A short note on rounding, since three readers asked about the tables in the news."
    second = "The shares of the five modes add up to 100.2 percent, and nothing is wrong."

    assert summary(f"{first[:60]}…", f"{first} {second}") == second


def test_a_headline_alone_has_no_summary() -> None:
    assert summary("A bridge is open again", "") == ""
    assert summary("A bridge is open again", "\n \n") == ""
    assert summary("A bridge is open again", "A bridge is open again") == ""


@pytest.mark.parametrize(
    "text",
    [
        "It has been open to cyclists since Monday morning.",
        "However, the bridge at the mill was closed to all cars.",
        "“We are glad that it is over,” she said on Monday morning.",
        "The bridge at the mill that was closed for all of the ...",
        "Okay, the bridge at the mill was closed to all cars.",
        "open to cyclists since Monday, and to all others in May.",
        "What do you think of the bridge at the old mill?",
        "See https://example.org/bridge for all that you want to know.",
        "Home News Sport Contact About The Mill Imprint Login Shop.",
        "We use cookies to make the bridge at the mill a better one.",
        "Explain the theory of relativity to all who cross the bridge.",
        "Rate this article at the old mill with the maximum of 100 points.",
        "It rained and " * 200,
    ],
)
def test_what_cannot_stand_alone_is_no_summary(text: str) -> None:
    assert summary("Bridge", text) == ""


@pytest.mark.parametrize("start", ["Okay,", "Irgendwie", "Vor allem", "Vielleicht auch,"])
def test_a_german_sentence_that_leans_is_no_summary(start: str) -> None:
    text = f"{start} kommen die beiden in dieser Folge zu der Frage nach der Brücke."

    assert summarise(read_article(Article(title="Folge", text=text, language="de"))) == ""


def test_a_sentence_that_leans_follows_the_one_it_leans_on() -> None:
    text = "Ida Moss opened the bridge at the old mill. She came by bicycle with her two children."

    assert summary("Mill", text) == text


def test_nothing_is_said_twice() -> None:
    first = "Agents found 475 pounds of cocaine in a vessel near the port."
    again = "Border agents found 475 pounds of cocaine in a vessel near Las Croabas, they said."
    other = "The owner of the boat was taken to the city for questions."

    assert summary("Arrest", f"{first}\n{again}\n{other}") == f"{first} {other}"


def test_sentences_of_a_script_without_blanks_stand_side_by_side() -> None:
    text = "東京で25日午後、強い地震が発生しました。津波の心配はありません。"

    assert summary("地震", text) == text


def test_boilerplate_of_real_pages_stays_out(corpora: Path) -> None:
    """All paragraphs of 120 pages, menus and footers included: few may reach a summary."""
    folder = corpora / "articles-trafilatura"
    pages = json.loads((folder / "evaldata.json").read_text()).values()
    wrong = boilerplate = 0
    for page in pages:
        tree = html.fromstring(
            gzip.decompress((folder / "html" / f"{page['file']}.gz").read_bytes())
        )
        text = "\n".join(" ".join("".join(map(str, p.itertext())).split()) for p in tree.iter("p"))
        title = page.get("title", "")
        found = summary(title, text)
        assert len(found) <= LONGEST_SUMMARY
        boilerplate += len(page["without"])
        wrong += sum(junk in found for junk in page["without"] if junk not in title)

    print(f"{wrong} of {boilerplate} pieces of boilerplate in summaries")
    assert wrong / boilerplate < 0.02
