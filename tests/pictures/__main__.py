"""Draws the mails and pages of the documentation: `make pictures`."""

from __future__ import annotations

import sys
from pathlib import Path

from morningdeck.render.fitting import render
from morningdeck.render.links import Links
from tests.pictures import DARK, LIGHT, SCHEMES, browser, shown
from tests.pictures.pages import draw_pages
from tests.render.editions import EVERY

HEIGHT = 640
LINKS = Links(unsubscribe="mailto:news@deck.example?subject=unsubscribe%20briefing-88")
DRAWN = (
    *(("daily", width, scheme) for width in (320, 600, 1200) for scheme in SCHEMES),
    ("told_by_a_model", 320, LIGHT),
    ("weekly", 320, DARK),
    ("weekly", 600, LIGHT),
    ("update", 320, LIGHT),
    ("searches", 320, LIGHT),
    ("at_once", 320, LIGHT),
    ("at_once", 600, DARK),
    ("quiet", 600, DARK),
    ("hebrew", 320, LIGHT),
    ("japanese", 600, DARK),
)


def draw(folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    with browser() as opened:
        for name, width, scheme in DRAWN:
            html = render(EVERY[name], LINKS).html
            with shown(opened, html, width=width, height=HEIGHT, scheme=scheme) as page:
                page.screenshot(path=folder / f"{name}-{width}-{scheme}.png", full_page=True)
        draw_pages(opened, folder)


if __name__ == "__main__":
    draw(Path(sys.argv[1]))
