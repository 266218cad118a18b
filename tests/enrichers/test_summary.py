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
from morningdeck.model import Article

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


def test_an_article_without_text_is_summed_up_by_its_title() -> None:
    assert summary("A bridge is open again", "") == "A bridge is open again"
    assert summary("A bridge is open again", "\n \n") == "A bridge is open again"


def test_a_short_text_is_its_own_summary() -> None:
    assert summary("Bridge", "It is open.") == "It is open."


def test_one_endless_sentence_is_cut_at_a_word() -> None:
    found = summary("Rain", "It rained and " * 200)

    assert len(found) <= LONGEST_SUMMARY
    assert found.endswith(("rained…", "and…", "It…"))


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("Dr. Smith met J. R. Jones in the U.S. Senate. It was late.", 2),
        ("Am 3. Mai kam Frau Dr. Weber z.B. nach Wien. Es regnete.", 2),
        ("¿Quién ganó? Nadie lo sabe. ¡Increíble!", 3),
        ("È finita. Il sig. Rossi, 42 anni, ha vinto 3.5 milioni.", 2),
        ("地震が発生しました。津波の心配はありません。", 2),
        ("no stop at all", 1),
        ("", 0),
    ],
)
def test_abbreviations_and_numbers_end_no_sentence(text: str, count: int) -> None:
    assert len(sentences(text)) == count


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
