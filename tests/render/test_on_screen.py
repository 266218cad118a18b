"""What a reader sees of a mail, as a browser shows it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser

from morningdeck.render.fitting import render
from tests.pictures import LIGHT, SCHEMES, browser, shown
from tests.render.editions import EVERY

pytestmark = pytest.mark.xdist_group("browser")

QUIET = {"brand", "date", "section", "label", "news", "meta", "meta-link", "aside", "note", "foot"}
"""Classes of what stands beside the news; all else is text to read."""
OF_TEXT, OF_THE_REST = 7.0, 4.5
TEXTS = """() => {
  const found = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const element = walker.currentNode.parentElement;
    if (!walker.currentNode.data.trim() || !element.checkVisibility()) continue;
    let ground = element;
    while (getComputedStyle(ground).backgroundColor === 'rgba(0, 0, 0, 0)')
      ground = ground.parentElement;
    found.push({
      text: walker.currentNode.data.trim().slice(0, 40),
      names: (element.closest('[class]') ?? element).className.split(' '),
      colour: getComputedStyle(element).color,
      ground: getComputedStyle(ground).backgroundColor,
    });
  }
  return found;
}"""


@pytest.fixture(scope="module")
def opened() -> Iterator[Browser]:
    with browser() as opened:
        yield opened


def luminance(colour: str) -> float:
    """By WCAG 2."""
    parts = [int(part) / 255 for part in re.findall(r"\d+", colour)[:3]]
    linear = [p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one: str, other: str) -> float:
    dark, light = sorted((luminance(one), luminance(other)))
    return (light + 0.05) / (dark + 0.05)


def test_contrast_is_computed_as_the_standard_says() -> None:
    assert contrast("rgb(0, 0, 0)", "rgb(255, 255, 255)") == pytest.approx(21)
    assert contrast("rgb(119, 119, 119)", "rgb(255, 255, 255)") == pytest.approx(4.48, abs=0.01)


@pytest.mark.parametrize("scheme", SCHEMES)
@pytest.mark.parametrize("name", ["daily", "told_by_a_model", "update", "weekly", "quiet"])
def test_all_is_legible_by_day_and_night(opened: Browser, name: str, scheme: str) -> None:
    html = render(EVERY[name]).html
    with shown(opened, html, width=360, height=640, scheme=scheme) as page:
        texts: list[dict[str, Any]] = page.evaluate(TEXTS)
    assert len(texts) > 5
    for text in texts:
        least = OF_THE_REST if QUIET & {*text["names"]} else OF_TEXT
        assert contrast(text["colour"], text["ground"]) >= least, text


@pytest.mark.parametrize("name", [name for name, report in EVERY.items() if report.items])
def test_the_first_headline_is_on_the_first_screen_of_a_phone(opened: Browser, name: str) -> None:
    with shown(opened, render(EVERY[name]).html, width=360, height=640, scheme=LIGHT) as page:
        lead = page.locator(".lead").bounding_box()
        width = page.evaluate("document.documentElement.scrollWidth")
    assert lead is not None
    assert lead["y"] < 400
    assert lead["y"] + lead["height"] < 640
    assert width == 360


@pytest.mark.parametrize("name", ["daily", "weekly", "nasty", "huge", "hebrew", "japanese"])
@pytest.mark.parametrize("width", [320, 600])
def test_nothing_is_wider_than_the_screen(opened: Browser, name: str, width: int) -> None:
    with shown(opened, render(EVERY[name]).html, width=width, height=640, scheme=LIGHT) as page:
        assert page.evaluate("document.documentElement.scrollWidth") == width


def test_a_preheader_is_for_the_list_of_mails_alone(opened: Browser) -> None:
    with shown(opened, render(EVERY["daily"]).html, width=360, height=640, scheme=LIGHT) as page:
        assert not page.locator(".preheader").is_visible()


@pytest.mark.parametrize(("name", "side"), [("hebrew", "right"), ("daily", "left")])
def test_a_headline_begins_where_its_script_does(opened: Browser, name: str, side: str) -> None:
    with shown(opened, render(EVERY[name]).html, width=600, height=640, scheme=LIGHT) as page:
        words = page.evaluate(
            "() => { const range = document.createRange();"
            " range.selectNodeContents(document.querySelector('.lead'));"
            " return range.getBoundingClientRect(); }"
        )
    assert (words["left"] < 60) == (side == "left")
    assert (words["right"] > 540) == (side == "right")
