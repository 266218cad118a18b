"""One item as a page: what it says, why it was chosen, who else tells it."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser, expect

from morningdeck.store.tables.news import items, stories
from morningdeck.web.images import image_path
from tests.factories import make
from tests.render.editions import EVERY, NASTY
from tests.web.newsroom import DESK, PHONE, chromium, fits, newsroom, screen
from tests.web.site import Website

__all__ = ["chromium"]
pytestmark = pytest.mark.xdist_group("browser")

LEAD, SECOND, THIRD = EVERY["daily"].items[:3]


def test_it_says_what_it_is_and_why_it_was_chosen(web: Website, chromium: Browser) -> None:
    room = newsroom(web)
    item = room.item(LEAD, score=83)
    with screen(chromium, room) as page:
        page.goto(f"/items/{item}")
        expect(page.locator("h1")).to_have_text(LEAD.title)
        expect(page.locator(".summary")).to_contain_text(LEAD.summary)
        expect(page.locator(".text p").last).to_have_text("To its end.")
        why = page.locator(".rows li").first
        expect(why).to_contain_text("Energy & harbour")
        expect(why).to_contain_text("matches 'offshore wind' in the title")
        expect(why).to_contain_text("83 of 100")
        expect(page.locator("#original")).to_have_attribute("href", LEAD.url or "")


def test_its_image_comes_by_way_of_the_deck(web: Website, chromium: Browser) -> None:
    room = newsroom(web)
    item = room.item(LEAD)
    web.stock.set(items, item, image_url="https://x.example/crane.png")
    with screen(chromium, room) as page:
        page.goto(f"/items/{item}")
        path = image_path(web.app.adapters.outlets, "https://x.example/crane.png")
        expect(page.locator(".picture")).to_have_attribute("src", path or "")


def test_who_opens_it_has_read_it_but_asking_for_it_changes_nothing(
    web: Website, chromium: Browser
) -> None:
    room = newsroom(web)
    item = room.item(LEAD)
    with screen(chromium, room, script=False) as page:
        page.goto(f"/items/{item}")
        assert not web.app.store.items.show(room.user, item).read
        page.get_by_role("button", name="Read").click()
        expect(page.get_by_role("button", name="Read")).to_have_attribute("aria-pressed", "true")
        page.get_by_role("button", name="Read").click()
        expect(page.get_by_role("button", name="Read")).to_have_attribute("aria-pressed", "false")
        assert not web.app.store.items.show(room.user, item).read
    with screen(chromium, room) as page:
        page.goto(f"/items/{item}")
        expect(page.get_by_role("button", name="Read")).to_have_attribute("aria-pressed", "true")
        assert web.app.store.items.show(room.user, item).read


@pytest.mark.parametrize("script", [True, False], ids=["script", "plain"])
def test_a_thumb_can_be_taken_back(web: Website, chromium: Browser, script: bool) -> None:
    room = newsroom(web)
    item = room.item(LEAD)
    with screen(chromium, room, PHONE, script=script) as page:
        page.goto(f"/items/{item}")
        less = page.get_by_role("button", name="Less")
        for pressed, feedback in (("true", -1), ("false", 0)):
            less.click()
            expect(less).to_have_attribute("aria-pressed", pressed)
            assert web.app.store.items.show(room.user, item).scores[0].feedback == feedback


def test_who_else_tells_it_stands_beside_it(web: Website) -> None:
    room, other = newsroom(web), newsroom(web)
    story = make(web.app.store.database, stories)
    mine, told, theirs = room.item(LEAD), room.item(SECOND), other.item(THIRD)
    for item in (mine, told, theirs):
        web.stock.set(items, item, story_id=story)
    with web.browser(room.email) as reader:
        page = reader.get(f"/items/{mine}").text

    assert SECOND.title in page
    assert THIRD.title not in page


def test_what_others_say_besides_stands_beside_it(web: Website, chromium: Browser) -> None:
    room = newsroom(web)
    story = make(web.app.store.database, stories)
    texts = {
        LEAD: "The harbour of Dover opens in May. It has 12 berths.",
        SECOND: "Dover opens its harbour.\n\nThe company Hansen Maritim paid 95 million for it.",
        THIRD: "The harbour of Dover opens in May.",
    }
    ids = {}
    for paper, text in texts.items():
        ids[paper] = number = room.item(paper)
        web.stock.set(items, number, story_id=story, summary="Dover opens a harbour.")
        room.set_text(number, text)
    with screen(chromium, room, PHONE) as page:
        page.goto(f"/items/{ids[LEAD]}")
        beside = page.locator(".told")
        expect(beside.filter(has_text=SECOND.title)).to_contain_text(
            "Says besides: The company Hansen Maritim paid 95 million for it."
        )
        expect(beside.filter(has_text=THIRD.title)).not_to_contain_text("Dover opens")
        assert fits(page)


def test_what_is_like_it_is_looked_for_when_asked(web: Website) -> None:
    room = newsroom(web)
    item = room.item(LEAD)
    with web.browser(room.email) as reader:
        assert f'href="/items/{item}?similar=1#similar"' in reader.get(f"/items/{item}").text
        assert "Nothing that was read is like it." in reader.get(f"/items/{item}?similar=1").text


def test_somebody_elses_item_is_none(web: Website) -> None:
    room, other = newsroom(web), newsroom(web)
    item = other.item(LEAD)
    with web.browser(room.email) as reader:
        assert reader.get(f"/items/{item}").status_code == 404
        assert reader.send(f"/items/{item}", saved="1").status_code == 404


@pytest.mark.parametrize("width", [PHONE, DESK])
def test_whatever_strangers_write_is_text_that_fits(
    web: Website, chromium: Browser, width: int
) -> None:
    room = newsroom(web)
    nasty = NASTY.replace("\x00", "").replace("\ud800", "")
    item = room.item(LEAD)
    names = {"topics": [nasty, "y" * 300], "people": [], "companies": [], "technologies": []}
    web.stock.set(
        items,
        item,
        title=nasty,
        summary=nasty,
        author="x" * 400,
        url="javascript:alert(1)",
        tags={**names, "sentiment": "neutral"},
    )
    with screen(chromium, room, width) as page:
        page.goto(f"/items/{item}")
        assert "<script>alert(1)</script>" in page.locator("h1").inner_text()
        assert page.locator("#original").count() == 0
        assert page.locator("main script, main img").count() == 0
        assert fits(page)
