"""The newest report as a page, and each report for good."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

import pytest
from playwright.sync_api import Browser, expect

from morningdeck.model.sending import Plan
from morningdeck.store.tables.briefs import report_passed_over, reports
from tests.conftest import NOW
from tests.render.editions import EVERY, NASTY
from tests.web.newsroom import DESK, PHONE, chromium, fits, newsroom, screen
from tests.web.site import Website

__all__ = ["chromium"]
pytestmark = pytest.mark.xdist_group("browser")

DAILY = EVERY["daily"]
LEAD, SECOND = (item.title for item in DAILY.items[:2])
YESTERDAY = {"slot": "2026-11-17", "generated_at": DAILY.generated_at - timedelta(days=1)}


def test_today_is_the_newest_report_with_its_end(web: Website) -> None:
    room = newsroom(web)
    older, _ = room.printed("daily", **YESTERDAY)
    room.printed("daily", left_out={"off_subject": 62})
    with room.web.browser(room.email) as reader:
        page = reader.get("/").text

    for said in (*(item.title for item in DAILY.items), "That is all for today", "62 off your"):
        assert said.replace("&", "&amp;") in page
    assert f'href="/reports/{older}"' in page
    assert "/left-out" in page


def test_one_line_says_where_a_story_is_from_and_why(web: Website, chromium: Browser) -> None:
    room = newsroom(web)
    room.printed("daily")
    with screen(chromium, room) as page:
        page.goto("/")
        line = page.locator(".story.lead > .meta")

        expect(line).to_have_text(
            "Gridline · also in The Harbor Courier, Ledger & Tide · 3 min"
            " · matches 'offshore wind' in the title"
        )
        assert line.get_by_role("link").count() >= 1


def test_what_is_unread_comes_first_but_history_stays(web: Website, chromium: Browser) -> None:
    room = newsroom(web)
    report, ids = room.printed("daily")
    web.app.store.items.mark_read(room.user, ids[0], NOW)
    with screen(chromium, room) as page:
        page.goto("/")
        expect(page.locator("h2").first).to_have_text(SECOND)
        page.goto(f"/reports/{report}")
        expect(page.locator("h2").first).to_have_text(LEAD)
        expect(page.locator(".lead.read")).to_have_count(1)


@pytest.mark.parametrize("script", [True, False], ids=["script", "plain"])
def test_a_story_is_marked_where_it_stands(web: Website, chromium: Browser, script: bool) -> None:
    room = newsroom(web)
    report, ids = room.printed("daily")
    with screen(chromium, room, PHONE, script=script) as page:
        page.goto(f"/reports/{report}")
        lead = page.locator(".story.lead")
        for name in ("Save", "More like this", "Read"):
            lead.get_by_role("button", name=name).click()
            expect(lead.get_by_role("button", name=name)).to_have_attribute("aria-pressed", "true")
        there = web.app.store.items.show(room.user, ids[0])
        assert (there.saved, there.read, there.scores[0].feedback) == (True, True, 1)

        lead.get_by_role("button", name="Save").click()
        expect(lead.get_by_role("button", name="Save")).to_have_attribute("aria-pressed", "false")
        expect(page.locator(".story.lead.read")).to_have_count(1)
    assert not web.app.store.items.show(room.user, ids[0]).saved


def test_a_quiet_day_is_said_kindly(web: Website) -> None:
    room = newsroom(web)
    room.printed("quiet")
    with room.web.browser(room.email) as reader:
        assert "Enjoy the silence." in reader.get("/").text


def test_before_the_first_report_it_is_said_what_to_do(web: Website) -> None:
    room = newsroom(web)
    with room.web.browser(room.email) as reader:
        assert "add a source or two" in reader.get("/").text
        web.stock.source(room.user, "https://first.example/feed")
        page = reader.get("/").text
        assert "The first one comes" in page
        assert 'href="/feed"' in page


def test_other_briefings_of_the_day_are_one_click_away(web: Website) -> None:
    room = newsroom(web)
    other = web.stock.briefing(room.user, title="Evening", plan=Plan(18, 0, "Europe/Paris"))
    second, _ = replace(room, briefing=other).printed("daily", subject="Evening news", **YESTERDAY)
    room.printed("daily")
    room.printed("at_once", slot="at-once:2026-11-19/1", generated_at=web.app.clock())
    with room.web.browser(room.email) as reader:
        page = reader.get("/").text

    assert "<h1" in page
    assert ">Energy &amp; harbour</h1>" in page
    assert f'<a href="/reports/{second}">Evening news</a>' in page


def test_reports_are_listed_to_the_oldest(web: Website, chromium: Browser) -> None:
    room = newsroom(web)
    for number in range(31):
        at = DAILY.generated_at - timedelta(days=number)
        report = web.stock.report(room.briefing, f"day {number}")
        web.stock.set(reports, report, generated_at=at, subject=f"Day {number}")
    with screen(chromium, room, script=False) as page:
        page.goto("/reports")
        expect(page.locator(".reports li")).to_have_count(30)
        page.get_by_role("link", name="Older reports").click()
        expect(page.locator(".reports li")).to_have_count(1)
        page.get_by_role("link", name="Day 30").click()
        expect(page.locator("h1")).to_have_text("Energy & harbour")


def test_what_was_left_out_is_counted_and_named(web: Website) -> None:
    room = newsroom(web)
    report, _ = room.printed("daily", left_out={"off_subject": 62, "source_full": 1})
    over = {"position": 1, "title": "Ferry late", "source": "Gridline", "score": 55}
    with web.app.store.database.write() as connection:
        connection.execute(
            report_passed_over.insert().values(**over, report_id=report, why="source_full")
        )
    with room.web.browser(room.email) as reader:
        page = reader.get(f"/reports/{report}/left-out").text

    assert "62 off the subject" in page
    assert "Ferry late" in page
    assert "its source has its places · scored 55" in page


def test_somebody_elses_report_is_none(web: Website) -> None:
    room, other = newsroom(web), newsroom(web)
    report, ids = other.printed("daily")
    with room.web.browser(room.email) as reader:
        for path in (f"/reports/{report}", f"/reports/{report}/left-out"):
            assert reader.get(path).status_code == 404
        assert reader.send(f"/items/{ids[0]}", read="1").status_code == 404
        assert reader.send(f"/items/{ids[0]}").status_code == 422


def test_a_report_outlives_its_items(web: Website) -> None:
    room = newsroom(web)
    report, ids = room.printed("daily")
    web.app.store.subscriptions.remove(
        room.user, web.app.store.items.show(room.user, ids[0]).source_id
    )
    with room.web.browser(room.email) as reader:
        page = reader.get(f"/reports/{report}").text

    assert LEAD in page
    assert f"/items/{ids[0]}" not in page


@pytest.mark.parametrize("name", ["nasty", "hebrew", "weekly", "sections"])
def test_whatever_a_report_says_is_text_that_fits(
    web: Website, chromium: Browser, name: str
) -> None:
    room = newsroom(web)
    if name == "nasty":  # what no database holds is gone before
        clean = NASTY.replace("\x00", "").replace("\ud800", "")
        items = tuple(replace(one, title=clean, summary=clean) for one in DAILY.items)
        room.printed(replace(DAILY, items=items, subject=clean))
    else:
        room.printed(name)
    for width in (PHONE, DESK):
        with screen(chromium, room, width) as page:
            page.goto("/")
            assert fits(page)
            assert page.locator(".story").count() > 0
            assert page.locator("main script, main img").count() == 0
