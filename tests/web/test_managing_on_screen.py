"""The pages by which somebody manages, in a real browser: width, targets, keyboard, script."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta

import pytest
from playwright.sync_api import Browser, Page

from morningdeck.store.tables.news import sources
from morningdeck.web.pages.visiting import COOKIE
from tests.pictures import browser
from tests.web.site import Website

pytestmark = pytest.mark.xdist_group("browser")

EVE = "eve@screen.example"
LONG = "Unabhängigkeitserklärungsberichterstattung" * 2


@pytest.fixture(scope="module")
def chromium() -> Iterator[Browser]:
    with browser() as opened:
        yield opened


@contextmanager
def looking(
    chromium: Browser, web: Website, email: str, width: int, scheme: str = "light", **more: object
) -> Iterator[Page]:
    """Logged in; nothing may be asked of anybody but us, nor any policy be broken."""
    dark = "dark" if scheme == "dark" else "light"
    context = chromium.new_context(
        viewport={"width": width, "height": 800},
        color_scheme=dark,  # type: ignore[arg-type]  # one of its words
        base_url=web.url,
        **more,  # type: ignore[arg-type]  # as the test says
    )
    with web.browser(email) as known:
        context.add_cookies([{"name": COOKIE, "value": known.token, "url": web.url}])
    page = context.new_page()
    asked: list[str] = []
    complaints: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.on("console", lambda told: complaints.append(told.text))
    yield page
    context.close()
    assert [url for url in asked if not url.startswith((web.url, "data:"))] == []
    assert [text for text in complaints if "status of 4" not in text] == []


def stocked(web: Website) -> int:
    """Returns one of her sources, which is in trouble."""
    user = web.user(EVE).id
    of = web.app.store.subscriptions.list(user)
    if not of:
        ill = web.stock.source(user, "https://ill.example/feed", name=LONG)
        web.stock.source(user, "https://well.example/feed", name="The Harbour Courier")
        for days in (0, 0, 1, 4, 4, 4, 9):
            web.stock.item(ill, first_seen_at=web.app.clock() - timedelta(days=days))
        error = "ill.example: answered 503 Service Unavailable"
        web.stock.set(sources, ill, health="degraded", failures=6, last_error=error)
    return web.app.store.subscriptions.list(user)[-1].id


def test_a_preview_follows_the_wish_as_it_is_typed(chromium: Browser, web: Website) -> None:
    with looking(chromium, web, EVE, 1280) as page:
        stocked(web)
        page.goto("/briefings/new")
        page.get_by_label("What it is to be about").press_sequentially("ships")
        frame = page.frame_locator("iframe[name=edition]")
        frame.get_by_text("not read yet").wait_for()
        assert page.url.endswith("/briefings/new")
        assert page.get_by_label("What it is to be about").input_value() == "ships"


def test_a_preview_takes_a_button_without_a_script(chromium: Browser, web: Website) -> None:
    with looking(chromium, web, EVE, 360, java_script_enabled=False) as page:
        stocked(web)
        page.goto("/briefings/new")
        page.get_by_label("What it is to be about").fill("ships")
        page.get_by_role("button", name="Preview").press("Enter")
        page.frame_locator("iframe[name=edition]").get_by_text("not read yet").wait_for()
        assert page.url.endswith("/briefings/new")


def test_a_source_is_paused_by_keys_alone(chromium: Browser, web: Website) -> None:
    source = stocked(web)
    with looking(chromium, web, EVE, 1280) as page:
        page.goto(f"/sources/{source}")
        for _ in range(30):
            page.keyboard.press("Tab")
            if page.evaluate("document.activeElement.textContent.trim()") == "Pause":
                break
        outline = "getComputedStyle(document.activeElement).outlineWidth"
        assert page.evaluate(outline) == "2px"
        page.keyboard.press("Enter")
        page.get_by_text("Paused: it is not read until you resume it.").wait_for()
        page.get_by_role("button", name="Read it again").press("Enter")
        page.get_by_text("It is read again.").wait_for()
