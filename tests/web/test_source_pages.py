"""The sources of a reader as pages, read by a browser without a script."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta

import pytest

from morningdeck.net import GuardedClient
from morningdeck.store.tables.news import sources
from tests.servers.feeds import FeedServer, News
from tests.web.site import Website

ADA, BOB = "ada@example.org", "bob@example.org"
NAUGHTY = "<script>alert(1)</script>\"'&amp;{{7*7}}\u202e"


@pytest.fixture
def feeds(web: Website) -> Iterator[FeedServer]:
    """On loopback, which may be read here."""
    adapters = web.app.adapters
    before = adapters.client
    adapters.client = GuardedClient(allow_networks=["127.0.0.0/8"], user_agent="test")
    adapters.__dict__.pop("waiting_readers", None)
    with FeedServer() as server:
        yield server
    adapters.client.close()
    adapters.client = before
    adapters.__dict__.pop("waiting_readers", None)


def own(web: Website, email: str, name: str) -> int:
    user = web.user(email).id
    return web.stock.source(user, f"https://{name}.example/feed", name=name)


def test_an_address_shows_what_is_there_before_it_is_subscribed(
    web: Website, feeds: FeedServer
) -> None:
    url = feeds.publish("/a.xml", f"Gazette {NAUGHTY}", [News(f"Ships {NAUGHTY}", "in")])
    ada = web.user(ADA)
    listed = web.app.store.subscriptions.list
    with web.browser(ADA) as browser:
        before = len(listed(ada.id))
        found = browser.send("/sources/check", url=url)

        assert found.status_code == 200
        assert "1 article lies there now" in found.text
        assert "Ships &lt;script&gt;" in found.text
        assert "<script>" not in found.text
        assert len(listed(ada.id)) == before

        led = browser.send(
            "/sources", url=url, type="rss", name="Gazette", tags="a, b", every="3600"
        )
        shown = browser.get(led.headers["location"])

    (added, *_) = listed(ada.id)
    assert (added.url, added.name, added.tags, added.refresh_seconds) == (
        *(url, "Gazette", ("a", "b"), 3600),
    )
    assert "It is read from now on" in shown.text


def test_what_is_no_source_says_why_and_keeps_what_was_typed(
    web: Website, feeds: FeedServer
) -> None:
    url = feeds.put("/b", b"<html><p>nothing</p></html>", "text/html")
    with web.browser(ADA) as browser:
        for typed, why in ((url, "not a feed"), ("gopher://a", "only http and https")):
            told = browser.send("/sources/check", url=typed)
            assert told.status_code == 422
            assert why in told.text
            assert f'value="{typed}"' in told.text


def test_a_source_is_edited_paused_resumed_and_removed(web: Website) -> None:
    source = own(web, ADA, "tugs")
    show = web.app.store.subscriptions.show
    ada = web.user(ADA).id
    with web.browser(ADA) as browser:
        path = f"/sources/{source}"
        changed = {"name": "Tug Times", "every": "10800", "tags": "sea", "topics": "ships, tugs"}
        assert browser.send(path, **changed).headers["location"] == f"{path}?done=edited"
        view = show(ada, source)
        assert (view.name, view.refresh_seconds) == ("Tug Times", 10800)
        assert (view.tags, view.topics) == (("sea",), ("ships", "tugs"))

        browser.send(f"{path}/pause")
        assert show(ada, source).paused
        assert "Paused" in browser.get(path).text
        browser.send(f"{path}/resume")
        assert not show(ada, source).paused

        assert "Remove Tug Times?" in browser.get(f"{path}/remove").text
        assert show(ada, source).name == "Tug Times"
        browser.send(f"{path}/remove")
        assert browser.get(path).status_code == 404


def test_a_source_shows_what_it_brought_each_day(web: Website) -> None:
    source, now = own(web, ADA, "brought"), web.app.clock()
    for days in (0, 0, 3, 40):
        web.stock.item(source, first_seen_at=now - timedelta(days=days))
    with web.browser(ADA) as browser:
        text = browser.get(f"/sources/{source}").text
    assert "3 in 30 days, 2 at most on one." in text
    assert text.count("<rect") == 30
    assert text.count(": 2</title>") == text.count(": 1</title>") == 1


def test_what_cannot_be_read_stands_first_with_what_to_do(web: Website) -> None:
    source = own(web, "eve@example.org", "lost")
    web.stock.set(
        sources, source, health="degraded", failures=6, last_error="lost.example: answered 404"
    )
    own(web, "eve@example.org", "well")
    with web.browser("eve@example.org") as browser:
        text = browser.get("/sources").text

        assert "1 source needs you, of 2." in text
        assert "answered 404" in text
        assert "look for the feed&#39;s new address" in text
        browser.send(f"/sources/{source}/reset")
    assert web.stock.row(sources, source).health == "active"


def test_a_list_of_feeds_says_of_each_what_became_of_it(web: Website) -> None:
    own(web, "lin@example.org", "old")
    document = (
        b'<opml><outline text="Old" xmlUrl="https://old.example/feed"/>'
        b'<outline text="New &lt;b&gt;" xmlUrl="https://new.example/feed"/>'
        b'<outline text="Bad" xmlUrl="gopher://bad.example"/></opml>'
    )
    with web.browser("lin@example.org") as browser:
        form = {"form_token": browser.form_token}
        told = browser.client.post("/sources/opml", data=form, files={"list": document})

        assert "1 new, 1 known before, 1 left out." in told.text
        assert "New &lt;b&gt;" in told.text
        assert "gopher://bad.example" in told.text
        out = browser.get("/sources/opml")
        assert "https://new.example/feed" in out.text
        assert "attachment" in out.headers["content-disposition"]
        junk = browser.client.post("/sources/opml", data=form, files={"list": b"\x00junk"})
        assert junk.status_code == 422


def test_a_long_list_of_sources_goes_on_on_the_next_page(web: Website) -> None:
    email = "many@example.org"
    user = web.user(email).id
    made = [web.stock.source(user, f"https://many.example/{n}") for n in range(101)]
    with web.browser(email) as browser:
        first = browser.get("/sources").text
        assert f"/sources?after={made[1]}" in first
        assert f'"/sources/{made[0]}"' not in first
        assert f'"/sources/{made[0]}"' in browser.get(f"/sources?after={made[1]}").text


def test_sources_of_others_are_not_there(web: Website) -> None:
    source = own(web, ADA, "private")
    with web.browser(BOB) as bob:
        path = f"/sources/{source}"
        for looked in (path, f"{path}/remove", f"/sources?after={source}"):
            assert bob.get(looked).status_code == 404
        for sent in (path, *(f"{path}/{act}" for act in ("pause", "resume", "reset", "remove"))):
            assert bob.send(sent, name="mine").status_code == 404
    assert web.app.store.subscriptions.show(web.user(ADA).id, source).name == "private"


def test_how_its_last_fetches_went_is_drawn_and_told(web: Website) -> None:
    source = own(web, ADA, "drawn")
    with web.browser(ADA) as browser:
        assert "fetches" not in browser.get(f"/sources/{source}").text
        web.stock.set(sources, source, recent="..3!z")
        told = "Of the last 5 fetches, 2 brought news and 1 failed"
        for page in (f"/sources/{source}", "/sources"):
            assert f'aria-label="{told}"' in browser.get(page).text
        drawn = browser.get(f"/sources/{source}").text
        assert 'class="failed" d="M112 20v-20h3v20z"' in drawn


def test_where_no_error_was_kept_there_is_no_advice(web: Website) -> None:
    web.stock.set(sources, own(web, "silent@example.org", "silent"), health="degraded", failures=9)
    with web.browser("silent@example.org") as browser:
        page = browser.get("/sources").text

    assert "1 source needs you" in page
    assert "None." not in page
