"""The engine room: what needs somebody, a day of each stage, dead letters, and for whom it is."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from datetime import datetime, timedelta

import pytest
from playwright.sync_api import Browser
from sqlalchemy import delete, insert

from morningdeck.engine.node import lock_as_daemon
from morningdeck.model.hours import DEPTH_SLOT, DepthView, Ending, slot
from morningdeck.store.tables.briefs import deliveries
from morningdeck.store.tables.news import items, sources
from morningdeck.store.tables.running import endpoints, notices, processes, usage_days
from morningdeck.web.pages.watching import numbers_now
from morningdeck.work import Stage
from tests.factories import change, make_delivery
from tests.pictures import browser
from tests.web.screen import screen
from tests.web.site import Website

ADMIN, OTHER = "me@localhost", "other@example.org"
NAUGHTY = '<script>alert(1)</script> "quoted" &amp; \u202e'


@pytest.fixture(scope="module")
def chromium() -> Iterator[Browser]:
    with browser() as opened:
        yield opened


@pytest.fixture
def source(web: Website) -> Iterator[int]:
    """Of the admin; whatever a test has broken is whole again after it."""
    source = web.stock.source(web.user(ADMIN).id, "https://nordlicht.example/feed")
    yield source
    with web.app.store.database.write() as connection:
        for table in (items, notices, endpoints, processes, usage_days, deliveries, sources):
            connection.execute(delete(table))


def dead_letter(web: Website, source: int, title: str = "The harbour goes dark") -> int:
    return web.stock.item(source, status="ERROR", last_error="404: it is gone", title=title)


def put(web: Website, table: object, **values: object) -> None:
    with web.app.store.database.write() as connection:
        connection.execute(insert(table).values(**values))  # type: ignore[arg-type]  # a table


def now(web: Website) -> datetime:
    return web.app.clock()


def test_the_page_has_the_shape_that_its_stream_tells(web: Website, source: int) -> None:
    """With another one, browsers would load it anew for ever."""
    before = numbers_now(web.app)["shape"]
    dead_letter(web, source)
    make_delivery(web.app.store.database, status="REFUSED")
    with web.browser(ADMIN) as admin:
        shape = numbers_now(web.app)["shape"]
        assert f'data-shape="{shape}"' in admin.get("/engine").text
        assert shape != before


# ---- for whom


@pytest.mark.parametrize("path", ["/engine", "/engine.json"])
def test_it_is_for_admins(web: Website, path: str) -> None:
    with web.browser(ADMIN) as admin, web.browser(OTHER) as other, web.browser() as nobody:
        assert [one.get(path).status_code for one in (admin, other, nobody)] == [200, 403, 303]
        assert 'href="/engine"' in admin.get("/").text
        assert 'href="/engine"' not in other.get("/").text


@pytest.mark.parametrize(
    "path", ["processing/{0}/retry", "processing/{0}/purge", "processing/retry", "fetch/{0}/retry"]
)
def test_others_change_nothing(web: Website, source: int, path: str) -> None:
    letter = dead_letter(web, source)
    with web.browser(OTHER) as other, web.browser(ADMIN) as admin:
        assert other.send(f"/engine/{path}".format(letter), id=str(letter)).status_code == 403
        assert admin.client.post(f"/engine/{path}".format(letter)).status_code == 403  # no token
        assert admin.get(f"/engine/{path}".format(letter)).status_code in (404, 405)

    assert web.stock.status(letter) == "ERROR"


# ---- the verdict


def test_the_first_sentence_and_the_tab_say_what_needs_somebody(web: Website, source: int) -> None:
    told = {"kind": "source-degraded", "subject": str(source), "text": f"{NAUGHTY} is not read"}
    put(web, notices, user_id=web.user(ADMIN).id, **told)
    with web.browser(ADMIN) as admin:
        text = admin.get("/engine").text

    assert "2 things need you." in text
    assert "<title>(2) needs you" in text
    assert "icon-trouble." in text
    assert "Nothing runs" in text
    assert "<script>alert" not in text
    assert f'action="/engine/fetch/{source}/retry"' in text


def test_all_is_well_where_nothing_needs_anybody(web: Website, source: int) -> None:
    web.stock.briefing(web.user(ADMIN).id)
    web.app.join("daemon")
    with closing(lock_as_daemon(web.app.settings.data_dir)), web.browser(ADMIN) as admin:
        text = admin.get("/engine").text

    assert "All is well." in text
    assert "<title>All is well" in text
    assert "icon-trouble." not in text


# ---- what it shows


def test_a_day_of_a_stage_is_drawn_and_told_in_numbers(web: Website, source: int) -> None:
    hours, at = web.app.store.hours, now(web)
    for ending, count in ((Ending.WORKED, 7), (Ending.FAILED, 1)):
        for _ in range(count):
            hours.add(Stage.FETCH, ending, 0.4, at)
    hours.write()
    hours.note_depths([DepthView("fetch", slot(at, DEPTH_SLOT), 31, 9)])
    with web.browser(ADMIN) as admin:
        text = admin.get("/engine").text
        told = admin.get("/engine.json").json()

    assert 'aria-label="Waiting over 24 hours: 31 at most"' in text
    assert 'aria-label="Ended by the hour: 7 worked, 1 failed"' in text
    assert "12.5 %" in text
    (fetch, *_) = told["stages"]
    assert fetch["endings"] == {"worked": 7, "failed": 1}
    assert fetch["depths"][0]["waiting"] == 31


def test_whatever_is_held_waits_died_or_costs_is_named(web: Website, source: int) -> None:
    soon = now(web) + timedelta(minutes=4)
    put(web, endpoints, name="llm.example", failures=4, held_until=soon, held_for="busy")
    dead = {"started_at": now(web) - timedelta(hours=1), "lease_until": now(web)}
    put(web, processes, node="deck/7", incarnation="dead", kind="worker fetch", version="9", **dead)
    put(web, usage_days, day=now(web).date(), calls=3, nanodollars=1_500_000_000)
    late = make_delivery(web.app.store.database)
    change(web.app.store.database, deliveries, late, status="RETRY", last_error="450 full")
    with web.browser(ADMIN) as admin:
        text = admin.get("/engine").text

    for words in ("llm.example is left alone until", "gone without a word", "450 full"):
        assert words in text
    assert "Dollars a day" in text
    assert "1.50" in text


# ---- dead letters


def test_one_letter_is_tried_again_and_one_deleted(web: Website, source: int) -> None:
    kept, tried, gone = (dead_letter(web, source, NAUGHTY) for _ in range(3))
    with web.browser(ADMIN) as admin:
        assert "<script>alert" not in admin.get("/engine").text
        led = admin.send(f"/engine/processing/{tried}/retry")
        assert (led.status_code, led.headers["location"]) == (303, "/engine?done=retried")
        assert "It waits again." in admin.get("/engine?done=retried").text
        assert admin.send(f"/engine/processing/{gone}/purge").status_code == 303
        assert admin.send(f"/engine/processing/{gone}/purge").status_code == 409

    assert [web.stock.status(kept), web.stock.status(tried)] == ["ERROR", "NEW"]
    assert {one.id for one in web.app.store.dead_letters.list()} == {kept}


def test_only_those_that_are_named_are_tried_again(web: Website, source: int) -> None:
    named, unnamed = dead_letter(web, source), dead_letter(web, source)
    with web.browser(ADMIN) as admin:
        for odd in ({}, {"id": "x"}, {"id": "9" * 30}, {"id": ""}):
            assert admin.send("/engine/processing/retry", **odd).status_code == 422
        assert admin.send("/engine/processing/retry", id=str(named)).status_code == 303

    assert [web.stock.status(named), web.stock.status(unnamed)] == ["NEW", "ERROR"]


def test_what_somebody_saved_is_not_deleted(web: Website, source: int) -> None:
    letter, user = dead_letter(web, source), web.user(ADMIN)
    web.app.store.items.mark_saved(user.id, letter, now(web))
    with web.browser(ADMIN) as admin:
        assert admin.send(f"/engine/processing/{letter}/purge").status_code == 409

    assert web.stock.status(letter) == "ERROR"


# ---- in a browser


@pytest.mark.parametrize("script", [True, False])
def test_a_letter_is_tried_again_from_the_keyboard(
    web: Website, chromium: Browser, source: int, script: bool
) -> None:
    letter = dead_letter(web, source)
    with screen(chromium, web, ADMIN, "/engine", java_script_enabled=script) as page:
        page.get_by_role("button", name="Try again The harbour goes dark").focus()
        page.keyboard.press("Enter")
        page.get_by_text("It waits again.").wait_for()

    assert web.stock.status(letter) == "NEW"
