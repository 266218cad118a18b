"""The same answers as XML, for clients that ask for it, and streams as Atom, for newsboat."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any
from xml.etree import ElementTree
from xml.etree.ElementTree import Element, SubElement

from morningdeck.actions.opml import xml_text
from morningdeck.model.hours import EPOCH
from morningdeck.web.greader.words import STATE

ATOM = "http://www.w3.org/2005/Atom"
SCHEME = "http://www.google.com/reader/"
HEAD = '<?xml version="1.0" encoding="UTF-8"?>\n'


def as_xml(value: Any) -> bytes:
    return _written(_element(value))


def _element(value: Any, name: str | None = None) -> Element:
    named = {} if name is None else {"name": xml_text(name)}
    match value:
        case Mapping():
            element = Element("object", named)
            element.extend(_element(held, key) for key, held in value.items())
        case list() | tuple():
            element = Element("list", named)
            element.extend(_element(held) for held in value)
        case bool() | str():
            element = Element("boolean" if isinstance(value, bool) else "string", named)
            element.text = xml_text(str(value).lower() if isinstance(value, bool) else value)
        case _:
            element = Element("number", named)
            element.text = str(value)
    return element


def stream_as_atom(stream: Mapping[str, Any]) -> bytes:
    """Of the answer that a client of JSON gets."""
    feed = Element("feed", {"xmlns": ATOM})
    _put(feed, "id", stream["id"])
    _put(feed, "title", stream["title"])
    _put(feed, "updated", _time(stream["updated"]))
    if "continuation" in stream:
        _put(feed, "continuation", stream["continuation"], xmlns=SCHEME)
    for entry in stream["items"]:
        _put_entry(SubElement(feed, "entry"), entry)
    return _written(feed)


def _put_entry(element: Element, entry: Mapping[str, Any]) -> None:
    _put(element, "id", entry["id"])
    _put(element, "title", entry["title"])
    _put(element, "published", _time(entry["published"]))
    _put(element, "updated", _time(entry["updated"]))
    for link in entry["alternate"]:
        SubElement(element, "link", {"rel": "alternate", **_attributes(link)})
    _put(SubElement(element, "author"), "name", entry["author"])
    _put(element, "content", entry["summary"]["content"], type="html")
    states = entry["categories"]
    # to newsboat, what is in neither of both states is as it was
    states = states if STATE + "read" in states else [*states, STATE + "fresh"]
    for category in states:
        label = category.removeprefix(STATE).rpartition("/label/")[2]
        attributes = {"term": category, "scheme": SCHEME, "label": label}
        SubElement(element, "category", _attributes(attributes))


def _put(parent: Element, name: str, text: str, **attributes: str) -> None:
    SubElement(parent, name, attributes).text = xml_text(text)


def _attributes(values: Mapping[str, str]) -> dict[str, str]:
    return {name: xml_text(value) for name, value in values.items()}


def _time(number: int) -> str:
    at = datetime.fromtimestamp(number, UTC) if number > 0 else EPOCH
    return at.isoformat().replace("+00:00", "Z")


def _written(root: Element) -> bytes:
    return (HEAD + ElementTree.tostring(root, encoding="unicode")).encode()
