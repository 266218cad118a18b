"""The briefings of a reader as pages: made, tried, changed, sent, looked back at."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from morningdeck.app import App, open_app
from morningdeck.model.wanting import NewSource
from morningdeck.settings.sections import Settings
from morningdeck.store.tables.briefs import briefings, deliveries, item_scores, reports
from morningdeck.store.tables.news import sources
from tests.conftest import NOW
from tests.factories import make, rows_of
from tests.journeys.test_first_morning import FOOTBALL, STORAGE, WIND
from tests.servers.feeds import FeedServer
from tests.web.newsroom import newsroom
from tests.web.site import Website

ADA, BOB = "ada@example.org", "bob@example.org"
NAUGHTY = "<script>alert(1)</script>\"'{{7*7}}"
WISHED = {"title": "Energy", "criteria": "Offshore wind and grid storage", "time": "07:30"}
MADE = {**WISHED, "frequency": "daily", "timezone": "Europe/Berlin", "channel": "folder"}


def work(web: Website) -> None:
    """As a daemon on the same database would, until nothing is left to do."""
    with daemon(web) as app:
        app.run(once=True)


def daemon(web: Website) -> Any:
    database = web.app.settings.database.url
    folder = Path(web.app.settings.data_dir)
    http = {"allow_networks": ["127.0.0.0/8"], "requests_per_host_second": 0}
    values = {"data_dir": folder, "database": {"url": database}, "http": http}
    return open_app(Settings.model_validate(values), full_text=False)


@pytest.fixture(scope="module")
def read(web: Website) -> Iterator[App]:
    """Ada has a source with three articles, read and enriched."""
    with FeedServer() as server:
        url = server.publish("/a.xml", "Gazette", [WIND, STORAGE, FOOTBALL])
        web.app.store.subscriptions.subscribe(web.user(ADA).id, NewSource(url), now=web.app.clock())
        work(web)
        yield web.app


def own(web: Website, email: str, **chosen: Any) -> int:
    return web.stock.briefing(web.user(email).id, **chosen)


def test_a_wish_shows_the_edition_of_today_and_changes_nothing(web: Website, read: App) -> None:
    database = read.store.database
    with web.browser(ADA) as ada:
        before = rows_of(database, item_scores), len(rows_of(database, briefings))
        shown = ada.send("/briefings/preview", **WISHED)
        other = ada.send("/briefings/preview", criteria="football, goals, derby", title="")

        assert WIND.title in shown.text
        assert FOOTBALL.title not in shown.text
        assert FOOTBALL.title in other.text
        policy = shown.headers["content-security-policy"]
        assert "default-src 'none'" in policy
        assert "frame-ancestors 'self'" in policy
        assert before == (rows_of(database, item_scores), len(rows_of(database, briefings)))


def test_nothing_found_and_could_not_look_are_told_apart(web: Website, read: App) -> None:
    with web.browser(ADA) as ada:
        told = ada.send("/briefings/preview", criteria="medieval Icelandic manuscripts")
        assert "None of the 3 articles of late is on this subject" in told.text
        nothing = ada.send("/briefings/preview", criteria="")
        assert (nothing.status_code, "Say in a sentence" in nothing.text) == (422, True)
    email = "new@example.org"
    web.stock.source(web.user(email).id, "https://unread.example/feed")
    with web.browser(email) as new:
        told = new.send("/briefings/preview", criteria="ships")
        assert "1 source is not read yet" in told.text


def test_a_briefing_is_made_and_changed(web: Website) -> None:
    show = web.app.store.briefings.show
    with web.browser(ADA) as ada:
        assert "What would be sent today" in ada.get("/briefings/new").text
        led = ada.send("/briefings", **MADE).headers["location"]
        made = show(web.user(ADA).id, int(led.split("/")[2].split("?")[0]))
        assert (made.title, made.local_time, made.timezone) == ("Energy", "07:30", "Europe/Berlin")
        assert "Every day at 07:30" in ada.get(led).text

        path = f"/briefings/{made.id}"
        form = ada.get(f"{path}/edit").text
        assert 'value="07:30"' in form
        weekly = {**MADE, "frequency": "weekly", "weekday": "friday", "time": "9:00"}
        ada.send(path, **{**weekly, "title": "Week", "max_items": "5", "quiet_note": "on"})
        after = show(web.user(ADA).id, made.id)

    assert (after.title, after.frequency, after.weekday) == ("Week", "WEEKLY", "friday")
    assert (after.local_time, after.max_items, after.quiet_days) == ("09:00", 5, "note")
    assert after.criteria == made.criteria


def test_what_cannot_be_is_said_and_the_rest_is_kept(web: Website) -> None:
    wrong = ({"time": "25:00"}, {"timezone": "Mars/Base"}, {"max_items": "0"}, {"which": "some"})
    with web.browser(ADA) as ada:
        for one in (*wrong, {"title": ""}, {"to": "nobody", "channel": "smtp"}):
            told = ada.send("/briefings", **{**MADE, "criteria": f"Wind {NAUGHTY}", **one})
            assert told.status_code == 422, one
            assert "Wind &lt;script&gt;" in told.text
            assert "<script>alert" not in told.text


def test_a_form_that_changes_nothing_changes_nothing(web: Website) -> None:
    briefing = own(web, ADA)
    before = web.stock.row(briefings, briefing)
    same = {"title": "Morning", "criteria": "ships", "time": "08:00", "channel": "folder"}
    with web.browser(ADA) as ada:
        led = ada.send(f"/briefings/{briefing}", timezone="Europe/Paris", **same)
    assert led.status_code == 303
    assert web.stock.row(briefings, briefing) == before


def test_a_briefing_is_paused_resumed_run_and_removed(web: Website) -> None:
    briefing = own(web, ADA)
    path = f"/briefings/{briefing}"
    with web.browser(ADA) as ada:
        ada.send(f"{path}/pause")
        assert "Paused: it does not come." in ada.get(path).text
        ada.send(f"{path}/resume")
        assert not web.stock.row(briefings, briefing).paused
        ada.send(f"{path}/run")
        assert web.stock.row(briefings, briefing).run_requested_at is not None

        assert "Remove Morning?" in ada.get(f"{path}/remove").text
        ada.send(f"{path}/remove")
        assert ada.get(path).status_code == 404


def test_a_test_says_each_step_and_counts_for_nothing(web: Website, read: App) -> None:
    briefing = own(web, ADA, criteria="Offshore wind and grid storage")
    with web.browser(ADA) as ada:
        told = ada.send(f"/briefings/{briefing}/test", to="ada@example.org")
    assert "The test" in told.text
    assert "Sent to ada@example.org" in told.text
    assert rows_of(web.app.store.database, reports, reports.c.briefing_id == briefing) == []


def test_history_says_what_became_of_each_and_sends_again(web: Website) -> None:
    briefing = own(web, ADA)
    report = web.stock.report(briefing)
    web.stock.set(reports, report, generated_at=NOW, subject=f"News {NAUGHTY}")
    sent = {"channel": "smtp", "address": "bob@example.org", "content": b"x", "report_id": report}
    refused = {"status": "REFUSED", "reply": "550 no such user"}
    one = make(web.app.store.database, deliveries, **sent, **refused)
    with web.browser(ADA) as ada:
        text = ada.get(f"/briefings/{briefing}").text
        assert "550 no such user" in text
        assert "News &lt;script&gt;" in text
        ada.send(f"/briefings/{briefing}/reports/{report}/send")
    assert web.stock.row(deliveries, one).status in ("PENDING", "RETRY")


def test_briefings_of_others_are_not_there(web: Website) -> None:
    briefing = own(web, ADA)
    report = web.stock.report(briefing)
    path = f"/briefings/{briefing}"
    with web.browser(BOB) as bob:
        for looked in (path, f"{path}/edit", f"{path}/edition", f"{path}/remove"):
            assert bob.get(looked).status_code == 404, looked
        acts = ("pause", "resume", "run", "remove", "test", f"reports/{report}/send")
        for sent in (path, *(f"{path}/{act}" for act in acts)):
            assert bob.send(sent, **MADE, to="bob@example.org").status_code == 404, sent
        mine = own(web, BOB)
        there = f"/briefings/{mine}/reports/{report}/send"
        assert bob.send(there).status_code == 404
    with web.browser(BOB) as bob:
        source = web.stock.source(web.user(ADA).id, "https://hers.example/feed")
        told = bob.send("/briefings", **MADE, which="some", source=str(source))
        assert told.status_code == 422


def test_next_runs_are_told_in_local_words(web: Website) -> None:
    email = "paris@example.org"
    briefing = own(web, email)
    soon = web.app.clock() + timedelta(days=1)
    web.stock.set(briefings, briefing, next_run_at=soon)
    with web.browser(email) as browser:
        assert "Next <time" in browser.get("/briefings").text


def test_where_all_was_told_before_it_is_said_that_nothing_is_new(web: Website) -> None:
    room = newsroom(web)
    room.printed("daily")
    with web.app.store.database.write() as connection:
        connection.execute(sources.update().values(last_fetched_at=NOW, last_success_at=NOW))
    with web.browser(room.email) as reader:
        shown = reader.get(f"/briefings/{room.briefing}/edition").text

    assert "Nothing new yet: of 8 articles of late, 8 were told before." in shown
