"""A web page as a tree of what a visitor sees: decoded, cut to size, hidden parts out."""

from __future__ import annotations

import re
from collections.abc import Iterator

from lxml import html

from morningdeck.errors import PermanentError
from morningdeck.parsing import decode
from morningdeck.parsing.hidden import drop_hidden
from morningdeck.parsing.urls import web_url

MAX_PAGE = 2_000_000

_META_CHARSET = re.compile(rb"<meta[^>]{0,200}?charset\s*=\s*[\"']?\s*([\w.:-]+)", re.I)
_META_WITHIN = 4096
_TEXTUAL = re.compile(r"html|xml|^text/plain$|^$")
_MARKUP = re.compile(r"<(?:!doctype html|html|head|title|body|main|article|div|p|a)[\s>]", re.I)


def read_tree(body: bytes, content_type: str | None) -> html.HtmlElement:
    """The root of the page; PermanentError when the bytes are anything else."""
    kind = (content_type or "").partition(";")[0].strip().lower()
    if not _TEXTUAL.search(kind):
        raise PermanentError(f"not a web page: {kind[:60]!r}")
    text = decode.decode_text(body, _with_charset(body, content_type))[:MAX_PAGE]
    if not _MARKUP.search(text):
        raise PermanentError("not a web page: there is no HTML in it")
    parser = html.HTMLParser(
        encoding="utf-8", no_network=True, remove_comments=True, remove_pis=True
    )
    root = html.document_fromstring(text.encode(), parser)
    # A page that its own script unveils hides all of it.
    drop_hidden(root, unveiled=("html", "body"))
    return root


def base_of(root: html.HtmlElement, url: str) -> str:
    """What the page's links are relative to."""
    return next((web_url(each.get("href"), url) for each in root.iter("base")), None) or url


def metas(root: html.HtmlElement, *names: str) -> Iterator[str]:
    """What the page's head says under these names, in their order."""
    said = [
        ((each.get("property") or each.get("name") or each.get("itemprop") or "").lower(), each)
        for each in root.iter("meta")
    ]
    for name in names:
        yield from (each.get("content") or "" for key, each in said if key == name)


def _with_charset(body: bytes, content_type: str | None) -> str | None:
    """What the server says, else what the page says of itself."""
    if "charset" in (content_type or "").lower():
        return content_type
    declared = _META_CHARSET.search(body[:_META_WITHIN])
    return f"text/html; charset={declared[1].decode('ascii')}" if declared else content_type
