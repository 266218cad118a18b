"""A deck among the apps of a phone: what a browser asks for, and what is shared with it."""

from __future__ import annotations

import struct
from pathlib import Path
from urllib.parse import urlencode, urlsplit

import pytest
from playwright.sync_api import Browser, expect

from morningdeck.web.pages.installing import MANIFEST
from tests.web.newsroom import PHONE, chromium, fits, newsroom, screen
from tests.web.site import Website, website

__all__ = ["chromium"]
pytestmark = pytest.mark.xdist_group("browser")

SHARED = "A harbour opens https://page.example/port?a=1&b=2. From: Paper <b>"
GOOD = "a few good words"


def size_of(png: bytes) -> str:
    assert png.startswith(b"\x89PNG\r\n\x1a\n")
    return "{}x{}".format(*struct.unpack(">II", png[16:24]))


@pytest.mark.parametrize("base_url", [None, "http://deck.example/deck/"])
def test_all_that_a_browser_needs_to_install_it_is_there(
    tmp_path: Path, base_url: str | None
) -> None:
    below = urlsplit(base_url or "").path.rstrip("/")
    with website(tmp_path, f"sqlite:///{tmp_path / 'deck.db'}", base_url=base_url) as web:
        web.user("ada@example.org", GOOD)
        with web.browser() as browser:
            assert f'rel="manifest" href="{below}{MANIFEST}"' in browser.get(f"{below}/login").text
            told = browser.get(f"{below}{MANIFEST}")
            assert told.headers["content-type"] == "application/manifest+json"
            app = told.json()
            assert (app["start_url"], app["scope"], app["display"]) == (
                f"{below}/",
                f"{below}/",
                "standalone",
            )
            assert app["share_target"]["action"] == f"{below}/share"
            icons = {(one["sizes"], one["purpose"]): one["src"] for one in app["icons"]}
            assert {*icons} >= {("192x192", "any"), ("512x512", "any"), ("512x512", "maskable")}
            for (size, _), address in icons.items():
                answer = browser.get(address)
                assert size_of(answer.content) == size
                assert "immutable" in answer.headers["cache-control"]


def test_a_real_browser_finds_it_installable(web: Website, chromium: Browser) -> None:
    room = newsroom(web)
    with screen(chromium, room, PHONE) as page:
        page.goto("/feed")
        devtools = page.context.new_cdp_session(page)
        told = devtools.send("Page.getAppManifest")
        assert (urlsplit(told["url"]).path, told["errors"]) == (MANIFEST, [])
        wrong = devtools.send("Page.getInstallabilityErrors")["installabilityErrors"]
        # a window that has no browser around it can keep nothing
        assert [one["errorId"] for one in wrong if one["errorId"] != "in-incognito"] == []


@pytest.mark.parametrize(
    ("shared", "address"),
    [
        ({"url": "https://page.example/1", "title": "A title"}, "https://page.example/1"),
        ({"text": SHARED}, "https://page.example/port?a=1&b=2"),
        ({"title": "See (https://page.example/2)"}, "https://page.example/2"),
        ({"text": "https://a.example/x_(y)"}, "https://a.example/x_(y)"),
        ({"text": "http://[", "title": "https://page.example/3!"}, "https://page.example/3"),
    ],
)
def test_the_address_is_found_wherever_an_app_puts_it(
    web: Website, chromium: Browser, shared: dict[str, str], address: str
) -> None:
    room = newsroom(web)
    with screen(chromium, room, PHONE) as page:
        page.goto(f"/share?{urlencode(shared)}")
        assert page.get_by_label("Address").input_value() == address
        assert fits(page)


def test_what_is_shared_is_saved_by_whoever_says_so_and_not_before(
    web: Website, chromium: Browser
) -> None:
    room = newsroom(web)
    with screen(chromium, room, PHONE, script=False) as page:
        page.goto(f"/share?{urlencode({'text': SHARED})}")
        expect(page.locator(".shared")).to_contain_text("From: Paper <b>")
        assert web.app.store.items.list(room.user) == ()

        page.get_by_role("button", name="Save it").click()
        expect(page.locator("main")).to_contain_text("waits in line")
        (kept,) = web.app.store.items.list(room.user)
        assert (kept.url, kept.saved) == ("https://page.example/port?a=1&b=2", True)


def test_what_is_no_address_is_told_and_can_be_mended(web: Website) -> None:
    with web.browser("ada@example.org") as ada:
        assert "no address of a page in what was shared" in ada.get("/share?text=only+words").text
        told = ada.send("/share", url="file:///etc/passwd")
        assert (told.status_code, 'value="file:///etc/passwd"' in told.text) == (422, True)


def test_whoever_is_not_logged_in_comes_back_to_what_was_shared(
    web: Website, chromium: Browser
) -> None:
    email = "share@example.org"
    web.user(email, GOOD)
    with chromium.new_context(base_url=web.url) as context:
        page = context.new_page()
        page.goto(f"/share?{urlencode({'text': SHARED})}")
        page.get_by_label("E-mail address").fill(email)
        page.get_by_label("Password").fill(GOOD)
        page.get_by_role("button", name="Log in").click()
        expect(page.get_by_label("Address")).to_have_value("https://page.example/port?a=1&b=2")


def test_a_bookmark_shares_the_page_that_is_open(web: Website, chromium: Browser) -> None:
    room = newsroom(web)
    with screen(chromium, room, PHONE) as page:
        page.goto("/settings")
        script = page.locator("#bookmarklet").get_attribute("href") or ""
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
        assert page.locator("#bookmarklet").evaluate("one => one.offsetHeight") >= 44
        # another site, without a policy of its own, as most are
        page.route(
            "https://news.example/**",
            lambda route: route.fulfill(content_type="text/html", body=OTHER_PAGE),
        )
        page.goto("https://news.example/a?b=1&c=2")
        with page.context.expect_page() as opened:
            page.evaluate("script => { location.href = script }", script)
        share = opened.value
        expect(share.get_by_label("Address")).to_have_value("https://news.example/a?b=1&c=2")
        expect(share.locator(".shared")).to_have_text("Ships & “more”")


OTHER_PAGE = "<meta charset=utf-8><title>Ships &amp; “more”</title>"


def test_nobody_puts_a_script_into_the_bookmark_by_the_name_of_the_host(web: Website) -> None:
    with web.browser("ada@example.org", Host="x'+alert(1)+'") as ada:
        assert "alert" not in ada.get("/settings").text
