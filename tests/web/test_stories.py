"""Topics as pages: what moved this week, as a chart and in words."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser, expect
from sqlalchemy import insert

from morningdeck.store.tables.briefs import topic_clusters, topic_members, topic_runs
from tests.factories import make
from tests.render.editions import EVERY
from tests.web.newsroom import PHONE, Newsroom, chromium, fits, newsroom, screen
from tests.web.site import Website

__all__ = ["chromium"]
pytestmark = pytest.mark.xdist_group("browser")


def with_topic(web: Website, label: str) -> tuple[Newsroom, int]:
    room, database = newsroom(web), web.app.store.database
    item = room.item(EVERY["daily"].items[0])
    found = {"user_id": room.user, "label": label, "size": 8, "period": "2026-11-18", "run": 1}
    counted = {"since": "2026-11-10", "this_week": 6, "week_before": 3}
    topic = make(database, topic_clusters, **found, **counted)
    with database.write() as connection:
        run = {"user_id": room.user, "begun": 1, "run": 1, "day": "2026-11-18"}
        connection.execute(insert(topic_runs).values(run))
        connection.execute(insert(topic_members).values(cluster_id=topic, item_id=item))
    return room, topic


def test_what_moved_is_drawn_and_told(web: Website, chromium: Browser) -> None:
    room, _ = with_topic(web, "Offshore wind <b>")
    with screen(chromium, room, PHONE, script=False) as page:
        page.goto("/stories")
        expect(page.get_by_role("img")).to_have_attribute(
            "aria-label", "6 stories this week, 3 the week before"
        )
        wide = [page.locator(f"rect.{one}").get_attribute("width") for one in ("now", "then")]
        assert wide == ["300", "150"]
        assert fits(page)
        page.get_by_role("link", name="Offshore wind <b>").click()
        expect(page.locator("h1")).to_have_text("Offshore wind <b>")
        expect(page.locator(".lines li")).to_have_text(EVERY["daily"].items[0].title)


def test_somebody_elses_topic_is_none(web: Website) -> None:
    room, (_, topic) = newsroom(web), with_topic(web, "Wind")
    with web.browser(room.email) as reader:
        assert reader.get(f"/stories/{topic}").status_code == 404
        assert "No topics yet." in reader.get("/stories").text
