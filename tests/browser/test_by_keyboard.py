"""What a reader does in a day, with nothing but a keyboard: with the scripts of the pages, and in a
browser that runs none.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from tests.browser.decks import ADA, PASSWORD, Morning, empty_deck, good_morning
from tests.journeys.test_first_morning import WIND
from tests.servers.feeds import FeedServer
from tests.web.site import Website

pytestmark = pytest.mark.xdist_group("walk")

MOST_TABS = 90
HAS_FOCUS = "one => one === document.activeElement"
RING = "one => [getComputedStyle(one).outlineStyle, getComputedStyle(one).outlineWidth]"


@pytest.fixture
def deck(tmp_path: Path, sqlite_url: str) -> Iterator[tuple[Website, Morning]]:
    reaches = ("127.0.0.0/8",)
    with empty_deck(tmp_path, sqlite_url, reaches=reaches) as web, good_morning(web) as morning:
        yield web, morning


def reach(page: Page, wanted: Locator) -> None:
    """By the tab key alone; where one is can be seen."""
    for _ in range(MOST_TABS):
        page.keyboard.press("Tab")
        if wanted.evaluate(HAS_FOCUS):
            assert wanted.evaluate(RING) == ["solid", "2px"]
            return
    raise AssertionError(f"the tab key does not reach {wanted}")


def press(page: Page, wanted: Locator, key: str = "Enter") -> None:
    reach(page, wanted)
    page.keyboard.press(key)


def go(page: Page, name: str, path: str) -> None:
    press(page, page.get_by_role("navigation", name="Pages").get_by_role("link", name=name))
    page.wait_for_url(f"**{path}")


@pytest.mark.parametrize("script", [True, False], ids=["script", "plain"])
def test_a_day_of_a_reader(chromium: Browser, deck: tuple[Website, Morning], script: bool) -> None:
    web, morning = deck
    context = chromium.new_context(
        base_url=web.url, viewport={"width": 1280, "height": 800}, java_script_enabled=script
    )
    page = context.new_page()
    log_in(page)
    mark_the_lead(page, web, morning)
    mark_all_and_undo(page, web, morning)
    search(page)
    with FeedServer() as site:
        add_a_source(page, site.publish("/a.xml", "Gazette", [WIND]))
    edit_the_briefing(page, web, morning)
    context.close()


def log_in(page: Page) -> None:
    page.goto("/login")
    reach(page, page.get_by_label("E-mail address"))
    page.keyboard.type(ADA)
    reach(page, page.get_by_label("Password"))
    page.keyboard.type(PASSWORD)
    page.keyboard.press("Enter")
    expect(page.locator("h1")).to_have_text("Energy & harbour")


def mark_the_lead(page: Page, web: Website, morning: Morning) -> None:
    lead = page.locator(".story.lead")
    for name in ("Save", "More like this"):
        button = lead.get_by_role("button", name=name)
        press(page, button, "Space")
        expect(button).to_have_attribute("aria-pressed", "true")
    told = web.app.store.items.show(morning.desk.user, morning.items[0])
    assert (told.saved, told.scores[0].feedback) == (True, 1)


def mark_all_and_undo(page: Page, web: Website, morning: Morning) -> None:
    go(page, "Feed", "/feed")
    first = page.locator(".row").first.get_by_role("button", name="Read", exact=True)
    press(page, first)
    expect(first).to_have_attribute("aria-pressed", "true")

    press(page, page.get_by_role("button", name="Mark all above as read"))
    expect(page.get_by_role("status")).to_contain_text("marked as read.")
    assert web.app.store.items.show(morning.desk.user, morning.items[3]).read
    press(page, page.get_by_role("button", name="Undo"))
    expect(page.get_by_role("status")).to_have_count(0)
    assert not web.app.store.items.show(morning.desk.user, morning.items[3]).read


def search(page: Page) -> None:
    go(page, "Search", "/search")
    reach(page, page.get_by_label("Words, or fields"))
    page.keyboard.type("pumps")
    page.keyboard.press("Enter")
    expect(page.locator(".understood")).to_contain_text("1 found")


def add_a_source(page: Page, url: str) -> None:
    go(page, "Sources", "/sources")
    reach(page, page.get_by_label("Add a source"))
    page.keyboard.type(url)
    page.keyboard.press("Enter")
    expect(page.locator(".headlines")).to_contain_text(WIND.title)
    press(page, page.get_by_role("button", name="Read it from now on"))
    expect(page.get_by_role("status")).to_contain_text("It is read from now on")


def edit_the_briefing(page: Page, web: Website, morning: Morning) -> None:
    go(page, "Briefings", "/briefings")
    press(page, page.get_by_role("main").get_by_role("link", name="Energy & harbour"))
    press(page, page.get_by_role("link", name="Edit"))
    reach(page, page.get_by_label("What it is to be about"))
    page.keyboard.press("Control+End")
    page.keyboard.type(", and tides")
    press(page, page.get_by_role("button", name="Save"))
    expect(page.get_by_role("status")).to_be_visible()
    wish = web.app.store.briefings.show(morning.desk.user, morning.desk.briefing).criteria
    assert wish.endswith("of the north, and tides")
