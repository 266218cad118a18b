"""An article that its page has in pieces, between advertisements and other things: put together.

trafilatura takes one container for the article, and ends with it. Containers of one kind in
one place are pieces of one article, unless a headline between them begins another.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Mapping, Sequence
from itertools import islice

from lxml import etree
from lxml.html import HtmlElement

MOST_CONTAINERS, MOST_PIECES = 500, 50
SHORTEST_PIECE = 60

_CONTAINERS = ("div", "section", "article", "main")
_SCOPES = frozenset({"article", "main", "body"})
_BODY = re.compile(
    r"(?:post|article|story|entry|page|text|art|content|blog|single|field|main|section|news)"
    r"[-_]{0,2}(?:text|body|bodycopy|content|entry|copy|main)|full-?text|body-text|postarea"
    r"|^(?:story|text|content|cell)$",
    re.I,
)
_NUMBER = re.compile(r"[-_]*\d+$")
_OF_OTHERS = re.compile(r"comment|related|sidebar|footer|teaser|recommend|promo", re.I)
_HEADINGS = ("h1", "h2", "h3", "h4")


def join_bodies(root: HtmlElement) -> None:
    groups: defaultdict[tuple[etree._Element, str], list[etree._Element]] = defaultdict(list)
    named = ((each, kind) for each in root.iter(*_CONTAINERS) if (kind := _kind(each)))
    for element, kind in islice(named, MOST_CONTAINERS):
        if (article := _article_of(element, kind)) is not None:
            groups[article, kind].append(element)
    several = [pieces[:MOST_PIECES] for pieces in groups.values() if len(pieces) > 1]
    if not several:
        return
    order = {element: number for number, element in enumerate(root.iter(etree.Element))}
    begins = [order[each] for each in root.iter(*_HEADINGS) if _begins_another(each)]
    for pieces in several:
        _join(pieces, order, begins)


def _kind(element: etree._Element) -> str | None:
    """Tag and the word of its class that says that it holds an article; None if none does."""
    if element.get("itemprop") == "articleBody":
        return f"{element.tag} articleBody"
    names = (element.get("class") or "").split()
    named = next((name for name in names if _BODY.search(name)), None)
    return f"{element.tag} {_NUMBER.sub('', named)}" if named else None


def _article_of(element: etree._Element, kind: str) -> etree._Element | None:
    """The article or page that it is in; None within another, or among what others wrote."""
    article = None
    for above in element.iterancestors():
        if _OF_OTHERS.search(f"{above.get('id')} {above.get('class')}") or above.tag == "aside":
            return None
        if _kind(above) == kind:
            return None
        if article is None and above.tag in _SCOPES:
            article = above
    return article


def _begins_another(heading: etree._Element) -> bool:
    link = next(heading.iterancestors("a"), heading.find(".//a[@href]"))
    return heading.tag == "h1" or link is not None


def _join(
    pieces: Sequence[etree._Element], order: Mapping[etree._Element, int], begins: Sequence[int]
) -> None:
    first = before = pieces[0]
    end = _end(first, order)
    for piece in pieces[1:]:
        start = order[next(piece.iter("p"), piece)]
        if any(end < number < start for number in begins):
            return
        end = _end(piece, order)
        if len("".join(map(str, piece.itertext())).strip()) >= SHORTEST_PIECE:
            _move(before, piece, first)
            before = piece


def _end(element: etree._Element, order: Mapping[etree._Element, int]) -> int:
    """The position in the page of the last element inside it."""
    last = element
    while len(last):
        last = last[-1]
    return order.get(last, order[element])


def _move(before: etree._Element, piece: etree._Element, into: etree._Element) -> None:
    """With the headings that stand between the two."""
    between = [each for each in before.itersiblings() if each.tag in _HEADINGS[1:]]
    if before.getparent() is piece.getparent():
        after = set(piece.itersiblings())
        into.extend([each for each in between if each not in after])
    if piece.text and piece.text.strip():
        etree.SubElement(into, "p").text = piece.text
        piece.text = None
    into.extend(list(piece))
