"""Readers with something to read, and what they read it on: a real browser, logged in."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, fields
from datetime import timedelta

import pytest
from playwright.sync_api import Browser, Page
from sqlalchemy import insert, update

from morningdeck.model.sending import Report, ReportItem
from morningdeck.store.tables.briefs import item_scores, report_items, reports
from morningdeck.store.tables.news import item_texts
from morningdeck.web.pages.visiting import COOKIE
from tests.factories import make
from tests.pictures import browser
from tests.render.editions import EVERY
from tests.web.site import Website

PHONE, DESK = 360, 1280
_numbers = itertools.count(1)


@pytest.fixture(scope="module")
def chromium() -> Iterator[Browser]:
    with browser() as opened:
        yield opened


@dataclass(frozen=True)
class Newsroom:
    """One reader, with a briefing of many sources."""

    web: Website
    email: str
    user: int
    briefing: int

    def item(self, told: ReportItem, score: int | None = None) -> int:
        """The article that a report tells of, as its reader has it."""
        stock, number = self.web.stock, next(_numbers)
        source = stock.source(self.user, f"https://n{number}.example/feed", name=told.source_title)
        item = stock.item(
            source,
            title=told.title,
            url=told.url,
            summary=told.summary,
            published_at=told.published_at,
            first_seen_at=self.web.app.clock() - timedelta(hours=1),
            language=told.language or "en",
        )
        scored = {"item_id": item, "briefing_id": self.briefing, "reason": told.reason}
        text = {"item_id": item, "web_content": f"{told.summary}\n\nAnd so on.\nTo its end."}
        with self.web.app.store.database.write() as connection:
            score = told.score if score is None else score
            connection.execute(insert(item_scores).values(**scored, score=score))
            connection.execute(insert(item_texts).values(text))
        return item

    def set_text(self, item: int, text: str) -> None:
        """Of its page."""
        with self.web.app.store.database.write() as connection:
            this = item_texts.c.item_id == item
            connection.execute(update(item_texts).where(this).values(web_content=text))

    def printed(self, edition: Report | str, **values: object) -> tuple[int, tuple[int, ...]]:
        """A report that says this, and the ids of its items in their order."""
        edition = EVERY[edition] if isinstance(edition, str) else edition
        shown = {field.name for field in fields(Report)} & {column.key for column in reports.c}
        row = {name: getattr(edition, name) for name in shown - {"id", "briefing_id"}}
        row |= {"status": "GENERATED", "left_out": dict(edition.left_out), **values}
        report = make(self.web.app.store.database, reports, briefing_id=self.briefing, **row)
        ids = tuple(self.item(item) for item in edition.items)
        names = [column.key for column in report_items.c if column.key not in ("report_id",)]
        places = [
            {name: getattr(item, name) for name in names}
            | {"report_id": report, "item_id": item_id}
            for item, item_id in zip(edition.items, ids, strict=True)
        ]
        with self.web.app.store.database.write() as connection:
            if places:
                connection.execute(insert(report_items), places)
        return report, ids


def newsroom(web: Website) -> Newsroom:
    email = f"reader{next(_numbers)}@paper.example"
    user = web.user(email).id
    briefing = web.stock.briefing(user, title="Energy & harbour")
    return Newsroom(web, email, user, briefing)


@contextmanager
def screen(
    opened: Browser, room: Newsroom, width: int = DESK, scheme: str = "light", script: bool = True
) -> Iterator[Page]:
    """What this reader sees; whatever a page says in its console is a mistake, but for what the
    browser says of a form that was refused.
    """
    with room.web.browser(room.email) as logged_in:
        token = logged_in.token
    context = opened.new_context(
        base_url=room.web.url,
        viewport={"width": width, "height": 800},
        color_scheme="dark" if scheme == "dark" else "light",
        java_script_enabled=script,
    )
    context.add_cookies([{"name": COOKIE, "value": token, "url": room.web.url}])
    page = context.new_page()
    said: list[str] = []
    page.on("console", lambda message: said.append(message.text))
    page.on("pageerror", lambda error: said.append(str(error)))
    yield page
    context.close()
    assert [one for one in said if "status of 422" not in one] == []


SMALL = """() => [...document.querySelectorAll('main button, main select, main input')]
  .filter(one => !['hidden', 'checkbox'].includes(one.type) && one.checkVisibility())
  .filter(one => one.getBoundingClientRect().height < 44).map(one => one.outerHTML)"""


def fits(page: Page) -> bool:
    """Nothing has to be scrolled sideways, and on a phone what fingers are to meet is large."""
    if page.evaluate("innerWidth") < 480:
        assert page.evaluate(SMALL) == []
    return bool(page.evaluate("document.documentElement.scrollWidth <= innerWidth"))
