"""The first visit, from a claimed account to an edition on the screen, in a real browser."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser

from morningdeck.actions.starters import starter_topics
from morningdeck.addresses import source_url
from morningdeck.net import GuardedClient
from tests.journeys.test_first_morning import FOOTBALL, STORAGE, WIND
from tests.pictures import browser
from tests.servers.feeds import FeedServer
from tests.web.site import Website, website
from tests.web.test_briefing_pages import work
from tests.web.test_logins import GOOD, code_of

pytestmark = pytest.mark.xdist_group("browser")

NEW = "new@start.example"


@pytest.fixture(scope="module")
def chromium() -> Iterator[Browser]:
    with browser() as opened:
        yield opened


@pytest.fixture
def fresh(tmp_path: Path, database_url: str) -> Iterator[Website]:
    """Nobody has claimed anything; feeds on loopback may be read."""
    with website(tmp_path, database_url) as web:
        web.app.adapters.client.close()
        web.app.adapters.client = GuardedClient(allow_networks=["127.0.0.0/8"], user_agent="test")
        yield web
        web.app.adapters.client.close()


def test_from_an_empty_folder_to_an_edition_on_the_screen(
    chromium: Browser, fresh: Website
) -> None:
    context = chromium.new_context(
        base_url=fresh.url, timezone_id="Asia/Tokyo", viewport={"width": 360, "height": 800}
    )
    page = context.new_page()
    with FeedServer() as site:
        url = site.publish("/a.xml", "Gazette", [WIND, STORAGE, FOOTBALL])
        page.goto("/claim")
        page.get_by_label("One-time code").fill(code_of(fresh))
        page.get_by_label("E-mail address").fill(NEW)
        page.get_by_label("Password").fill(GOOD)
        page.get_by_role("button", name="Begin").click()

        page.get_by_label("Add a source").fill(url)
        page.get_by_role("button", name="Look").click()
        page.get_by_text(WIND.title).wait_for()
        page.get_by_role("button", name="Read it from now on").click()
        work(fresh)
        page.get_by_role("link", name="On to your wish").click()

        page.get_by_label("What it is to be about").fill("Offshore wind and grid storage")
        frame = page.frame_locator("iframe")
        frame.get_by_role("link", name=WIND.title).first.wait_for()
        page.get_by_role("button", name="On to the time").click()

        zone = page.get_by_label("By the clock of")
        assert zone.input_value() == "Asia/Tokyo"
        page.get_by_label("As files in the folder of this deck").check()
        page.get_by_role("button", name="Show me the first one").click()
        page.get_by_text("This is how it looks").wait_for()
        work(fresh)
        page.reload()
        frame.get_by_role("link", name=WIND.title).first.wait_for()
    context.close()

    user = fresh.app.store.users.by_email(NEW)
    (made,) = fresh.app.store.briefings.list(user.id)
    assert (made.timezone, made.local_time, made.channels) == (
        *("Asia/Tokyo", "07:30", ("folder",)),
    )
    assert user.timezone == "Asia/Tokyo"


def test_topics_of_the_starter_list_are_read(web: Website) -> None:
    email = "topics@start.example"
    science = next(one for one in starter_topics() if one.title == "Science")
    with web.browser(email) as new:
        web.user(email)
        assert "Quanta Magazine" in new.get("/start").text
        assert new.send("/start/sources").headers["location"] == "/start"
        led = new.send("/start/sources", topic="Science")
    own = web.app.store.subscriptions.list(web.user(email).id)
    assert led.headers["location"] == "/start/wish"
    assert {(one.name, one.url) for one in own} == set(science.feeds)
    assert {one.tags for one in own} == {("Science",)}


def test_the_starter_list_has_each_address_once_as_it_is_stored() -> None:
    urls = [url for topic in starter_topics() for _, url in topic.feeds]
    assert len(urls) == len(set(urls))
    assert urls == [source_url(url, "RSS") for url in urls]


def test_whoever_has_a_briefing_has_begun_before(web: Website) -> None:
    web.stock.briefing(web.user("old@start.example").id)
    with web.browser("old@start.example") as old:
        assert old.get("/start").headers["location"] == "/"


def test_what_is_missing_is_said_and_the_wish_is_kept(web: Website) -> None:
    with web.browser(NEW) as new:
        web.user(NEW)
        assert "Say in a sentence" in new.send("/start/when", criteria=" ").text
        assert 'value="ships &lt;b&gt;"' in new.send("/start/when", criteria="ships <b>").text
        wrong = {"criteria": "ships", "title": "Morning", "time": "soon"}
        told = new.send("/start/briefing", **wrong)
        assert (told.status_code, "not a time of day" in told.text) == (422, True)
        assert 'name="criteria" value="ships"' in told.text


def test_a_first_edition_of_others_is_not_there(web: Website) -> None:
    briefing = web.stock.briefing(web.user("old@start.example").id)
    web.user(NEW)
    with web.browser(NEW) as new:
        assert new.get(f"/start/edition/{briefing}").status_code == 404
