"""Pages as a browser shows them: for tests, and for the pictures of the documentation.

Images are off and nothing is asked of the network: whoever tries is told on.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import contextmanager

from playwright.sync_api import Browser, Page, sync_playwright

from tests.mailcheck import need

LIGHT, DARK = "light", "dark"
SCHEMES = (LIGHT, DARK)


@contextmanager
def browser() -> Iterator[Browser]:
    path = shutil.which("chromium") or ""
    need("chromium", bool(path))
    options = ["--no-sandbox", "--disable-lcd-text", "--blink-settings=imagesEnabled=false"]
    with sync_playwright() as playwright:
        opened = playwright.chromium.launch(executable_path=path, args=options)
        yield opened
        opened.close()


@contextmanager
def shown(opened: Browser, html: str, *, width: int, height: int, scheme: str) -> Iterator[Page]:
    """The page on a screen of this size, in the light or in the dark."""
    context = opened.new_context(
        viewport={"width": width, "height": height},
        color_scheme="dark" if scheme == DARK else "light",
        offline=True,
    )
    page = context.new_page()
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.set_content(html)
    yield page
    context.close()
    assert asked == []
