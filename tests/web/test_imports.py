"""Lists of many feeds: read on a thread, with a page that says how far it is."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser as Chromium
from playwright.sync_api import expect

from morningdeck.actions.opml import ImportTold
from morningdeck.errors import TransientError
from morningdeck.web.pages.imports import MOST_LISTS_KNOWN, Imports, Progress
from tests.web.newsroom import PHONE, chromium, fits, newsroom, screen
from tests.web.site import Website

__all__ = ["chromium"]
pytestmark = pytest.mark.xdist_group("browser")

MANY = 2_000
NOTHING = ImportTold((), (), ())


class Held:
    """A list that is read as far as a test says."""

    def __init__(self) -> None:
        self.go_on = threading.Event()

    def work(self, progress: Progress) -> ImportTold:
        progress(300, 1200)
        assert self.go_on.wait(60)
        return ImportTold(("The Gazette",), (), ())


@pytest.fixture
def held() -> Iterator[Held]:
    made = Held()
    yield made
    made.go_on.set()


def test_a_long_list_says_how_far_it_is_and_then_what_it_brought(
    web: Website, chromium: Chromium, held: Held
) -> None:
    room = newsroom(web)
    begun = web.state.imports.begin(room.user, "", held.work)
    with screen(chromium, room, PHONE) as page:
        page.goto(f"/sources/opml/{begun.number}")
        expect(page.get_by_role("status")).to_have_text("300 of 1,200 feeds are taken over.")
        assert page.locator("progress").evaluate("one => one.position") == 0.25
        assert fits(page)
        held.go_on.set()
        expect(page.locator("main")).to_contain_text("1 new, 0 known before")
        expect(page).to_have_title("A list of feeds · Morning Deck")


def test_without_a_script_it_is_looked_at_again(
    web: Website, chromium: Chromium, held: Held
) -> None:
    room = newsroom(web)
    begun = web.state.imports.begin(room.user, "", held.work)
    with screen(chromium, room, script=False) as page:
        page.goto(f"/sources/opml/{begun.number}")
        held.go_on.set()
        assert begun.ended.wait(60)
        page.get_by_role("link", name="Look again").click()
        expect(page.locator("main")).to_contain_text("The Gazette")


def test_thousands_of_feeds_are_answered_at_once_and_all_taken_over(web: Website) -> None:
    room = newsroom(web)
    outlines = "".join(f'<outline xmlUrl="https://f{n}.example/"/>' for n in range(MANY))
    document = f"<opml>{outlines}</opml>".encode()
    with web.browser(room.email) as browser:
        form = {"form_token": browser.form_token}
        answer = browser.client.post("/sources/opml", data=form, files={"list": document})
        patience = time.monotonic() + 120
        while "new," not in answer.text:
            assert time.monotonic() < patience
            assert answer.status_code in (200, 303)
            answer = browser.get(answer.headers.get("location", str(answer.url)))
        assert f"{MANY} new, 0 known before" in answer.text
    assert web.app.store.overview.outlook(room.user, web.app.clock()).sources == MANY


def test_nobody_looks_at_the_list_of_somebody_else(web: Website, held: Held) -> None:
    begun = web.state.imports.begin(newsroom(web).user, "", held.work)
    with web.browser("eve@example.org") as eve:
        assert eve.get(f"/sources/opml/{begun.number}").status_code == 404


def test_one_list_of_a_user_at_a_time(web: Website, held: Held) -> None:
    room = newsroom(web)
    web.state.imports.begin(room.user, "", held.work)
    with web.browser(room.email) as browser:
        form, one = (
            {"form_token": browser.form_token},
            b'<opml><outline xmlUrl="a.example"/></opml>',
        )
        told = browser.client.post("/sources/opml", data=form, files={"list": one})
        assert (told.status_code, "wait until it is done" in told.text) == (422, True)


class Panic(BaseException):
    """As the `PanicException` of what is written in Rust: no `Exception`."""


@pytest.mark.parametrize(
    "error", [TransientError("the database is away"), ValueError("a bug"), Panic("a bug")]
)
def test_what_goes_wrong_is_told_on_its_page(web: Website, error: BaseException) -> None:
    room = newsroom(web)

    def fails(_: Progress) -> ImportTold:
        raise error

    begun = web.state.imports.begin(room.user, "", fails)
    assert begun.ended.wait(60)
    with web.browser(room.email) as browser:
        told = browser.get(f"/sources/opml/{begun.number}")
    assert (told.status_code, "read in part" in told.text) == (500, True)
    assert "a bug" not in told.text


def test_only_the_last_ones_are_known() -> None:
    imports = Imports()
    for _ in range(MOST_LISTS_KNOWN + 5):
        assert imports.begin(1, "", lambda _: NOTHING).ended.wait(60)
    assert len(imports._known) <= MOST_LISTS_KNOWN + 1
