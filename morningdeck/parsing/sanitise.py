"""HTML of strangers: made harmless once, and turned into plain text.

    size cap -> nesting cap -> hidden parts out -> nh3 -> text

The caps come first because nh3 is quadratic in nesting depth. The text is taken from
what nh3 wrote, whose markup is regular: no `<` or `>` stands anywhere but around a tag.
"""

from __future__ import annotations

import html
import re
from functools import lru_cache

import nh3
from lxml import etree

from morningdeck.parsing.hidden import drop_hidden, may_hide
from morningdeck.parsing.stylesheet import with_sheets

MAX_HTML = 500_000
MAX_DEPTH = 200

_HTML = etree.HTMLParser(encoding="utf-8", no_network=True, remove_comments=True)
_DROPPED_WHOLE = {
    *("script", "style", "template", "noscript", "iframe", "object", "embed", "applet"),
    *("svg", "title", "textarea", "select", "button", "noembed", "noframes", "xmp"),
}
_TAG = re.compile(r"<(/?)([a-zA-Z][^\s/<>]*)[^<>]*>")
# Those that have no end, or whose end HTML guesses at the next of their kind.
_FLAT = frozenset(
    {
        *("area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "param"),
        *("source", "track", "wbr", "p", "li", "dt", "dd", "option", "tr", "td", "th"),
        *("tbody", "thead", "tfoot"),
    }
)
_BREAK = re.compile(
    r"</?(?:address|article|aside|blockquote|br|center|dd|details|div|dl|dt|figcaption|figure"
    r"|footer|h[1-6]|header|hgroup|hr|li|main|nav|ol|p|pre|section|summary|table|tbody|td|tfoot"
    r"|th|thead|tr|ul)\b[^>]*>"
)
_ESCAPED_TWICE = re.compile(r"</[a-z][a-z0-9]*>|<(?:p|br|hr|img|a) ?[^<>]*>", re.I)
_ANY_TAG = re.compile(r"<[^<>]*>")


def sanitise(markup: str, base: str = "") -> str:
    """The same HTML with nothing in it that can run, hide or lead elsewhere than the web."""
    markup = _capped(markup).strip()
    if "<" not in markup:
        plain = html.unescape(markup)
        if not _ESCAPED_TWICE.search(plain):
            return html.escape(plain, quote=False)
        markup = plain
    if _too_deep(markup):
        return html.escape(to_text(markup), quote=False)
    if may_hide(markup):
        markup = _without_hidden(markup)
    return _cleaner(base).clean(markup).strip()


def _capped(markup: str) -> str:
    if len(markup) <= MAX_HTML:
        return markup
    kept, tag, rest = markup[:MAX_HTML].rpartition("<")
    return kept + tag + rest if ">" in rest else kept or rest


def to_text(clean: str) -> str:
    """The text of sanitised HTML: a line per block, entities resolved."""
    if "<" in clean:
        clean = _ANY_TAG.sub("", _BREAK.sub("\n", clean.replace("\n", " ")))
    lines = (" ".join(line.split()) for line in html.unescape(clean).split("\n"))
    return "\n".join(filter(None, lines))


def _too_deep(markup: str) -> bool:
    if markup.count("<") - markup.count("</") <= MAX_DEPTH:
        return False
    depth = 0
    for match in _TAG.finditer(markup):
        if match[2].lower() in _FLAT or match[0].endswith("/>"):
            continue
        depth += -1 if match[1] else 1
        if depth > MAX_DEPTH:
            return True
    return False


@lru_cache(maxsize=64)
def _cleaner(base: str) -> nh3.Cleaner:
    try:
        return nh3.Cleaner(
            clean_content_tags=_DROPPED_WHOLE,
            url_schemes={"http", "https", "mailto"},
            url_relative=("rewrite_with_base", base) if base else "deny",
            link_rel="noopener noreferrer nofollow",
        )
    except ValueError:
        # It has its own idea of what an address may look like.
        return _cleaner("")


def _without_hidden(markup: str) -> str:
    """Drop what a reader would not see, where instructions to language models are often hidden."""
    root = etree.HTML(f"<div>{with_sheets(markup)}</div>".encode(), _HTML)
    if root is None:
        return ""
    drop_hidden(root)
    return etree.tostring(root, encoding="unicode", method="html")
