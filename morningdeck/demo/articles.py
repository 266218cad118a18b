"""The articles behind the demo's links, as pages beside its briefings.

What the feeds link to lies on loopback and is gone with the demo: in the briefings' pages
those links become relative ones, so that clicking works wherever the folder is.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from html import escape, unescape
from pathlib import Path
from string import Template
from urllib.parse import urlsplit

from morningdeck import files
from morningdeck.model.making import Item

FOLDER = "articles"
_LINK = re.compile(r'(?<=href=")[^"]+')
_TEMPLATE = Path(__file__).with_name("article.html")


def write_articles(outbox: Path, items: Sequence[Item]) -> None:
    """A page for each item, and the links of all briefings in this folder to them."""
    pages = {path: item for item in reversed(items) if (path := path_of(item.url))}
    for path, item in pages.items():
        file_path = outbox / FOLDER / path
        files.make_folder(file_path.parent)
        with os.fdopen(files.create(file_path), "wb") as file:
            file.write(_page(item).encode())
    for briefing in outbox.glob("*.html"):
        replace_links(briefing, pages)


def path_of(url: str | None) -> str:
    """Below the folder; empty where there can be no page."""
    path = urlsplit(url or "").path.lstrip("/")
    return path if re.fullmatch(r"[\w-]+/[\w-]+\.html", path) else ""


def replace_links(briefing: Path, pages: Mapping[str, object]) -> None:
    def local(match: re.Match[str]) -> str:
        path = path_of(unescape(match[0]))
        return f"{FOLDER}/{path}" if path in pages else match[0]

    text = briefing.read_text(encoding="utf-8")
    files.replace(briefing, _LINK.sub(local, text).encode())


def reader(outbox: Path) -> Callable[[str], bytes | None]:
    """What lies at an address: the first briefing, another one, or an article."""

    def page(target: str) -> bytes | None:
        path = urlsplit(target).path.lstrip("/")
        if not path:
            found = sorted(outbox.glob("*.html"))
            return found[0].read_bytes() if found else None
        article = path_of(f"/{path.removeprefix(f'{FOLDER}/')}")
        file_path = outbox / FOLDER / article if article else outbox / Path(path).name
        return (
            file_path.read_bytes() if file_path.suffix == ".html" and file_path.is_file() else None
        )

    return page


def _page(item: Item) -> str:
    where = (item.source_title, item.author, _day(item.published_at))
    return Template(_TEMPLATE.read_text(encoding="utf-8")).substitute(
        language=escape(item.language or "en"),
        title=escape(item.title),
        where=escape(" · ".join(part for part in where if part)),
        text="\n".join(f"<p>{escape(line)}</p>" for line in item.text.splitlines() if line),
    )


def _day(at: datetime | None) -> str:
    return "" if at is None else f"{at.day} {at:%B %Y}"
