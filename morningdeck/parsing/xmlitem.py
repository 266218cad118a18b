"""What each element of an RSS item or Atom entry says, one small function per kind."""

from __future__ import annotations

import base64
import html
import re
from collections.abc import Callable

from lxml import etree

from morningdeck.parsing.entries import RawEntry
from morningdeck.parsing.sanitise import sanitise, to_text

Element = etree._Element
Read = Callable[[RawEntry, Element], None]

_HTML_TYPES = frozenset({"text/html", "application/xhtml+xml", "html", "xhtml"})
_PLAIN_TYPES = frozenset({"", "text", "text/plain", "plain"})
_TEXTUAL = re.compile(r"|plain|text|text/.*|x?html|.*[+/]xml")
_PLAIN_NAME = re.compile(r"[A-Za-z_][\w.-]*", re.A)
_IMAGE_NAME = re.compile(r"\.(jpe?g|png|gif|webp|avif)([?#]|$)", re.I)


def local_name(element: Element) -> str:
    """Its name in lower case without the namespace; if nobody declared it, without the prefix.

    libxml2 leaves such a prefix in the tag, which then is no name that lxml itself would take.
    """
    tag = element.tag
    return tag.rpartition("}")[2].rpartition(":")[2].lower() if isinstance(tag, str) else ""


def text_of(element: Element) -> str:
    """The plain characters, those of elements inside it included."""
    if len(element):
        return "".join(map(str, element.itertext())).strip()
    return (element.text or "").strip()


def _title(raw: RawEntry, element: Element) -> None:
    """Atom says whether a title is HTML; in RSS one can only guess, later."""
    if raw.title:
        return
    is_plain = _type(element) in _PLAIN_TYPES and element.get("mode") != "base64"
    if raw.is_atom and not is_plain:
        raw.title = to_text(sanitise(_markup(raw, element)))
    else:
        raw.title = text_of(element)
    raw.title_is_plain = raw.is_atom


def _spare_title(raw: RawEntry, element: Element) -> None:
    raw.spare_title = raw.spare_title or text_of(element)


def _link(raw: RawEntry, element: Element) -> None:
    href = element.get("href") or element.get("url") or element.get("uri")
    text = text_of(element)
    if href is None or (_leads_to_web(text) and not _leads_to_web(href)):
        raw.link = text or raw.link
    elif element.get("rel", "alternate") == "alternate":
        if element.get("type", "text/html").lower() in _HTML_TYPES:
            raw.link = href
        else:
            raw.spare_link = raw.spare_link or href
    elif element.get("rel") == "enclosure":
        _enclosure(raw, element)


def _leads_to_web(address: str) -> bool:
    return address.startswith(("http://", "https://"))


def _id(raw: RawEntry, element: Element) -> None:
    raw.id = text_of(element) or raw.id
    flag = element.get("isPermaLink") or element.get("ispermalink") or "true"
    # Many are bare numbers although they say, by not denying it, that they are links.
    if flag.lower() == "true" and _leads_to_web(raw.id):
        raw.permalink = raw.id


def _body(raw: RawEntry, element: Element) -> None:
    if element.get("src"):
        _enclosure(raw, element)
    raw.bodies.append(_markup(raw, element))


def _markup(raw: RawEntry, element: Element) -> str:
    """What it says as HTML: plain text escaped, inline XHTML written out, base64 decoded."""
    kind, mode = _type(element), element.get("mode")
    if len(element):
        return _inner_markup(element)
    if mode == "base64" or not _TEXTUAL.fullmatch(kind):
        return _from_base64(element.text or "")
    if raw.is_atom and kind in _PLAIN_TYPES and mode != "escaped":
        return html.escape(element.text or "", quote=False)
    return element.text or ""


def _author(raw: RawEntry, element: Element) -> None:
    names = [child for child in element if local_name(child) == "name"]
    emails = [child for child in element if local_name(child) == "email"]
    for part in names or emails or [element]:
        raw.authors.append(text_of(part))


def _published(raw: RawEntry, element: Element) -> None:
    raw.published = text_of(element) or raw.published


def _updated(raw: RawEntry, element: Element) -> None:
    raw.updated = text_of(element) or raw.updated


def _created(raw: RawEntry, element: Element) -> None:
    raw.created = text_of(element) or raw.created


def _language(raw: RawEntry, element: Element) -> None:
    raw.language = text_of(element) or raw.language


def _enclosure(raw: RawEntry, element: Element) -> None:
    """`enclosure`, `media:content`, an Atom link to one, or Atom content that is elsewhere."""
    url = element.get("url") or element.get("href") or element.get("src") or ""
    kind = element.get("type", "").lower()
    if kind.startswith("image/") or element.get("medium") == "image" or _IMAGE_NAME.search(url):
        raw.images.append(url)
    else:
        raw.enclosure = raw.enclosure or url


def _media(raw: RawEntry, element: Element) -> None:
    if element.get("isDefault") != "false":
        _enclosure(raw, element)
    for child in element:
        match local_name(child):
            case "thumbnail":
                _image(raw, child)
            case "title":
                _spare_title(raw, child)
            case "description":
                _body(raw, child)


def _image(raw: RawEntry, element: Element) -> None:
    url = element.get("url") or element.get("href")
    inner = [text_of(child) for child in element if local_name(child) == "url"]
    raw.images.extend([url] if url else inner or [text_of(element)])


_MEANINGS: dict[Read, tuple[str, ...]] = {
    _title: ("title",),
    _spare_title: ("dc:title", "media:title", "itunes:title"),
    _link: ("link",),
    _id: ("guid", "id"),
    _body: (
        *("description", "summary", "abstract", "content", "content:encoded", "fullitem", "body"),
        *("xhtml:body", "xhtml:div", "dc:description", "dcterms:abstract"),
        *("media:description", "itunes:summary"),
    ),
    _author: ("author", "dc:creator", "dc:author", "itunes:author"),
    _published: ("pubdate", "published", "issued", "dcterms:issued"),
    _updated: ("updated", "modified", "lastbuilddate", "dc:date", "dcterms:modified"),
    _created: ("created", "dcterms:created"),
    _language: ("language", "dc:language"),
    _enclosure: ("enclosure",),
    _media: ("media:content",),
    _image: ("media:thumbnail", "itunes:image", "image"),
}
VOCABULARY = {name: read for read, names in _MEANINGS.items() for name in names}
"""Element name to what it adds to the raw entry; the others are skipped with all they hold."""


def _type(element: Element) -> str:
    return element.get("type", "").strip().lower()


def _from_base64(text: str) -> str:
    try:
        return base64.b64decode(text).decode()
    except ValueError:
        return ""


def _inner_markup(element: Element) -> str:
    """The inside as HTML, without the prefixes that XHTML may carry."""
    for inner in element.iter(etree.Element):
        name = local_name(inner)  # of a broken document it may be none that lxml would take
        inner.tag = name if _PLAIN_NAME.fullmatch(name) else "span"
    parts = [html.escape(element.text or "", quote=False)]
    parts += [etree.tostring(child, encoding="unicode", method="html") for child in element]
    return "".join(parts)
