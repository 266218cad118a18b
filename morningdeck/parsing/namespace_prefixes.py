"""Prefixes that a feed uses without declaring them: given the meaning that they always have.

An XML parser refuses such a document, or leaves `a:entry` as a name that means nothing.
"""

from __future__ import annotations

import re

_ROOT = re.compile(rb"<[\w:.-]+")
_ELEMENT = re.compile(rb"<([a-z_][\w.-]*):([a-z]+)", re.I)
_ATTRIBUTE = re.compile(rb"\s([a-z_][\w.-]*):[\w.-]+\s*=\s*[\"']", re.I)
_DECLARATION = re.compile(rb"\sxmlns:([\w.-]+)\s*=")
_BUILT_IN = frozenset({b"xml", b"xmlns"})
_STRUCTURE = frozenset({b"feed", b"entry", b"rss", b"channel", b"item"})
_MOST = 50
_ATOM = b"http://www.w3.org/2005/Atom"
_KNOWN = {
    b"atom": _ATOM,
    b"content": b"http://purl.org/rss/1.0/modules/content/",
    b"dc": b"http://purl.org/dc/elements/1.1/",
    b"dcterms": b"http://purl.org/dc/terms/",
    b"itunes": b"http://www.itunes.com/dtds/podcast-1.0.dtd",
    b"media": b"http://search.yahoo.com/mrss/",
    b"rdf": b"http://www.w3.org/1999/02/22-rdf-syntax-ns#",
    b"sy": b"http://purl.org/rss/1.0/modules/syndication/",
    b"xhtml": b"http://www.w3.org/1999/xhtml",
}


def declare(document: bytes) -> bytes:
    """The same document, its root declaring what was used undeclared.

    A prefix that stands before the feed's own elements is taken for Atom's, whatever it is.
    """
    spaces = {b"rdf": _KNOWN[b"rdf"]} if b"<rdf:" in document[:200] else {}
    for prefix in _ATTRIBUTE.finditer(document):
        _note(spaces, prefix[1])
    for element in _ELEMENT.finditer(document):
        _note(spaces, element[1], structure=element[2].lower() in _STRUCTURE)
    for prefix in _DECLARATION.finditer(document):
        spaces.pop(prefix[1], None)
    root = _ROOT.match(document)
    if root is None or not spaces:
        return document
    added = b"".join(b' xmlns:%b="%b"' % each for each in spaces.items())
    return document[: root.end()] + added + document[root.end() :]


def _note(spaces: dict[bytes, bytes], prefix: bytes, *, structure: bool = False) -> None:
    if prefix in _BUILT_IN or (len(spaces) >= _MOST and prefix not in spaces):
        return
    space = _KNOWN.get(prefix.lower()) or (_ATOM if structure else b"urn:" + prefix)
    if structure or prefix not in spaces:
        spaces[prefix] = space
