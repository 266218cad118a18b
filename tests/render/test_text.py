"""The part of a mail that is plain text: for those who prefer it, worth reading too."""

from __future__ import annotations

from dataclasses import replace

import pytest

from morningdeck.model.sending import Report
from morningdeck.render.fitting import render
from morningdeck.render.lines import columns
from morningdeck.render.links import Links
from tests.render.editions import EVERY


def test_it_reads_as_a_letter(report: Report) -> None:
    text = render(report).text
    assert text.startswith(
        "Energy & harbour\n"
        "Wednesday 18 November · 8 stories from 5 papers · 1 minute\n\n"
        "----------------------------------------\n\n"
        "Skerry Bank sends first power ashore through a 71-kilometre cable\n\n"
        "The first nine turbines"
    )
    assert (
        "and 29\npercent gas.\n\n"
        "Metrika · also in Gridline · 2 min · matches 'heat pumps' in the title\n"
        "https://news.example/2\n\n"
    ) in text
    assert "- Bluestrait Ferries: one forgotten account, 410,000 records (Signal &\n  Stat" in text
    assert "\n\n\n" not in text


@pytest.mark.parametrize("name", EVERY)
def test_no_line_is_wider_than_a_screen_of_old(name: str) -> None:
    for line in render(EVERY[name]).text.splitlines():
        assert columns(line) <= 78 or line.strip().startswith("https://")


@pytest.mark.parametrize("name", EVERY)
def test_text_and_page_tell_the_same(name: str) -> None:
    rendered = render(EVERY[name])
    for item in EVERY[name].items[:5]:
        words = " ".join(item.title.split()[:2])[:20]
        assert words in rendered.text
        assert (item.url or "")[:18] in rendered.text or name.startswith("huge")


def test_a_long_word_is_not_torn_at_its_hyphens(report: Report) -> None:
    long = replace(report.items[0], title="Donaudampfschifffahrtsgesellschaft-Werft " * 4)
    assert "schaft-\n" not in render(replace(report, items=(long,))).text


def test_ways_out_are_spelled(report: Report) -> None:
    text = render(report, Links(unsubscribe="mailto:news@deck.example?subject=x")).text
    assert text.endswith("Unsubscribe:\nmailto:news@deck.example?subject=x\n")
