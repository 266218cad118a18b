"""The articles of the corpora, as they reach the enricher: read by our own parsers."""

from __future__ import annotations

import gzip
import html
import json
import tarfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from morningdeck.errors import PermanentError
from morningdeck.model.making import Article
from morningdeck.parsing.feeds import parse_feed
from morningdeck.parsing.page import parse_page
from morningdeck.parsing.tree import metas, read_tree

FEEDS = ("feeds-feedparser", "feeds-w3c", "feeds-rssparser", "feeds-node")
MOST_OF_A_FEED = 5


@dataclass(frozen=True, slots=True)
class Told:
    """An article, where it is from, and what its publisher wrote as its summary."""

    name: str
    article: Article
    description: str = ""


def of_pages(corpora: Path) -> Iterator[Told]:
    folder = corpora / "articles-trafilatura"
    known = json.loads((folder / "evaldata.json").read_text("utf-8"))
    for url, page in known.items():
        body = gzip.decompress((folder / "html" / f"{page['file']}.gz").read_bytes())
        read = parse_page(body, url=url)
        meta = next(metas(read_tree(body, None), "og:description", "description"), "")
        about = html.unescape(page.get("description") or meta)
        yield Told(url, Article(read.title, read.text, url, read.author), " ".join(about.split()))


def of_feeds(corpora: Path) -> Iterator[Told]:
    """The first entries of each feed; the sets hold many feeds that differ in a tag."""
    seen: set[tuple[str, str]] = set()
    for name, body in _files(corpora):
        try:
            feed = parse_feed(body)
        except PermanentError:
            continue
        for entry in feed.entries[:MOST_OF_A_FEED]:
            if (entry.title, entry.text) in seen:
                continue
            seen.add((entry.title, entry.text))
            article = Article(
                entry.title, entry.text, entry.url, entry.author, source_title=feed.title
            )
            yield Told(name, article)


def _files(corpora: Path) -> Iterator[tuple[str, bytes]]:
    for each in FEEDS:
        for path in sorted((corpora / each).rglob("*")):
            if path.suffix == ".gz":
                yield from _packed(path)
            elif path.is_file() and path.suffix in (".rss", ".atom", ".xml"):
                yield f"{each}/{path.name}", path.read_bytes()


def _packed(path: Path) -> Iterator[tuple[str, bytes]]:
    with tarfile.open(path) as archive:
        for member in archive:
            file = archive.extractfile(member) if member.isfile() else None
            if file is not None and not member.name.endswith((".md", ".txt", ".json")):
                yield member.name, file.read()
