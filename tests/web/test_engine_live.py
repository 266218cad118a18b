"""The engine room as it changes: one look for all who look, and an end when the server has one."""

from __future__ import annotations

import asyncio
import json
import threading
from collections.abc import AsyncIterator, Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser

from morningdeck.errors import TransientError
from morningdeck.web.pages.watching import AWAY, MOST_LISTENERS, Watch
from tests.pictures import browser
from tests.web.screen import screen
from tests.web.site import Website, website

ADMIN, OTHER = "me@localhost", "other@example.org"


@pytest.fixture(scope="module")
def chromium() -> Iterator[Browser]:
    with browser() as opened:
        yield opened


def source(web: Website, name: str) -> int:
    return web.stock.source(web.user(ADMIN).id, f"https://{name}.example/feed")


def watch_of(look: Callable[[], bytes], **chosen: float) -> tuple[Watch, threading.Event]:
    ends = threading.Event()
    return Watch(look, ends, look_seconds=0.01, rest_per_listener=0, **chosen), ends


async def next_of(stream: AsyncIterator[bytes]) -> bytes:
    return await asyncio.wait_for(anext(stream), 30)


# ---- one look for all


def test_no_more_look_on_than_a_server_can_tell(tmp_path: Path, sqlite_url: str) -> None:
    """Whoever comes then is told to come again, and has not waited for it."""

    async def look_on(web: Website, watch: Watch) -> None:
        streams = [watch.listen() for _ in range(MOST_LISTENERS)]
        for stream in streams:
            await next_of(stream)
        assert watch.is_full

        with web.browser(ADMIN) as admin:
            told = await asyncio.to_thread(admin.get, "/engine/events")
        assert (told.status_code, told.headers["retry-after"]) == (503, "60")

        await streams[0].aclose()
        assert not watch.is_full

    ends = threading.Event()
    with website(tmp_path, sqlite_url) as web:
        watch = Watch(lambda: b"", ends)
        web.state.watch = watch
        asyncio.run(look_on(web, watch))


def test_whoever_asks_for_the_head_alone_looks_no_longer(tmp_path: Path, sqlite_url: str) -> None:
    with website(tmp_path, sqlite_url) as web, web.browser(ADMIN) as admin:
        codes = {admin.client.head("/engine/events").status_code for _ in range(MOST_LISTENERS + 9)}

    assert codes == {200}


def test_one_look_serves_all_who_look() -> None:
    told = [b"data: 1\n\n"]
    watch, ends = watch_of(lambda: told[-1])

    async def look_on() -> set[bytes]:
        streams = [watch.listen() for _ in range(200)]
        for stream in streams:
            assert await next_of(stream) == b"retry: 3000\n\n"
        assert {await next_of(stream) for stream in streams} == {told[0]}
        looks = watch.looks
        told.append(b"data: 2\n\n")
        heard = {await next_of(stream) for stream in streams}
        assert watch.looks - looks < 20
        ends.set()
        return heard

    assert asyncio.run(look_on()) == {b"data: 2\n\n"}


def test_while_nobody_looks_nothing_is_asked() -> None:
    watch, _ = watch_of(lambda: b"data: 1\n\n")

    async def look_and_go() -> int:
        stream = watch.listen()
        await next_of(stream)
        await next_of(stream)
        await stream.aclose()
        while watch._task is not None:
            await asyncio.sleep(0.01)
        looks = watch.looks
        await asyncio.sleep(0.1)
        return watch.looks - looks

    assert asyncio.run(look_and_go()) == 0


def test_a_database_that_is_away_is_told_and_asked_again() -> None:
    away = [True]

    def look() -> bytes:
        if away[0]:
            raise TransientError("the database is away")
        return b"data: 1\n\n"

    watch, ends = watch_of(look)

    async def look_on() -> list[bytes]:
        stream = watch.listen()
        await next_of(stream)
        first = await next_of(stream)
        away[0] = False
        second = await next_of(stream)
        ends.set()
        return [first, second]

    assert asyncio.run(look_on()) == [AWAY, b"data: 1\n\n"]


def test_it_ends_with_the_server_and_after_its_time() -> None:
    watch, ends = watch_of(lambda: b"data: 1\n\n")
    short, _ = watch_of(lambda: b"data: 1\n\n", longest_seconds=0)

    async def listened(watch: Watch) -> list[bytes]:
        return [told async for told in watch.listen()]

    assert asyncio.run(listened(short)) == [b"retry: 3000\n\n"]
    threading.Timer(0.2, ends.set).start()
    assert asyncio.run(listened(watch)) == [b"retry: 3000\n\n", b"data: 1\n\n"]


# ---- over HTTP


def test_it_is_for_admins_and_says_numbers(web: Website) -> None:
    with web.browser(OTHER) as other, web.browser() as nobody, web.browser(ADMIN) as admin:
        assert other.get("/engine/events").status_code == 403
        assert nobody.get("/engine/events").status_code == 303
        with admin.client.stream("GET", "/engine/events") as told:
            assert told.headers["content-type"] == "text/event-stream; charset=utf-8"
            assert told.headers["cache-control"] == "no-store"
            line = next(line for line in told.iter_lines() if line.startswith("data: "))

    numbers = json.loads(line.removeprefix("data: "))["numbers"]
    assert {"fetch.waiting", "processing.running", "model.cost"} <= numbers.keys()


def test_the_server_does_not_wait_for_those_who_look(tmp_path: Path) -> None:
    with website(tmp_path, f"sqlite:///{tmp_path / 'deck.db'}") as web, web.browser(ADMIN) as admin:
        with admin.client.stream("GET", "/engine/events") as told:
            lines = told.iter_lines()
            next(line for line in lines if line.startswith("data: "))
            stopping = threading.Thread(target=web.stop)
            stopping.start()
            assert not [line for line in lines if line.startswith("data: ")]
        stopping.join(30)
        assert not stopping.is_alive()


# ---- in a browser


def test_numbers_and_letters_come_by_themselves(web: Website, chromium: Browser) -> None:
    of = source(web, "live")
    with screen(chromium, web, ADMIN, "/engine") as page:
        page.get_by_text("Live", exact=True).wait_for()
        web.stock.item(of, status="NEW", title="New", enriched_by=None)
        page.locator("[data-live='processing.waiting']", has_text="1").wait_for()
        web.stock.item(of, status="ERROR", last_error="404", title="It went dark")
        page.get_by_role("button", name="Try again It went dark").wait_for()
        assert page.title().startswith("(")


def test_nothing_moves_under_whoever_is_at_a_button(web: Website, chromium: Browser) -> None:
    of = source(web, "still")
    web.stock.item(of, status="ERROR", last_error="404", title="First letter")
    with screen(chromium, web, ADMIN, "/engine") as page:
        page.get_by_text("Live", exact=True).wait_for()
        page.get_by_role("button", name="Try again First letter").focus()
        web.stock.item(of, status="ERROR", last_error="404", title="Second letter")
        page.get_by_text("More has changed").wait_for()
        assert page.get_by_role("button", name="Try again Second letter").count() == 0


def test_without_a_script_the_page_is_looked_at_again_by_a_link(
    web: Website, chromium: Browser
) -> None:
    with screen(chromium, web, ADMIN, "/engine", java_script_enabled=False) as page:
        source(web, "plain")
        page.get_by_role("link", name="look again").click()
        assert page.url.endswith("/engine")
