"""The article of a page: what trafilatura takes for it, sanitised like all foreign HTML.

Its fast mode: the slower one, which asks two more extractors, finds no more on the pages of
the tests. What the head of the page says about the article comes along.
"""

from __future__ import annotations

from collections import Counter

from lxml import etree, html
from trafilatura import bare_extraction
from trafilatura.htmlprocessing import convert_to_html
from trafilatura.metadata import extract_metadata
from trafilatura.settings import Document

from morningdeck.model.reading import ParsedPage
from morningdeck.parsing.article_pieces import join_bodies
from morningdeck.parsing.captions import caption_link
from morningdeck.parsing.entries import plain_title, shortened
from morningdeck.parsing.headline import find_headline
from morningdeck.parsing.linkeddata import read_linked_data
from morningdeck.parsing.publication_date import dates_of_article, published_at
from morningdeck.parsing.sanitise import sanitise, to_text
from morningdeck.parsing.tree import metas, read_tree
from morningdeck.parsing.urls import base_of, canonical_url, web_url

MAX_AUTHOR = 200
SAME_ARTICLE = 0.9
"""So much of the words found without links must be there with them."""


def parse_page(body: bytes, *, url: str, content_type: str | None = None) -> ParsedPage:
    root = read_tree(body, content_type)
    join_bodies(root)
    base = base_of(root, url)
    canonical = _canonical(root, base, url)
    linked = read_linked_data(root, base, {canonical_url(url), canonical or ""})
    said = dates_of_article(root, linked)
    # Looking for a date all over the page takes longer than all the rest.
    about = extract_metadata(root, url, extensive=not said)
    clean = sanitise(_article(root, url), base)
    description = next(metas(root, "og:description", "description"), "")
    return ParsedPage(
        title=plain_title(find_headline(root, linked, about.title or "", url)),
        author=shortened(about.author or "", MAX_AUTHOR) or None,
        image_url=web_url(about.image or next(metas(root, "og:image"), ""), base),
        published_at=published_at(root, linked, said, about.date or ""),
        canonical_url=canonical,
        html=clean,
        # Pages whose article only a script brings still say what it is about.
        text=max(to_text(clean), to_text(sanitise(description)), key=len),
        captions_url=caption_link(root, base),
    )


def _article(root: html.HtmlElement, url: str) -> str:
    """With its links, unless asking for those has led to less, or to something else.

    They count for trafilatura when it chooses the block that is the article.
    """
    linked, plain = (_extracted(root, url, links=links) for links in (True, False))
    told, known = _words(linked), _words(plain)
    same = (told & known).total() >= SAME_ARTICLE * known.total()
    body = linked if same else plain
    if body is None:
        return ""
    return etree.tostring(convert_to_html(body), encoding="unicode", method="html")


def _extracted(root: html.HtmlElement, url: str, *, links: bool) -> etree._Element | None:
    found = bare_extraction(
        root,
        url=url,
        fast=True,
        include_comments=False,
        include_formatting=True,
        include_links=links,
    )
    return found.body if isinstance(found, Document) else None


def _words(element: etree._Element | None) -> Counter[str]:
    return Counter() if element is None else Counter(" ".join(map(str, element.itertext())).split())


def _canonical(root: html.HtmlElement, base: str, url: str) -> str | None:
    """Not the front page, and not one address for all that differ in their query."""
    links = ((each.get("rel") or "", each.get("href")) for each in root.iter("link"))
    named = (href for rel, href in links if rel.strip().lower() == "canonical")
    link = web_url(next(named, None), base)
    if link is None:
        return None
    asked, said = canonical_url(url), canonical_url(link)
    path, _, query = said.partition("?")
    if path.count("/") < 4 and path.endswith("/"):
        return None
    return None if "?" in asked and not query and asked.partition("?")[0] == path else said
