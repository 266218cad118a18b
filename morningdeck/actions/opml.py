"""Lists of feeds as OPML: those of others in, one's own out."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING
from xml.etree import ElementTree

from morningdeck import files
from morningdeck.addresses import source_type, source_url
from morningdeck.discreet import named
from morningdeck.errors import ConfigError, ConflictError, PermanentError
from morningdeck.model.reading import ListedFeed
from morningdeck.model.wanting import NewSource
from morningdeck.parsing.opml import OWN_PROMPT, OWN_TYPE
from morningdeck.views.reading import ImportView, RejectedView, SourceView

if TYPE_CHECKING:
    from morningdeck.store.views.subscriptions import Subscriptions

ALL = 1_000_000
UNLISTED = ("email", "saved")
"""A mailbox is its reader's own, and so is what was saved by hand."""
NAMESPACE = "https://github.com/morningdeck/morningdeck"
_NOT_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def import_(
    subscriptions: Subscriptions,
    user_id: int,
    feeds: Iterable[ListedFeed],
    *,
    now: datetime,
    briefing_ids: Collection[int] = (),
    progress: Callable[[int, int], None] = lambda done, of: None,
) -> ImportView:
    """Read all the feeds of a list from now on."""
    found, rejected = _new_sources(feeds)
    added = subscriptions.subscribe_all(
        user_id,
        found,
        now=now,
        briefing_ids=tuple(briefing_ids),
        progress=lambda done: progress(done, len(found)),
    )
    return ImportView(added, len(found) - added, tuple(rejected))


def import_each(
    subscriptions: Subscriptions,
    user_id: int,
    feeds: Iterable[ListedFeed],
    *,
    now: datetime,
    progress: Callable[[int, int], None] = lambda done, of: None,
) -> ImportTold:
    """The same, and which of them are new."""
    feeds = tuple(feeds)
    known = {(one.type.upper(), one.url) for one in subscriptions.list(user_id, ALL)}
    told = import_(subscriptions, user_id, feeds, now=now, progress=progress)
    found, _ = _new_sources(feeds)
    names = [(one.name or named(one.url), (one.type, one.url) in known) for one in found]
    added, existing = ([name for name, old in names if old == is_old] for is_old in (False, True))
    return ImportTold(tuple(added), tuple(existing), told.rejected)


@dataclass(frozen=True, slots=True)
class ImportTold:
    """The names of those that are read now, of those that were read before, and what is none."""

    added: tuple[str, ...]
    existing: tuple[str, ...]
    rejected: tuple[RejectedView, ...]


def _new_sources(feeds: Iterable[ListedFeed]) -> tuple[list[NewSource], list[RejectedView]]:
    """Each source once, under its name in the list, and the entries that are no addresses."""
    found: dict[tuple[str, ...], NewSource] = {}
    rejected = []
    for feed in feeds:
        try:
            type_ = source_type(feed.url, feed.type)
            url = source_url(feed.url, type_)
        except ConfigError as error:
            rejected.append(RejectedView(feed.url, str(error)))
        else:
            new_source = NewSource(
                url, type_, name=feed.title, tags=feed.folders, prompt=feed.prompt
            )
            found.setdefault((type_, url, feed.prompt), new_source)
    return list(found.values()), rejected


def feeds_of(subscriptions: Subscriptions, user_id: int) -> tuple[SourceView, ...]:
    """The sources that can stand in a list, in the order in which they were added."""
    sources = subscriptions.list(user_id, ALL)
    return tuple(source for source in reversed(sources) if source.type not in UNLISTED)


def write_list(file: Path, document: str, *, force: bool) -> None:
    """In place of an earlier export, with `force` in place of anything."""
    try:
        if not force:
            _check_ours(file)
        files.replace(file, document.encode())
    except OSError as error:
        raise PermanentError(f"cannot write {str(file)!r}: {error.strerror}") from error


def _check_ours(file: Path) -> None:
    """Refuse to overwrite a file that is not an export of ours."""
    if not file.is_file():
        return
    with file.open("rb") as opened:
        start = opened.read(1000)
    if start and NAMESPACE.encode() not in start:
        raise ConflictError(
            f"{str(file)!r} is there already and no export of ours: choose another name,"
            " or overwrite it with --force"
        )


def outline(feeds: Iterable[SourceView]) -> str:
    """An OPML document, the feeds in folders by their first tag."""
    root = ElementTree.Element("opml", {"version": "2.0", "xmlns:md": NAMESPACE})
    ElementTree.SubElement(ElementTree.SubElement(root, "head"), "title").text = "Morning Deck"
    body = ElementTree.SubElement(root, "body")
    folders: dict[str, ElementTree.Element] = {}
    for feed in feeds:
        parent = body
        if feed.tags:
            name = xml_text(feed.tags[0])
            if name not in folders:
                folders[name] = ElementTree.SubElement(body, "outline", text=name)
            parent = folders[name]
        ElementTree.SubElement(parent, "outline", _attributes(feed))
    ElementTree.indent(root)
    document: str = ElementTree.tostring(root, encoding="unicode")
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{document}\n'


def _attributes(feed: SourceView) -> dict[str, str]:
    """Attributes that other readers understand, and our own beside them."""
    name, url = xml_text(feed.name), xml_text(feed.url)
    if feed.type == "rss":
        return {"type": "rss", "text": name, "xmlUrl": url}
    if feed.type == "reddit":
        address = f"https://www.reddit.com/r/{url.removeprefix('reddit://')}/.rss"
        return {"type": "rss", "text": name, "xmlUrl": address, OWN_TYPE: "reddit"}
    prompt = {OWN_PROMPT: xml_text(feed.prompt)} if feed.prompt else {}
    return {"type": "link", "text": name, "url": url, OWN_TYPE: feed.type, **prompt}


def xml_text(text: str) -> str:
    """Without what no document of XML can hold."""
    return _NOT_XML.sub("", text)
