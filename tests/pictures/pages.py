"""Pages as a browser shows them on a good morning."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from io import BytesIO
from pathlib import Path
from tempfile import TemporaryDirectory

from PIL import Image
from playwright.sync_api import Browser, Page

from morningdeck.actions.accounts import new_token
from morningdeck.actions.tokens import digest
from morningdeck.web.pages.visiting import COOKIE
from tests.browser.decks import ADA, Morning, empty_deck, good_morning
from tests.pictures import DARK, LIGHT
from tests.web.site import Website

PHONE, DESK = 360, 1280
HEIGHTS = {PHONE: 780, DESK: 860}
TALLEST = 1700
"""Of a page that is longer, the picture shows the beginning."""
COLOURS = 96
CHROME = "Mozilla/5.0 (X11; Linux x86_64) Chrome/150.0"
DRAWN = (
    *(("today", width, scheme) for width in (PHONE, DESK) for scheme in (LIGHT, DARK)),
    *(("feed", PHONE, LIGHT), ("feed", DESK, DARK)),
    *(("item", PHONE, DARK), ("item", DESK, LIGHT)),
    *(("stories", DESK, LIGHT), ("search", DESK, LIGHT), ("search", PHONE, DARK)),
    *(("sources", DESK, LIGHT), ("sources", PHONE, DARK), ("editor", DESK, LIGHT)),
    *(("engine", DESK, LIGHT), ("engine", DESK, DARK), ("engine", PHONE, LIGHT)),
    ("settings", PHONE, LIGHT),
)


def addresses(morning: Morning) -> dict[str, str]:
    return {
        "today": "/",
        "feed": "/feed",
        "item": f"/items/{morning.items[0]}",
        "stories": "/stories",
        "search": "/search?q=grid",
        "sources": "/sources",
        "editor": f"/briefings/{morning.desk.briefing}/edit",
        "engine": "/engine",
        "settings": "/settings",
    }


def draw_pages(opened: Browser, folder: Path) -> None:
    with TemporaryDirectory() as kept:
        deck = empty_deck(Path(kept), f"sqlite:///{kept}/deck.db")
        with deck as web, good_morning(web) as morning:
            where, token = addresses(morning), logged_in(web)
            for name, width, scheme in DRAWN:
                with seen(opened, web.url, token, width, scheme) as page:
                    page.goto(where[name])
                    picture(page, folder / f"page-{name}-{width}-{scheme}.png")


def logged_in(web: Website) -> str:
    """The token of Ada's only session."""
    token, now, user = new_token(), web.app.clock(), web.user(ADA)
    told = {"browser": CHROME, "address": "192.168.1.20"}
    web.app.store.sessions.begin(user.id, digest(token), now=now - timedelta(days=9), **told)
    return token


@contextmanager
def seen(opened: Browser, url: str, token: str, width: int, scheme: str) -> Iterator[Page]:
    context = opened.new_context(
        base_url=url,
        viewport={"width": width, "height": HEIGHTS[width]},
        color_scheme="dark" if scheme == DARK else "light",
    )
    context.add_cookies([{"name": COOKIE, "value": token, "url": url}])
    yield context.new_page()
    context.close()


def picture(page: Page, path: Path) -> None:
    """In as many colours as a page needs."""
    width, tall = page.evaluate("[innerWidth, document.documentElement.scrollHeight]")
    clip = {"x": 0, "y": 0, "width": width, "height": min(tall, TALLEST)}
    shot = page.screenshot(full_page=True, clip=clip)  # type: ignore[arg-type]  # it is one
    Image.open(BytesIO(shot)).convert("RGB").quantize(COLOURS).save(path, optimize=True)
