"""Prefixes that a feed uses without declaring them: given the meaning that they always have.

An XML parser refuses such a document, or leaves `a:entry` as a name that means nothing.
"""

from __future__ import annotations

import re

from morningdeck.parsing.xmlfeed import ATOM, PREFIXES

_ROOT = re.compile(rb"<[\w:.-]+")
_USED = re.compile(
    rb"<(?P<element>[a-z_][\w.-]*):(?P<name>[a-z]+)"
    rb"|\s(?P<attribute>[a-z_][\w.-]*):[\w.-]+\s*=\s*[\"']",
    re.I,
)
_DECLARED = re.compile(rb"\sxmlns:([\w.-]+)\s*=")
_BUILT_IN = frozenset({b"xml", b"xmlns"})
_STRUCTURE = frozenset({b"feed", b"entry", b"rss", b"channel", b"item"})
_MOST = 50
_KNOWN = {"atom": ATOM, **{prefix: space for space, prefix in PREFIXES.items()}}


def declare(document: bytes) -> bytes:
    """The same document, its root declaring what was used undeclared.

    A prefix that stands before the feed's own elements is taken for Atom's, whatever it is.
    """
    spaces: dict[bytes, str] = {}
    for used in _USED.finditer(document):
        prefix = used["element"] or used["attribute"]
        if prefix in _BUILT_IN or (len(spaces) >= _MOST and prefix not in spaces):
            continue
        known = _KNOWN.get(prefix.decode().lower())
        if (used["name"] or b"").lower() in _STRUCTURE:
            spaces[prefix] = known or ATOM
        else:
            spaces.setdefault(prefix, known or f"urn:{prefix.decode()}")
    for prefix in _DECLARED.finditer(document):
        spaces.pop(prefix[1], None)
    root = _ROOT.match(document)
    if root is None or not spaces:
        return document
    added = b"".join(b' xmlns:%b="%b"' % (name, space.encode()) for name, space in spaces.items())
    return document[: root.end()] + added + document[root.end() :]
