"""A real browser that looks at a page as somebody who has logged in."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from playwright.sync_api import Browser, Page

from morningdeck.web.pages.visiting import COOKIE
from tests.web.site import Website


@contextmanager
def screen(
    opened: Browser, web: Website, email: str, path: str, width: int = 1280, **chosen: Any
) -> Iterator[Page]:
    """Whatever the page's script complains of is a failure."""
    with web.browser(email) as visitor:
        size = {"width": width, "height": 900}
        context = opened.new_context(viewport=size, **chosen)  # type: ignore[arg-type]  # it is one
        context.add_cookies([{"name": COOKIE, "value": visitor.token, "url": web.url}])
        page, wrong = context.new_page(), []
        page.on("pageerror", lambda error: wrong.append(str(error)))
        page.on("console", lambda said: wrong.append(said.text) if said.type == "error" else None)
        page.goto(f"{web.url}{path}")
        yield page
        context.close()
        assert wrong == []
