"""A web page as a tree of what a visitor sees: decoded, cut to size, hidden parts out."""

from __future__ import annotations

import re
from collections.abc import Iterator

from lxml import html

from morningdeck.errors import PermanentError
from morningdeck.parsing import decode
from morningdeck.parsing.hidden import drop_hidden

MAX_PAGE = 2_000_000

_TEXTUAL = re.compile(r"html|xml|^text/plain$|^$")
_MARKUP = re.compile(r"<(?:!doctype html|html|head|title|body|main|article|div|p|a)[\s>]", re.I)


def read_tree(body: bytes, content_type: str | None) -> html.HtmlElement:
    """The root of the page; PermanentError when the bytes are anything else."""
    kind = (content_type or "").partition(";")[0].strip().lower()
    if not _TEXTUAL.search(kind):
        raise PermanentError(f"not a web page: {kind[:60]!r}")
    text = decode.decode_page(body, content_type)[:MAX_PAGE]
    if not _MARKUP.search(text):
        raise PermanentError("not a web page: there is no HTML in it")
    parser = html.HTMLParser(
        encoding="utf-8", no_network=True, remove_comments=True, remove_pis=True
    )
    root = html.document_fromstring(text.encode(), parser)
    # A page that its own script unveils hides all of it.
    drop_hidden(root, unveiled=("html", "body"))
    return root


def metas(root: html.HtmlElement, *names: str) -> Iterator[str]:
    """What the page's head says under these names, in their order."""
    said = [
        ((each.get("property") or each.get("name") or each.get("itemprop") or "").lower(), each)
        for each in root.iter("meta")
    ]
    for name in names:
        yield from (each.get("content") or "" for key, each in said if key == name)
