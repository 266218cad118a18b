"""A deck with its web, and a real browser before it."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page

from tests.pictures import browser
from tests.web.site import Website, website

Visits = Callable[..., AbstractContextManager[Page]]


@pytest.fixture(scope="module")
def chromium() -> Iterator[Browser]:
    with browser() as opened:
        yield opened


@pytest.fixture
def deck(tmp_path: Path, sqlite_url: str) -> Iterator[Website]:
    with website(tmp_path, sqlite_url, base_url="http://127.0.0.1/deck/") as web:
        yield web


@pytest.fixture
def visit(chromium: Browser, deck: Website) -> Visits:
    """A visit by a browser of its own, which may ask this deck alone."""

    @contextmanager
    def visiting(
        *, width: int = 1280, scheme: str = "light", script: bool = True
    ) -> Iterator[Page]:
        context = chromium.new_context(
            base_url=deck.url,
            viewport={"width": width, "height": 800},
            color_scheme="dark" if scheme == "dark" else "light",
            java_script_enabled=script,
        )
        asked: list[str] = []
        wrong: list[str] = []
        page = context.new_page()
        page.set_default_timeout(60_000)
        page.on("request", lambda request: asked.append(request.url))
        page.on("console", lambda told: wrong.append(told.text) if _is_bad(told.text) else None)
        yield page
        context.close()
        assert [url for url in asked if not url.startswith(f"{deck.url}/deck/")] == []
        assert wrong == []

    return visiting


def _is_bad(text: str) -> bool:
    """What a policy has refused; that a form was answered with 422 is told too."""
    return re.search("Content Security Policy|Refused to", text) is not None
