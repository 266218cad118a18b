"""Claim, login and settings in a real browser: by hand, by keyboard, without a script."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from morningdeck.actions import accounts
from tests.browser.conftest import Visits
from tests.web.site import Website

pytestmark = pytest.mark.xdist_group("browser")

ADA, GOOD, BETTER = "ada@example.org", "a few good words", "a few better words"


def code_of(deck: Website) -> str:
    first, now = deck.app.store.users.first(), deck.app.clock()
    return accounts.new_code(deck.app.store.accounts, first, now=now).code


def fill_in(page: Page, **fields: str) -> None:
    for name, text in fields.items():
        page.locator(f"[name={name}]:visible").fill(text)


@pytest.mark.parametrize("script", [True, False])
def test_from_the_code_to_a_changed_password(deck: Website, visit: Visits, script: bool) -> None:
    with visit(script=script) as page:
        page.goto("/deck/")
        page.wait_for_url("**/deck/claim")
        fill_in(page, code=code_of(deck), email=ADA, password=GOOD)
        page.get_by_role("button", name="Begin").click()
        page.wait_for_url("**/deck/start")

        page.get_by_role("link", name="Settings").click()
        page.get_by_label("Password of today").fill(GOOD)
        page.get_by_label("New password").fill(BETTER)
        page.get_by_role("button", name="Change it").click()
        expect(page.get_by_role("status")).to_contain_text("is changed")
        page.get_by_role("button", name="Log out").click()
        page.wait_for_url("**/deck/login")

        fill_in(page, email=ADA, password=GOOD)
        page.get_by_role("button", name="Log in").click()
        expect(page.get_by_role("alert")).to_contain_text("do not belong together")
        fill_in(page, password=BETTER)
        page.get_by_role("button", name="Log in").click()
        expect(page.get_by_role("navigation").get_by_text("Today")).to_be_visible()


def test_by_keyboard_alone(deck: Website, visit: Visits) -> None:
    with visit() as page:
        press, type_ = page.keyboard.press, page.keyboard.type
        page.goto("/deck/claim")
        press("Tab")
        expect(page.locator(":focus")).to_have_text("Skip to the content")
        press("Enter")
        for text in (code_of(deck), ADA, GOOD):
            press("Tab")
            type_(text)
        press("Enter")
        page.wait_for_url("**/deck/start")

        tabs = 0
        while page.locator(":focus").all_inner_texts() != ["Settings"]:
            press("Tab")
            tabs += 1
            assert tabs < 20
        press("Enter")
        page.wait_for_url("**/deck/settings")
        page.locator("#token-name").focus()
        type_("phone")
        press("Tab")
        press("ArrowDown")
        press("Enter")
        page.wait_for_url("**/deck/settings/tokens")
        assert page.locator(".said code.once").inner_text().startswith("mdk_")
        assert "write" in page.locator(".rows").first.inner_text()
