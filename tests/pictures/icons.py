"""Draws the icons of an installed deck from the one of its pages: `make icons`."""

from __future__ import annotations

import re
from pathlib import Path

from tests.pictures import browser

STATIC = Path(__file__).parents[2] / "morningdeck" / "web" / "static"
ICONS = {
    "icon-192.png": (192, None),
    "icon-512.png": (512, None),
    "icon-maskable-512.png": (512, 0.72),
    "icon-apple-180.png": (180, 0.86),
}
"""Side, and how large the sign is on ground without corners, for systems that cut an icon to their
own shape: of a maskable one they leave a circle of 80 %.
"""


def drawing(scale: float | None) -> str:
    icon = (STATIC / "icon.svg").read_text(encoding="utf-8")
    if scale is None:
        return icon
    around = f'<g transform="translate(16 16) scale({scale}) translate(-16 -16)">'
    return re.sub(r"(<path.*?/>)", rf"{around}\1</g>", icon).replace('rx="6"', "")


def draw(folder: Path) -> None:
    with browser() as opened:
        page = opened.new_page()
        for name, (side, scale) in ICONS.items():
            page.set_viewport_size({"width": side, "height": side})
            page.set_content(f"<style>body{{margin:0}}svg{{display:block}}</style>{drawing(scale)}")
            page.screenshot(path=folder / name, omit_background=True)


if __name__ == "__main__":
    draw(STATIC)
