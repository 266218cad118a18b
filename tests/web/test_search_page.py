"""Search as a page: what was understood, what was found, and the searches that are kept."""

from __future__ import annotations

import re
from contextlib import suppress

import pytest
from playwright.sync_api import Browser, Error, Route, expect

from morningdeck.store.tables.news import items
from morningdeck.store.views import search_index
from tests.render.editions import EVERY, NASTY
from tests.web.newsroom import PHONE, Newsroom, chromium, fits, newsroom, screen
from tests.web.site import Website

__all__ = ["chromium"]
pytestmark = pytest.mark.xdist_group("browser")

LEAD, SECOND = EVERY["daily"].items[:2]


def found(web: Website) -> Newsroom:
    """A reader whose items are in the index."""
    room = newsroom(web)
    for told in (LEAD, SECOND):
        web.stock.set(items, room.item(told), search_mark=1)
    store = web.app.store
    store.search_index.put(store.search_outbox.documents(1000), ())
    return room


def test_it_says_what_it_understood_and_where_it_is(web: Website, chromium: Browser) -> None:
    room = found(web)
    with screen(chromium, room, PHONE, script=False) as page:
        page.goto("/search")
        page.get_by_label("Words, or fields").fill("pumps OR ashore")
        page.get_by_role("button", name="Search").click()
        expect(page.locator(".understood")).to_contain_text("2 found")
        expect(page.locator(".understood")).to_contain_text("pumps or ashore")
        assert {"pumps", "ashore"} <= set(page.locator("mark").all_inner_texts())
        assert fits(page)

        expect(page.get_by_role("heading", name="Among these")).to_be_visible()
        page.get_by_role("link", name=SECOND.source_title).click()
        expect(page.locator(".row")).to_have_count(1)
        expect(page.locator(".row h2")).to_have_text(SECOND.title)


def test_facets_of_a_part_say_so(web: Website, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(search_index, "FACET_SAMPLE", 2)
    room = found(web)
    web.stock.set(items, room.item(LEAD), search_mark=1)
    web.app.store.search_index.put(web.app.store.search_outbox.documents(1000), ())

    with web.browser(room.email) as reader:
        assert "Among the first 2<" in reader.get("/search", params={"q": "pumps OR ashore"}).text


def test_a_search_is_kept_and_removed(web: Website, chromium: Browser) -> None:
    room = found(web)
    with screen(chromium, room, script=False) as page:
        page.goto("/search?q=pumps")
        page.get_by_label("Its name").fill("Pumps <b>")
        page.get_by_role("button", name="Save it").click()
        page.goto("/search")
        page.get_by_role("link", name="Pumps <b>").click()
        expect(page.locator(".row")).to_have_count(1)

        page.get_by_label("Its name").fill("Pumps <b>")
        page.get_by_role("button", name="Save it").click()
        expect(page.get_by_role("alert")).to_contain_text("already")

        page.get_by_role("button", name="Remove Pumps <b>").click()
        assert web.app.store.saved_searches.list(room.user) == ()


def test_nobody_finds_or_removes_what_is_somebody_elses(web: Website) -> None:
    room, other = found(web), found(web)
    with web.browser(other.email) as reader:
        reader.send("/search/saved", q="pumps", name="Mine")
    with web.browser(room.email) as reader:
        assert "1 found" in reader.get("/search?q=pumps").text
        assert reader.send("/search/saved/remove", name="Mine").status_code == 404
        assert "Mine" not in reader.get("/search").text


@pytest.mark.parametrize("text", [NASTY.replace("\x00", "").replace("\ud800", ""), '"', "-", "((("])
def test_any_text_can_be_asked(web: Website, text: str) -> None:
    room = found(web)
    with web.browser(room.email) as reader:
        page = reader.get("/search", params={"q": text})

    assert page.status_code == 200
    assert "<script>alert" not in page.text


# ---- as somebody types


def test_it_asks_while_somebody_types(web: Website, chromium: Browser) -> None:
    room = found(web)
    with screen(chromium, room, PHONE) as page:
        page.goto("/search")
        field = page.get_by_label("Words, or fields")
        field.press_sequentially("pum")
        expect(page.locator("#count")).to_contain_text("1 found")
        expect(page.locator(".row h2")).to_have_text(SECOND.title)
        expect(page).to_have_url(re.compile(r"/search\?q=pum&sort=relevance$"))
        expect(page).to_have_title("pum · Morning Deck")

        field.press("Home")
        field.press_sequentially("zzz ")
        expect(page.locator("#count")).to_contain_text("0 found")
        expect(field).to_be_focused()
        assert field.evaluate("one => one.selectionStart") == len("zzz ")
        assert page.evaluate("history.length") == 2

        field.fill("")
        expect(page.locator("#count")).to_have_text("")
        expect(page).to_have_url(re.compile("/search$"))


def test_an_old_answer_never_overtakes_a_new_one(web: Website, chromium: Browser) -> None:
    room = found(web)
    with screen(chromium, room) as page:
        waiting: list[Route] = []
        page.route("**/search?q=nothing*", lambda route: waiting.append(route))
        page.goto("/search")
        field = page.get_by_label("Words, or fields")
        with page.expect_request("**/search?q=nothing*"):
            field.fill("nothing")
        with page.expect_response("**/search?q=pumps*"):
            field.fill("pumps")
        expect(page.locator("#count")).to_contain_text("1 found")
        for old in waiting:
            with suppress(Error):  # nobody waits for it any more
                old.continue_()
        page.wait_for_timeout(300)
        expect(page.locator("#count")).to_contain_text("1 found")
        expect(page).to_have_url(re.compile("q=pumps"))


def test_what_is_selected_or_in_use_stays_until_it_is_left(web: Website, chromium: Browser) -> None:
    room = found(web)
    with screen(chromium, room) as page:
        page.goto("/search?q=pumps")
        field = page.get_by_label("Words, or fields")
        with page.expect_response("**/search?q=zzz*"):
            field.fill("zzz")
            page.locator(".row h2 a").focus()
        page.wait_for_timeout(100)
        expect(page.locator(".row h2 a")).to_be_focused()
        field.focus()
        expect(page.locator("#count")).to_contain_text("0 found")

        with page.expect_response("**/search?q=pumps*"):
            field.fill("pumps")
        expect(page.locator(".row")).to_have_count(1)
        with page.expect_response("**/search?q=ashore*"):
            field.fill("ashore")
            page.evaluate("getSelection().selectAllChildren(document.querySelector('.row h2'))")
        page.wait_for_timeout(100)
        assert page.evaluate("String(getSelection())").strip() == SECOND.title
        page.evaluate("getSelection().removeAllRanges()")
        expect(page.locator(".row h2")).to_have_text(LEAD.title)


def test_an_answer_that_does_not_come_is_told(web: Website, chromium: Browser) -> None:
    room = found(web)
    with screen(chromium, room) as page:
        page.goto("/search")
        page.route("**/search?q=pumps*", lambda route: route.fulfill(status=200, body="<p>odd"))
        page.get_by_label("Words, or fields").fill("pumps")
        expect(page.locator("#count")).to_contain_text("press Search to ask again")
        page.unroute("**/search?q=pumps*")
        page.get_by_role("button", name="Search").click()
        expect(page.locator("#count")).to_contain_text("1 found")
