"""What a page says of its article in JSON-LD: schema.org's words in a script of the page.

It comes as one object, a list, or a `@graph`, with objects in objects. The article may be one
of many there, so what belongs to others (lists, comments, the site) is not looked into, and
one that names the page's own address is preferred.
"""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass

from lxml import etree

from morningdeck.parsing.urls import canonical_url, web_url

MAX_SCRIPT = 500_000
MOST_NODES = 2_000
MAX_DEPTH = 10

_ARTICLE = re.compile(
    r"(?:Article|Posting|Report|Review|Episode|Recipe|Story)$|^(?:Video|Audio)Object$"
)
_PAGE = re.compile(r"(?:Page|CreativeWork)$")
_SITES = ("WebSite", "Organization", "NewsMediaOrganization")
_OF_OTHERS = frozenset(
    {
        *("itemListElement", "comment", "comments", "review", "citation", "isPartOf", "hasPart"),
        *("isBasedOn", "relatedLink", "mentions", "about", "author", "creator", "breadcrumb"),
        *("image", "thumbnail", "logo", "workExample", "isRelatedTo", "suggestedAnswer"),
    }
)
_COMMENT = re.compile(
    r"^\s*(?:<!--|//\s*<!\[CDATA\[|/\*\s*<!\[CDATA\[\s*\*/|<!\[CDATA\[)"
    r"|(?:-->|//\s*\]\]>|/\*\s*\]\]>\s*\*/|\]\]>)\s*;?\s*$"
)

_SIMPLE = re.compile(r'"(@type|datePublished|dateModified)"\s*:\s*"([^"\\]{1,100})"')

JsonObject = dict[str, object]


@dataclass(frozen=True, slots=True)
class LinkedData:
    headline: str = ""
    published: str = ""
    modified: str = ""
    sites: tuple[str, ...] = ()
    """What publisher and site are called."""


def read_linked_data(root: etree._Element, base: str, addresses: Collection[str]) -> LinkedData:
    """Of the page that has these (canonical) addresses."""
    nodes = [node for script in root.iter("script") for node in _nodes(script)]
    articles = [node for node in nodes if _is(node, _ARTICLE)]
    articles.sort(key=lambda node: not _names(node, base, addresses))
    pages = [node for node in nodes if _is(node, _PAGE)]
    sites = (_text(node, "name") for node in nodes if node.get("@type") in _SITES)
    publishers = (_text(node["publisher"], "name") for node in nodes if "publisher" in node)
    best = articles[:1]
    return LinkedData(
        headline=_first(best, "headline", "name"),
        published=_first([*best, *pages], "datePublished", "dateCreated", "uploadDate"),
        modified=_first([*best, *pages], "dateModified"),
        sites=tuple(filter(None, (*sites, *publishers))),
    )


def _nodes(script: etree._Element) -> list[JsonObject]:
    if "ld+json" not in (script.get("type") or "").lower():
        return []
    text = _COMMENT.sub("", (script.text or "")[:MAX_SCRIPT])
    try:
        return list(_within(json.loads(text, strict=False)))
    except ValueError:
        # Mostly it has a comma too many: a pattern still finds the dates in it.
        return [dict(reversed(_SIMPLE.findall(text)))]
    except RecursionError:
        return []


def _within(value: object) -> Iterator[JsonObject]:
    """The objects from the outside in, as far as they speak of this page."""
    level, seen = [value], 0
    for _ in range(MAX_DEPTH):
        deeper: list[object] = []
        for each in level:
            if isinstance(each, list):
                deeper += each
            elif isinstance(each, dict):
                yield each
                deeper += [inside for key, inside in each.items() if key not in _OF_OTHERS]
        seen += len(deeper)
        if seen > MOST_NODES:
            return
        level = deeper


def _is(node: JsonObject, kind: re.Pattern[str]) -> bool:
    types = node.get("@type")
    return any(
        isinstance(each, str) and kind.search(each.rpartition("/")[2])
        for each in (types if isinstance(types, list) else [types])
    )


def _names(node: JsonObject, base: str, addresses: Collection[str]) -> bool:
    said = (_text(node.get(key), "@id") for key in ("url", "mainEntityOfPage", "@id"))
    links = (web_url(text, base) for text in said if text)
    return any(link is not None and canonical_url(link) in addresses for link in links)


def _first(nodes: list[JsonObject], *keys: str) -> str:
    found = (_text(node.get(key)) for node in nodes for key in keys)
    return next(filter(None, found), "")


def _text(value: object, *keys: str) -> str:
    """A word as such, as the first of a list, or in an object."""
    if isinstance(value, list):
        value = value[0] if value else ""
    if isinstance(value, dict):
        value = next((value[key] for key in (*keys, "@value") if key in value), "")
    return value.strip() if isinstance(value, str) else ""
