"""The list of articles that a page is about, found by its structure alone.

    every link -> furniture of the site left out -> grouped by its place in the markup
               -> the groups that say most -> an entry per address, in the page's order

Articles in a list stand in the same markup one after another, under titles worth reading.
Menus, tags and buttons stand in groups too, but say little.
"""

from __future__ import annotations

import hashlib
import html
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from lxml import etree

from morningdeck.model.reading import Entry, LinkPage
from morningdeck.parsing.dates import parse_date
from morningdeck.parsing.entries import RawEntry, RawFeed, finish, plain_title
from morningdeck.parsing.tree import read_tree
from morningdeck.parsing.urls import base_of, canonical_url, web_url

MAX_LINKS = 3000
MAX_ENTRIES = 200
MAX_TEXT = 1000
LEAST_ARTICLES = 2
LEAST_LETTERS = 16
"""A group's titles have at least so many on average; those that are headings half as many."""
MOST_LETTERS = 120
SHARE_OF_BEST = 0.25
"""A page may have several lists; what says much less than the best of them is none."""

Element = etree._Element

_HEADINGS = frozenset({"h1", "h2", "h3", "h4", "h5", "h6"})
_FURNITURE = frozenset(
    {*("nav", "footer", "aside", "form", "dialog", "script", "style", "noscript", "template")}
)
_NAMES = frozenset(
    {
        *("nav", "navbar", "navigation", "menu", "header", "footer", "sidebar", "breadcrumb"),
        *("breadcrumbs", "pagination", "pager", "share", "social", "cookie", "cookies"),
    }
)
_CONTENT = frozenset({"body", "main", "article"})
_ROLES = frozenset({"navigation", "banner", "contentinfo", "search", "complementary", "menu"})
_UNSPOKEN = frozenset({"a", "time", "button", "figure", *_HEADINGS})


@dataclass(frozen=True, slots=True)
class Link:
    """One `<a>` with a title; `key` is the same for all addresses of one page."""

    element: Element
    url: str
    key: str
    title: str
    heading: bool


def parse_links(body: bytes, *, url: str, content_type: str | None = None) -> LinkPage:
    root = read_tree(body, content_type)
    title = plain_title(root.findtext(".//title") or "")
    base = base_of(root, url)
    for element in list(root.iter(etree.Element)):
        if element.getparent() is not None and _is_furniture(element):
            element.drop_tree()
    every = tuple(_links(root, base, canonical_url(url)))
    links = _articles(every)
    others = _others(every, links)
    digest = _digest(" ".join(root.itertext()))
    return LinkPage(title, digest, _entries(links, base), _entries(others, base))


def _is_furniture(element: Element) -> bool:
    if element.tag in _FURNITURE:
        return True
    if element.tag in _CONTENT or any(True for _ in element.iterancestors("main", "article")):
        return False
    names = f"{element.get('class') or ''} {element.get('id') or ''}".lower().split()
    role = (element.get("role") or "").lower()
    return element.tag == "header" or role in _ROLES or not _NAMES.isdisjoint(names)


def _links(root: Element, base: str, here: str) -> Iterator[Link]:
    for count, element in enumerate(root.iter("a")):
        url = web_url(element.get("href"), base)
        if url is None or count >= MAX_LINKS:
            continue
        title, heading = _title(element)
        key = canonical_url(url)
        if title and key != here:
            yield Link(element, url, key, title, heading)


def _title(link: Element) -> tuple[str, bool]:
    """What the link says, and whether it is a heading or has one."""
    inside = next((each for each in link.iter(*_HEADINGS)), None)
    around = any(each.tag in _HEADINGS for each in link.iterancestors())
    said = _said(link if inside is None else inside) or link.get("title") or ""
    return plain_title(said), around or inside is not None


def _said(element: Element) -> str:
    return " ".join(" ".join(map(str, element.itertext())).split())


# ---- which links are articles


def _articles(links: Sequence[Link]) -> tuple[Link, ...]:
    """Of each address the link that says most, in the page's order."""
    groups: defaultdict[str, list[Link]] = defaultdict(list)
    for link in links:
        groups[_position(link.element)].append(link)
    weights = {position: _weight(group) for position, group in groups.items()}
    least = max(max(weights.values(), default=0) * SHARE_OF_BEST, 1)
    chosen: dict[str, Link] = {}
    for position, group in groups.items():
        for link in group if weights[position] >= least else ():
            known = chosen.get(link.key)
            if known is None or len(known.title) < len(link.title):
                chosen[link.key] = link
    return tuple(link for link in links if chosen.get(link.key) is link)[:MAX_ENTRIES]


def _others(every: Sequence[Link], articles: Sequence[Link]) -> tuple[Link, ...]:
    """The first link to each of the other addresses."""
    known = {link.key for link in articles}
    found = {link.key: link for link in reversed(every) if link.key not in known}
    return tuple(link for link in every if found.get(link.key) is link)[:MAX_ENTRIES]


def _position(element: Element) -> str:
    """Where it stands in the markup: the same for the members of a list, whatever their number."""
    path = [str(each.tag) for each in element.iterancestors()]
    parent = element.getparent()
    return " ".join([*path, _kind(element), "" if parent is None else _kind(parent)])


def _kind(element: Element) -> str:
    return (element.get("class") or "").partition(" ")[0].rstrip("-_0123456789")


def _weight(group: Sequence[Link]) -> int:
    """How much there is to read in its titles, nothing where they are too short or too few."""
    titles = {link.key: min(_letters(link.title), MOST_LETTERS) for link in group}
    total = sum(titles.values())
    headings = all(link.heading for link in group)
    least = LEAST_LETTERS // 2 if headings else LEAST_LETTERS
    if len(titles) < LEAST_ARTICLES or total < least * len(titles):
        return 0
    return total * 2 if headings else total


def _letters(title: str) -> int:
    """A Chinese or Japanese character says as much as two or three of ours."""
    return sum(1 if char < "\u2e80" else 3 for char in title)


# ---- what stands around them


def _entries(links: Sequence[Link], base: str) -> tuple[Entry, ...]:
    blocks = _blocks(links)
    raw_entries = [_raw_entry(link, blocks[link.element], base) for link in links]
    entries = finish(RawFeed(entries=raw_entries)).entries
    # What stands around a title changes by the hour: "2 hours ago", "14 comments".
    return tuple(replace(entry, content_hash=_digest(entry.title)) for entry in entries)


def _blocks(links: Sequence[Link]) -> Mapping[Element, Element]:
    """The largest element around each article that holds no other."""
    holds: defaultdict[Element, set[str]] = defaultdict(set)
    for link in links:
        for each in link.element.iterancestors():
            holds[each].add(link.key)
    blocks = {}
    for link in links:
        block = link.element
        for each in link.element.iterancestors():
            if len(holds[each]) > 1 or each.tag in ("body", "html"):
                break
            block = each
        blocks[link.element] = block
    return blocks


def _raw_entry(link: Link, block: Element, base: str) -> RawEntry:
    text = " ".join(" ".join(_around(block, link.element)).split())[:MAX_TEXT]
    return RawEntry(
        base=base,
        id=link.key,
        link=link.url,
        title=link.title,
        bodies=[html.escape(text)],
        images=[each.get("src") or each.get("data-src") or "" for each in block.iter("img")],
        published_at=_date(block),
    )


def _around(element: Element, link: Element) -> Iterator[str]:
    """The block's own words: no title, no other links, no date."""
    has_heading = element is link and next(link.iter(*_HEADINGS), None) is not None
    if element.tag not in _UNSPOKEN or has_heading:
        yield element.text or ""
        for each in element:
            yield from _around(each, link)
            yield each.tail or ""
            yield " "


def _date(block: Element) -> datetime | None:
    dates = (each.get("datetime") or _said(each) for each in block.iter("time"))
    return next((moment for text in dates if (moment := parse_date(text))), None)


def _digest(text: str) -> str:
    return hashlib.sha256(" ".join(text.split()).encode()).hexdigest()
