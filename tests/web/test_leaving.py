"""What is one's own: taken along, and removed for good; briefings at secret addresses."""

from __future__ import annotations

import io
import json
import re
from collections.abc import Iterator
from pathlib import Path
from zipfile import ZipFile

import pytest
from playwright.sync_api import Browser as Chromium
from playwright.sync_api import expect

from morningdeck.actions.feeds import open_feed
from tests.actions.owning import PASSWORD, something_of_everything
from tests.web.newsroom import PHONE, chromium, fits, newsroom, screen
from tests.web.site import Website, website

__all__ = ["chromium"]
pytestmark = pytest.mark.xdist_group("browser")

ADA, EVE = "ada@example.org", "eve@example.org"
FEED = r"http://[^<]+/feeds/(mdf_[\w-]+)\.rss"


@pytest.fixture
def deck(tmp_path: Path, database_url: str) -> Iterator[Website]:
    with website(tmp_path, database_url) as web:
        yield web


def test_everything_is_taken_along_and_nothing_that_opens_anything(deck: Website) -> None:
    ada = something_of_everything(deck.app, deck.user(ADA))
    something_of_everything(deck.app, deck.user(EVE))
    with deck.browser(ADA) as browser:
        answer = browser.get("/settings/export")

    assert answer.headers["content-type"] == "application/zip"
    with ZipFile(io.BytesIO(answer.content)) as packed:
        assert packed.testzip() is None
        held = {name: packed.read(name) for name in packed.namelist()}
    told = {name: json.loads(text) for name, text in held.items() if name.endswith(".json")}
    assert told["profile.json"]["email"] == ADA
    assert [one["id"] for one in told["briefings.json"]] == list(ada.briefings)
    (rated,) = (one for one in told["items.json"] if one["id"] == ada.item)
    assert (rated["read"], rated["saved"], rated["scores"][0]["feedback"]) == (True, True, 1)
    assert [one["briefing_id"] for one in told["reports.json"]] == list(ada.briefings)
    assert [one["name"] for one in told["searches.json"]] == ["Ships"]
    assert [one["name"] for one in told["tokens.json"]] == ["phone"]
    assert b'text="Sea"' in held["sources.opml"]
    everything = b"".join(held.values())
    assert [one for one in ada.secrets if one.encode() in everything] == []
    assert EVE.encode() not in everything


def test_an_account_goes_with_its_password_alone(deck: Website) -> None:
    ada = deck.user(ADA)
    something_of_everything(deck.app, ada)
    with deck.browser(ADA) as browser:
        asked = browser.get("/settings/remove").text
        assert re.search(r"your \d sources", asked)
        assert "1 briefing," in asked
        wrong = browser.send("/settings/remove", password="a guess or two")
        assert (wrong.status_code, "not your password" in wrong.text) == (422, True)
        assert browser.get("/").status_code == 200

        gone = browser.send("/settings/remove", password=PASSWORD)
        assert (gone.status_code, "Your account is gone" in gone.text) == (200, True)
        assert browser.get("/").status_code == 303
    assert ADA not in {one.email for one in deck.app.store.users.list()}
    with deck.browser() as browser:
        browser.get("/login")
        assert browser.send("/login", email=ADA, password=PASSWORD).status_code in (303, 422)


def test_a_password_is_not_guessed_where_an_account_is_removed(deck: Website) -> None:
    deck.user(ADA, PASSWORD)
    with deck.browser(ADA) as browser:
        codes = [
            browser.send("/settings/remove", password=f"guess {n}").status_code for n in range(11)
        ]
    assert codes == [422] * 10 + [429]


def test_the_only_admin_of_others_is_told_what_to_do(deck: Website) -> None:
    deck.user(ADA)
    deck.user("me@localhost", PASSWORD)
    with deck.browser("me@localhost") as browser:
        told = browser.send("/settings/remove", password=PASSWORD)
    assert told.status_code == 422
    assert "make somebody else one first" in told.text


def test_without_a_password_it_takes_ones_address(deck: Website) -> None:
    with deck.browser(ADA) as browser:
        assert browser.send("/settings/remove", email="eve@example.org").status_code == 422
        assert browser.send("/settings/remove", email=" Ada@Example.org ").status_code == 200


# ---- briefings as feeds


def test_a_secret_address_is_made_changed_and_ended(web: Website, chromium: Chromium) -> None:
    room = newsroom(web)
    with screen(chromium, room, PHONE, script=False) as page, web.browser() as reader:

        def address() -> str:
            return page.locator(".said code").first.inner_text()

        page.goto("/settings")
        page.get_by_role("button", name="Make an address for Energy & harbour").click()
        first = address()
        assert reader.get(first).status_code == 200
        page.goto("/settings")
        expect(page.locator("main")).not_to_contain_text("mdf_")

        page.get_by_role("button", name="New address for Energy & harbour").click()
        second = address()
        assert (reader.get(first).status_code, reader.get(second).status_code) == (404, 200)
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")

        page.get_by_role("button", name="End the address of Energy & harbour").click()
        expect(page.get_by_role("status")).to_contain_text("The address is ended")
        assert reader.get(second).status_code == 404


def test_what_leaving_asks_fits_a_phone(web: Website, chromium: Chromium) -> None:
    room = newsroom(web)
    with screen(chromium, room, PHONE) as page:
        page.goto("/settings/remove")
        assert fits(page)
        page.get_by_role("link", name="Keep it").click()
        with page.expect_download() as taken:
            page.get_by_role("link", name="Take it along").click()
        assert taken.value.suggested_filename == "morning-deck.zip"


def test_nobody_opens_a_feed_of_somebody_elses_briefing(deck: Website) -> None:
    eve = deck.user(EVE)
    briefing = deck.stock.briefing(eve.id)
    opened = open_feed(deck.app.store.feeds, eve.id, briefing, deck.url, anew=False)
    with deck.browser(ADA) as browser:
        assert browser.send(f"/settings/feeds/{briefing}").status_code == 404
        assert browser.send(f"/settings/feeds/{briefing}/end").status_code == 404
        assert re.search(FEED, opened.rss)
        assert browser.get(opened.rss).status_code == 200
