"""The feeds that an HTML page names, the declared ones first."""

from __future__ import annotations

import re

from lxml import etree

from morningdeck.parsing.urls import base_of, web_url

MAX_PAGE = 1_000_000
MOST_TRIED = 5

_TYPE = re.compile(
    r"application/((x\.|x-)?(rss|atom|rdf)\+)?xml|application/feed\+json|text/(rss|(rss\+)?xml)"
)
_FEED_PATH = re.compile(
    r"(/(feed|feeds|rss|atom)/?|/(feed|rss|atom|index)\.(xml|rss|atom|json|rdf)|\.(rss|atom|rdf))$",
    re.I,
)

_COMMENTS = re.compile(r"\bcomments?\b", re.I)


def feed_links(page: bytes, url: str) -> tuple[str, ...]:
    """Absolute addresses in the page's order: `<link rel=alternate>`, then links that look so.

    Feeds of comments come last: they are not what somebody reads a page for.
    """
    parser = etree.HTMLParser(encoding="utf-8", no_network=True, remove_comments=True)
    root = etree.fromstring(page[:MAX_PAGE], parser)
    if root is None:
        return ()
    base = base_of(root, url)
    declared, guessed, comments = [], [], set()
    for element in root.iter("link", "a"):
        link = web_url(element.get("href"), base)
        if link is None:
            continue
        if _COMMENTS.search(f"{link} {element.get('title') or ''}"):
            comments.add(link)
        rel = (element.get("rel") or "").lower().split()
        kind = (element.get("type") or "").partition(";")[0].strip().lower()
        if "feed" in rel or ("alternate" in rel and _TYPE.fullmatch(kind)):
            declared.append(link)
        elif element.tag == "a" and _FEED_PATH.search(link.partition("?")[0]):
            guessed.append(link)
    found = dict.fromkeys(declared + guessed)
    return tuple(sorted(found, key=comments.__contains__))[:MOST_TRIED]
