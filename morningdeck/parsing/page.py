"""The article of a page: what trafilatura takes for it, sanitised like all foreign HTML.

Its fast mode: the slower one, which asks two more extractors, finds no more on the pages of
the tests. What the head of the page says about the article comes along.
"""

from __future__ import annotations

from lxml import etree, html
from trafilatura import bare_extraction
from trafilatura.htmlprocessing import convert_to_html
from trafilatura.settings import Document

from morningdeck.model import ParsedPage
from morningdeck.parsing.captions import caption_links
from morningdeck.parsing.entries import one_line, plain_title
from morningdeck.parsing.headline import headline
from morningdeck.parsing.linkeddata import read_linked_data
from morningdeck.parsing.published import published_at
from morningdeck.parsing.sanitise import sanitise, to_text
from morningdeck.parsing.tree import base_of, metas, read_tree
from morningdeck.parsing.urls import canonical_url, web_url

MAX_AUTHOR = 200


def parse_page(body: bytes, *, url: str, content_type: str | None = None) -> ParsedPage:
    root = read_tree(body, content_type)
    base = base_of(root, url)
    found = bare_extraction(
        root,
        url=url,
        fast=True,
        with_metadata=True,
        include_comments=False,
        include_formatting=True,
        include_links=True,
    )
    article = found if isinstance(found, Document) else Document()
    canonical = _canonical(root, base, url)
    told = read_linked_data(root, base, {canonical_url(url), canonical or ""})
    clean = "" if article.body is None else sanitise(_markup(article), base)
    return ParsedPage(
        title=plain_title(headline(root, told, article.title or "", url)),
        author=one_line(article.author or "", MAX_AUTHOR) or None,
        image_url=web_url(article.image or next(metas(root, "og:image"), ""), base),
        published_at=published_at(root, told, article.date or ""),
        language=_language(root),
        canonical_url=canonical,
        html=clean,
        text=max(to_text(clean), _description(root), key=len),
        captions=caption_links(root, base),
    )


def _markup(article: Document) -> str:
    return etree.tostring(convert_to_html(article.body), encoding="unicode", method="html")


def _description(root: html.HtmlElement) -> str:
    """What pages say of themselves whose article only a script brings."""
    return to_text(sanitise(next(metas(root, "og:description", "description"), "")))


def _language(root: html.HtmlElement) -> str | None:
    said = root.get("lang") or next(metas(root, "og:locale"), "")
    code = said.replace("_", "-").partition("-")[0].strip().lower()
    return code if code.isalpha() and len(code) in (2, 3) else None


def _canonical(root: html.HtmlElement, base: str, url: str) -> str | None:
    """Not the front page, and not one address for all that differ in their query."""
    links = (each.get("href") for each in root.iter("link") if _rel(each) == "canonical")
    link = web_url(next(links, None), base)
    if link is None:
        return None
    asked, said = canonical_url(url), canonical_url(link)
    path, _, query = said.partition("?")
    if path.count("/") < 4 and path.endswith("/"):
        return None
    return None if "?" in asked and not query and asked.partition("?")[0] == path else said


def _rel(link: etree._Element) -> str:
    return (link.get("rel") or "").strip().lower()
