"""The feed: what was read, the newest first, by filters, by hand and by keys."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser, Page, expect

from morningdeck.store.tables.news import items
from tests.conftest import NOW
from tests.render.editions import EVERY, NASTY
from tests.web.newsroom import DESK, PHONE, Newsroom, chromium, fits, newsroom, screen
from tests.web.site import Website

__all__ = ["chromium"]
pytestmark = pytest.mark.xdist_group("browser")

STORIES = EVERY["daily"].items


def stocked(web: Website, count: int) -> tuple[Newsroom, list[int]]:
    """Some items of one source, the newest first."""
    room = newsroom(web)
    source = web.stock.source(room.user, f"https://{room.user}.example/feed", name="Gridline")
    ids = [web.stock.item(source, title=f"Story {number}") for number in range(count)]
    return room, ids[::-1]


def titles(page: Page) -> list[str]:
    return page.locator(".row h2").all_inner_texts()


def test_filters_compose(web: Website) -> None:
    room = newsroom(web)
    first, second, third = (room.item(told) for told in STORIES[:3])
    store = web.app.store
    store.items.mark_read(room.user, first, NOW)
    store.items.mark_saved(room.user, second, NOW)
    web.stock.set(items, third, language="de-AT")
    source = store.items.show(room.user, second).source_id

    def shown(query: str) -> set[int]:
        with web.browser(room.email) as reader:
            page = reader.get(f"/feed{query}").text
        return {one for one in (first, second, third) if f'id="item-{one}"' in page}

    everything = {first, second, third}
    assert shown("") == shown("?source=&briefing=&topic=&language=") == everything
    assert shown("?unread=1") == {second, third}
    assert shown("?saved=1") == {second}
    assert shown("?language=de") == {third}
    assert shown(f"?source={source}&unread=1") == {second}
    assert shown(f"?briefing={room.briefing}&min_score=100") == set()
    assert shown("?topic=nothing+of+it") == set()
    assert shown("?topic=%21%21&language=%3F%3F&min_score=x") == set()


def test_its_filters_name_sources_and_briefings_as_they_are_called(web: Website) -> None:
    room = newsroom(web)
    name = '<b>Gridline</b> & "Co"'
    source = web.stock.source(room.user, f"https://{room.user}.example/named", name=name)
    with web.browser(room.email) as reader:
        page = reader.get(f"/feed?source={source}").text
        told = "&lt;b&gt;Gridline&lt;/b&gt; &amp; &#34;Co&#34;"
        assert f'<option value="{source}" selected>{told}</option>' in page
        assert f'<option value="{room.briefing}">Energy &amp; harbour</option>' in page


def test_of_too_many_sources_the_chosen_one_alone_is_offered(web: Website) -> None:
    room = newsroom(web)
    those = [
        web.stock.source(room.user, f"https://{room.user}-{nth}.example/feed", name=f"Paper {nth}")
        for nth in range(201)
    ]
    with web.browser(room.email) as reader:
        page = reader.get(f"/feed?source={those[7]}").text
        assert f'<option value="{those[7]}" selected>Paper 7</option>' in page
        assert "Paper 8<" not in page
        assert f'<a class="button" href="/feed?source={those[8]}">Its articles</a>' in (
            reader.get(f"/sources/{those[8]}").text
        )


def test_a_topic_is_one_of_the_items_or_of_its_source(web: Website) -> None:
    room = newsroom(web)
    source = web.stock.source(room.user, "https://t.example/feed", topics=("ferries",))
    store = web.app.store
    with web.asked_with(web.token(room.email, "read")) as client:
        item = web.stock.item(source, title="Late again", search_mark=1)
        documents = store.search_outbox.documents(10)
        store.search_index.put(documents, ())
        found = client.get("/api/v1/items?topic=ferries").json()["items"]
        assert [one["id"] for one in found] == [item]
        assert client.get("/api/v1/items?topic=cars").json()["items"] == []
        assert client.get("/api/v1/items?topic=ferries&language=de").json()["items"] == []


def test_a_topic_fills_pages_that_begin_where_the_last_one_ended(web: Website) -> None:
    """Those of the newest items are looked at first, and then all."""
    room = newsroom(web)
    source = web.stock.source(room.user, "https://ferries.example/feed", topics=("moorings",))
    with web.asked_with(web.token(room.email, "read")) as client:
        ids = [web.stock.item(source, title=f"No {n}", search_mark=1) for n in range(5)]
        store = web.app.store
        store.search_index.put(store.search_outbox.documents(100), ())
        found, cursor = [], ""
        for _ in range(3):
            answer = client.get(f"/api/v1/items?topic=moorings&limit=2{cursor}").json()
            found += [one["id"] for one in answer["items"]]
            cursor = f"&cursor={answer['next_cursor']}"
        assert found == ids[::-1]
        assert answer["next_cursor"] is None


def test_somebody_elses_source_is_none(web: Website) -> None:
    room, other = newsroom(web), newsroom(web)
    item = web.app.store.items.show(other.user, other.item(STORIES[0]))
    with web.browser(room.email) as reader:
        assert reader.get(f"/feed?source={item.source_id}").status_code == 404
        assert reader.get(f"/feed?briefing={other.briefing}").status_code == 404
        reader.send("/feed/read", id=str(item.id))
    assert not web.app.store.items.show(other.user, item.id).read


def test_the_list_goes_on_without_a_script(web: Website, chromium: Browser) -> None:
    room, _ = stocked(web, 35)
    with screen(chromium, room, script=False) as page:
        page.goto("/feed")
        expect(page.locator(".row")).to_have_count(30)
        page.get_by_role("link", name="Older").click()
        expect(page.locator(".row h2")).to_have_text([f"Story {n}" for n in (4, 3, 2, 1, 0)])
        expect(page.locator("p.end")).to_have_text("That is all.")


def test_the_list_goes_on_by_itself(web: Website, chromium: Browser) -> None:
    room, _ = stocked(web, 65)
    with screen(chromium, room) as page:
        page.goto("/feed")
        for count in (60, 65):
            page.keyboard.press("End")
            expect(page.locator(".row")).to_have_count(count)
        assert titles(page) == [f"Story {number}" for number in range(64, -1, -1)]
        expect(page.locator("p.end")).to_have_text("That is all.")
        assert page.locator("input[name=id]").count() == 65


@pytest.mark.parametrize("script", [True, False], ids=["script", "plain"])
def test_all_above_is_read_and_that_can_be_undone(
    web: Website, chromium: Browser, script: bool
) -> None:
    room, ids = stocked(web, 3)
    of = web.app.store.items
    of.mark_read(room.user, ids[0], NOW)
    with screen(chromium, room, PHONE, script=script) as page:
        page.goto("/feed?unread=1")
        came_later = web.stock.item(of.show(room.user, ids[0]).source_id, title="Later")
        page.get_by_role("button", name="Mark all above as read").click()
        expect(page.locator(".undo")).to_contain_text("2 marked as read.")
        assert titles(page) == ["Later"]
        assert not of.show(room.user, came_later).read

        page.get_by_role("button", name="Undo").click()
        expect(page.locator(".undo")).to_have_count(0)
        expect(page.locator(".row")).to_have_count(3)
    assert [of.show(room.user, one).read for one in ids] == [True, False, False]


def test_rows_stay_where_they_are(web: Website, chromium: Browser) -> None:
    room, _ = stocked(web, 3)
    with screen(chromium, room) as page:
        page.goto("/feed?unread=1")
        before = titles(page)
        page.locator(".row").nth(1).get_by_role("button", name="Read").click()
        expect(page.locator(".row.read")).to_have_count(1)
        assert titles(page) == before
        page.reload()
        expect(page.locator(".row")).to_have_count(2)


def test_keys_do_what_their_help_says(web: Website, chromium: Browser) -> None:
    room, ids = stocked(web, 3)
    of = web.app.store.items
    with screen(chromium, room) as page:
        page.goto("/feed")
        keys = page.keyboard
        for key in "jjk":
            keys.press(key)
        assert page.evaluate("document.activeElement.textContent") == "Story 2"
        keys.press("s")
        expect(page.locator(".row").first.locator("[name=saved]")).to_have_attribute(
            "aria-pressed", "true"
        )
        keys.press("m")
        expect(page.locator(".row.read")).to_have_count(1)
        assert of.show(room.user, ids[0]).saved

        keys.press("?")
        expect(page.locator("dialog")).to_be_visible()
        assert set("jkosmr/?gt") == set(page.locator("dialog dt").all_inner_texts())
        keys.press("t")
        keys.press("Escape")
        expect(page.locator("dialog")).not_to_be_visible()
        keys.press("j")
        keys.press("o")
        page.wait_for_url(f"**/items/{ids[1]}")


def test_keys_mean_nothing_while_something_is_written(web: Website, chromium: Browser) -> None:
    room, _ = stocked(web, 2)
    with screen(chromium, room) as page:
        page.goto("/feed")
        page.locator("summary").click()
        page.get_by_label("Topic").fill("")
        page.get_by_label("Topic").press_sequentially("jkt?")
        page.locator(".row a").first.focus()
        for held in ("Control+j", "Alt+j", "Meta+j"):
            page.keyboard.press(held)
        assert page.get_by_label("Topic").input_value() == "jkt?"
        assert page.evaluate("document.activeElement.textContent") == "Story 1"
        assert "/feed" in page.url


@pytest.mark.parametrize("width", [PHONE, DESK])
def test_whatever_strangers_write_is_a_row_that_fits(
    web: Website, chromium: Browser, width: int
) -> None:
    room = newsroom(web)
    nasty = NASTY.replace("\x00", "").replace("\ud800", "")
    item = room.item(STORIES[0])
    web.stock.set(items, item, title=nasty, summary="w" * 300)
    with screen(chromium, room, width) as page:
        page.goto("/feed?topic=" + "x" * 300 + "&language=%3Cscript%3E")
        assert fits(page)
        page.goto("/feed")
        assert "<script>alert(1)</script>" in page.locator(".row h2").inner_text()
        assert fits(page)
