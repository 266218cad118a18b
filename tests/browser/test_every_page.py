"""A walk through every page in a real browser: three widths, light and dark, on a bad day.

Each is opened at each width, with nothing in the browser's cache. A page is added in `stops.py`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import ExitStack, closing
from html import unescape

import pytest
from fastapi.routing import APIRoute
from playwright.sync_api import Browser

from morningdeck.web.application import PAGES
from tests.browser.decks import empty_deck, good_morning
from tests.browser.odd_deck import CLEAN, WORD, Names, bad_day
from tests.browser.stops import IN_A_FRAME, NO_PAGES, STOPS, Stop
from tests.browser.walker import AXE, DESK, PHONE, TABLET, Walker
from tests.mailcheck import html_mistakes, need
from tests.servers.feeds import FeedServer, News

pytestmark = pytest.mark.xdist_group("walk")

Walkers = dict[str | None, Walker]


@pytest.fixture(scope="module")
def deck(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Names]:
    folder = tmp_path_factory.mktemp("walk")
    url = f"sqlite:///{folder / 'deck.db'}"
    with (
        FeedServer() as site,
        empty_deck(folder, url, reaches=("127.0.0.0/8",)) as web,
        good_morning(web) as morning,
    ):
        news = [News(f"{WORD} {number}", CLEAN) for number in range(30)]
        yield bad_day(web, morning, site.publish("/a.xml", WORD, news))


@pytest.fixture(scope="module")
def walkers(chromium: Browser, deck: Names) -> Iterator[Walkers]:
    need("axe-core", AXE.is_file())
    with ExitStack() as stack:
        yield {
            who: stack.enter_context(closing(Walker(chromium, deck, who)))
            for who in {stop.who for stop in STOPS}
        }


@pytest.mark.parametrize("stop", STOPS, ids=str)
def test_each_page_is_fit_to_be_seen(walkers: Walkers, stop: Stop) -> None:
    walker = walkers[stop.who]
    found = [
        f"{width} px: {mistake}"
        for width in (PHONE, TABLET, DESK)
        for mistake in walker.mistakes(stop, width)
    ]
    if found:
        pytest.fail("\n".join(found), pytrace=False)


@pytest.fixture(scope="module")
def pages(deck: Names) -> dict[Stop, str]:
    """Their HTML as it is sent."""
    found = {}
    for stop in STOPS:
        if stop.path in IN_A_FRAME:
            continue  # mails have a check of their own
        with deck.web.browser(stop.who) as visitor:
            if stop.form is None:
                found[stop] = visitor.get(deck(stop.path)).text
            else:
                visitor.get(stop.sent_from)
                form = {"form_token": visitor.form_token, **deck.form(stop.form)}
                file = {"list": ("list.opml", stop.file)} if stop.file else None
                found[stop] = visitor.client.post(deck(stop.path), data=form, files=file).text
    return found


def test_the_html_of_each_page_is_valid(pages: dict[Stop, str]) -> None:
    told = zip(pages, html_mistakes(tuple(pages.values())), strict=True)
    assert {str(stop): mistakes for stop, mistakes in told if mistakes} == {}


def test_every_link_leads_to_something(deck: Names, pages: dict[Stop, str]) -> None:
    links: dict[str | None, set[str]] = {}
    for stop, page in pages.items():
        found = {link.partition("#")[0] for link in re.findall(r' href="(/[^"]*)"', page)}
        links.setdefault(stop.who, set()).update(map(unescape, found))
    dead = []
    for who, theirs in links.items():
        with deck.web.browser(who) as visitor:
            dead += [link for link in theirs if visitor.get(link).status_code >= 400]

    assert dead == []


def test_no_page_is_missing_in_the_walk() -> None:
    routes = [route for router in PAGES for route in router.routes if isinstance(route, APIRoute)]
    pages = {route.path for route in routes if "GET" in (route.methods or ())} - {*NO_PAGES}

    assert pages - {_met(stop, routes) for stop in STOPS} == set()


def _met(stop: Stop, routes: list[APIRoute]) -> str:
    """The route that answers there."""
    method = "GET" if stop.form is None else "POST"
    path = stop.path.partition("?")[0].replace("{", "1").replace("}", "")
    there = (one for one in routes if method in (one.methods or ()) and one.path_regex.match(path))
    return next((one.path for one in there), "")
