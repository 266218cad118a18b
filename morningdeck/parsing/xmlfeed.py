"""RSS 0.9x, 1.0 and 2.0, RDF, CDF and Atom as one vocabulary, read with lxml.

Which element means what follows feedparser, name by name, because that is how feeds
are written; a test compares the two over thousands of files.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import timedelta
from functools import lru_cache
from itertools import islice

from lxml import etree

from morningdeck.parsing.entries import MAX_ENTRIES, RawEntry, RawFeed
from morningdeck.parsing.urls import web_url
from morningdeck.parsing.xmlitem import VOCABULARY, Element, local_name, text_of

FEED_ROOTS = frozenset({"rss", "feed", "rdf", "channel"})

_ATOM = "http://www.w3.org/2005/Atom"
# Names of these namespaces stand for themselves.
_PLAIN = frozenset(
    {
        "http://backend.userland.com/rss",
        "http://backend.userland.com/rss2",
        "http://blogs.law.harvard.edu/tech/rss",
        "http://channel.netscape.com/rdf/simple/0.9/",
        "http://my.netscape.com/rdf/simple/0.9/",
        "http://purl.org/atom/ns#",
        "http://purl.org/rss/1.0/",
        "http://purl.org/rss/1.0/modules/rss091#",
        _ATOM.lower(),
    }
)
_PREFIXES = {
    "http://purl.org/dc/elements/1.1/": "dc",
    "http://purl.org/dc/terms/": "dcterms",
    "http://purl.org/rss/1.0/modules/content/": "content",
    "http://purl.org/rss/1.0/modules/syndication/": "sy",
    "http://search.yahoo.com/mrss": "media",
    "http://search.yahoo.com/mrss/": "media",
    "http://www.itunes.com/dtds/podcast-1.0.dtd": "itunes",
    "http://www.w3.org/1999/02/22-rdf-syntax-ns#": "rdf",
    "http://www.w3.org/1999/xhtml": "xhtml",
}
_SPACES = {"atom": _ATOM, **{prefix: space for space, prefix in _PREFIXES.items()}}
_STRUCTURE = frozenset({b"feed", b"entry", b"rss", b"channel", b"item"})
_ROOT = re.compile(rb"<[\w:.-]+")
_DECLARED = re.compile(rb"\sxmlns:([\w.-]+)\s*=")
_USED = re.compile(
    rb"<(?P<element>[a-z_][\w.-]*):(?P<name>[a-z]+)"
    rb"|\s(?P<attribute>[a-z_][\w.-]*):[\w.-]+\s*=\s*[\"']",
    re.I,
)
_MOST_PREFIXES = 50
_ITEMS = tuple(f"{{*}}{name}" for name in ("item", "entry", "Item", "Entry", "ITEM", "ENTRY"))
_HEAD = tuple(
    f"{{*}}{name}"
    for name in ("title", "link", "ttl", "updatePeriod", "updateFrequency", "language")
)
_XML_LANGUAGE = "{http://www.w3.org/XML/1998/namespace}lang"
_ABOUT = "{http://www.w3.org/1999/02/22-rdf-syntax-ns#}about"
_PIECE = 1 << 16
_PERIOD_HOURS = {"hourly": 1, "daily": 24, "weekly": 168, "monthly": 720, "yearly": 8760}


def parse_xml(
    document: bytes, url: str, *, start: int = 0, recover: bool = False
) -> Element | None:
    """The root element of UTF-8 from `start` on; None when it is not well-formed, or beyond repair.

    It is fed piece by piece, so that no copy of a large document is made.
    """
    parser = etree.XMLParser(
        encoding="utf-8",
        recover=recover,
        resolve_entities=False,
        no_network=True,
        huge_tree=False,
        remove_comments=True,
        remove_pis=True,
    )
    try:
        for at in range(start, len(document), _PIECE):
            parser.feed(document[at : at + _PIECE])
        root: Element | None = parser.close()
    except etree.XMLSyntaxError as error:
        if getattr(error, "code", None) == etree.ErrorTypes.ERR_NO_MEMORY:
            raise MemoryError from error  # and it must not be taken for a broken one
        return None
    if root is not None:
        root.getroottree().docinfo.URL = url
    return root


def declare_prefixes(document: bytes) -> bytes:
    """The same document, its root declaring the prefixes that were used undeclared.

    An XML parser refuses such a document, or leaves `a:entry` as a name that means nothing. A
    prefix that stands before the feed's own elements is taken for Atom's, whatever it is.
    """
    spaces: dict[bytes, str] = {}
    for used in _USED.finditer(document):
        prefix = used["element"] or used["attribute"]
        if prefix in (b"xml", b"xmlns") or (len(spaces) >= _MOST_PREFIXES and prefix not in spaces):
            continue
        known = _SPACES.get(prefix.decode().lower())
        if (used["name"] or b"").lower() in _STRUCTURE:
            spaces[prefix] = known or _ATOM
        else:
            spaces.setdefault(prefix, known or f"urn:{prefix.decode()}")
    for prefix in _DECLARED.finditer(document):
        spaces.pop(prefix[1], None)
    root = _ROOT.match(document)
    if root is None or not spaces:
        return document
    added = b"".join(b' xmlns:%b="%b"' % (name, space.encode()) for name, space in spaces.items())
    return document[: root.end()] + added + document[root.end() :]


def read_xml(root: Element, url: str) -> RawFeed:
    """Every item or entry, wherever it stands, in the document's order."""
    head = next(root.iter("{*}channel", "{*}Channel", "{*}CHANNEL"), root)
    feed, link = _read_head(head)
    is_atom = local_name(root) == "feed"
    default_base = url if is_atom else web_url(link, url) or url

    def raw_entries() -> Iterator[RawEntry]:
        items = root.iter(*_ITEMS)
        for item in islice(items, MAX_ENTRIES):
            base = (item.base != url and web_url(item.base)) or default_base
            # CDF keeps the link in the item itself
            link = item.get("href") or item.get("HREF") or ""
            raw = RawEntry(base=base, is_atom=is_atom, id=item.get(_ABOUT, ""), link=link)
            raw.language = item.get(_XML_LANGUAGE, "")
            _read_children(item, raw)
            yield raw
        feed.left_out = sum(1 for _ in items)

    feed.entries = raw_entries()
    return feed


def _read_head(head: Element) -> tuple[RawFeed, str]:
    """The feed without its entries, and its page."""
    asked, period, frequency, raw = 0.0, "", "1", RawEntry()
    # By name, inside libxml2: a hostile channel may have millions of children.
    for element in head.iterchildren(*_HEAD):
        match name := _name(element.tag, element.prefix):
            case "title" | "link" | "language" | "dc:language":
                VOCABULARY[name](raw, element)
            case "ttl":
                asked = _number(text_of(element)) / 60
            case "sy:updateperiod":
                period = text_of(element).lower()
            case "sy:updatefrequency":
                frequency = text_of(element)
    asked = max(asked, _PERIOD_HOURS.get(period, 0) / max(_number(frequency), 1))
    ttl = timedelta(hours=min(asked, 8760)) if asked > 0 else None
    language = raw.language or head.get(_XML_LANGUAGE) or ""
    return RawFeed(raw.title, ttl, language), raw.link


def _read_children(parent: Element, raw: RawEntry) -> None:
    for element in parent:
        name = _name(element.tag, element.prefix)
        if name == "media:group":
            _read_children(element, raw)
        elif name in VOCABULARY:
            VOCABULARY[name](raw, element)


@lru_cache(maxsize=4096)
def _name(tag: object, prefix: str | None) -> str:
    """`prefix:name` in lower case, by the namespace if it is a known one, else as written."""
    if not isinstance(tag, str):
        return ""
    space, _, name = tag.rpartition("}")
    space, name = space[1:].lower(), name.lower()
    if space in _PLAIN or (not prefix and space not in _PREFIXES):
        return name
    return f"{_PREFIXES.get(space, (prefix or '').lower())}:{name}"


def _number(text: str) -> float:
    try:
        return max(float(text), 0.0)
    except ValueError:
        return 0.0
