"""What the article of a page is called, without the name of its site.

    <title>, og:title   are sure to be meant, and often name the site as well
    h1, JSON-LD         name the article alone, or something else on the page

So a heading is believed that is a whole part of the title; else the only heading that there is;
else the title without what the page calls its site.
"""

from __future__ import annotations

import html
import re
from collections.abc import Collection, Iterator, Sequence
from itertools import islice

from lxml import etree
from lxml.html import HtmlElement

from morningdeck.hosts import host_of
from morningdeck.parsing.linkeddata import LinkedData
from morningdeck.parsing.tree import metas

MOST_HEADINGS = 20
MOST_SEPARATORS = 8
LONGEST_HEADLINE = 500
SHORTEST = 3

_MARKS = r"|\u00b7\u2022\u00bb\u203a\u00ab\u2039/~:\u2013\u2014-"
_SEPARATOR = re.compile(rf"\s+[{_MARKS}]{{1,3}}\s+|\s*\|\s*|:\s+")
_TO_FRONT = re.compile(r"\s*(?:https?:)?(?://[^/?#]*)?/?(?:[?#].*)?\s*", re.I)
_ODD = re.compile(r"[\W_]+")


def find_headline(root: HtmlElement, linked: LinkedData, found: str, url: str) -> str:
    """`found` is what trafilatura takes for it."""
    titles = list(filter(None, map(_words, _titles(root, linked))))
    sites = _sites(root, linked, url)
    headings = _headings(root)
    parts = {_plain(part) for title in titles for part in _parts(title)}
    meant = [
        each
        for each in (_words(linked.headline), *headings)
        if _plain(each) in parts and _plain(each) not in sites and len(_plain(each)) >= SHORTEST
    ]
    if meant:
        return found if found in meant else meant[0]
    if found in headings and _plain(found) not in sites:
        return found
    for title in titles:
        bare = _without_site(title, sites)
        if bare and _plain(bare) not in sites:
            return found if bare == title and _plain(found) in parts - sites else bare
    return found


def _headings(root: HtmlElement) -> list[str]:
    """Those of the article first, those that lead to the front page last; the longer first."""

    def rank(heading: etree._Element) -> tuple[bool, bool, int]:
        links = [*heading.iter("a"), *heading.iterancestors("a")]
        leads_home = any(_TO_FRONT.fullmatch(each.get("href") or "x") for each in links)
        is_in_article = next(heading.iterancestors("article", "main"), None) is not None
        return leads_home, not is_in_article, -len(_text(heading))

    return [_text(each) for each in sorted(islice(root.iter("h1"), MOST_HEADINGS), key=rank)]


def _titles(root: HtmlElement, linked: LinkedData) -> Iterator[str]:
    yield linked.headline
    yield from islice(metas(root, "og:title", "twitter:title"), 4)
    yield next((_text(each) for each in root.iter("title")), "")


def _sites(root: HtmlElement, linked: LinkedData, url: str) -> set[str]:
    """All that the page calls its site, its host included."""
    host = host_of(url).removeprefix("www.")
    named = metas(root, "og:site_name", "application-name", "twitter:site")
    names = (*linked.sites, *named, host, host.partition(".")[0], host.rpartition(".")[0])
    return {_plain(name) for name in names} - {""}


def _parts(title: str) -> Iterator[str]:
    """The whole, and whatever stands between two of its separators."""
    separators = list(islice(_SEPARATOR.finditer(title), MOST_SEPARATORS))
    starts = [0, *(each.end() for each in separators)]
    ends = [*(each.start() for each in separators), len(title)]
    for start in starts:
        yield from (title[start:end] for end in ends if end > start)


def _without_site(title: str, sites: Collection[str]) -> str:
    separators: Sequence[re.Match[str]] = list(_SEPARATOR.finditer(title))
    for separator in separators:
        if _plain(title[separator.end() :]) in sites:
            return title[: separator.start()]
    for separator in reversed(separators):
        if _plain(title[: separator.start()]) in sites:
            return title[separator.end() :]
    return title


def _text(element: etree._Element) -> str:
    return _words("".join(map(str, element.itertext())))


def _words(text: str) -> str:
    return " ".join(html.unescape(text).split())[:LONGEST_HEADLINE]


def _plain(text: str) -> str:
    return _ODD.sub("", text.casefold())
