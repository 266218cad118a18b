"""`opml`: lists of feeds, in and out."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Annotated
from xml.etree import ElementTree

import typer

from morningdeck.addresses import source_type, source_url
from morningdeck.cli import words
from morningdeck.cli.desk import desk, group
from morningdeck.errors import ConfigError, ConflictError, PermanentError
from morningdeck.files import replace
from morningdeck.model import ListedFeed, NewSource
from morningdeck.parsing.opml import OWN_PROMPT, OWN_TYPE
from morningdeck.views import ImportView, RejectedView, SourceView

app = group("Lists of feeds, in and out.")

ALL = 1_000_000
LISTED = ("rss", "web", "reddit")
NAMESPACE = "https://github.com/morningdeck/morningdeck"
_NOT_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


@app.command("import")
def import_(
    context: typer.Context,
    file: Annotated[
        Path,
        typer.Argument(metavar="FILE", allow_dash=True, help="The list; - is the standard input."),
    ],
    briefing: Annotated[
        int | None,
        typer.Option(
            parser=words.identity, metavar="ID", help="A briefing that takes their items."
        ),
    ] = None,
) -> None:
    """Read all the feeds of an OPML file from now on."""
    try:
        body = sys.stdin.buffer.read() if str(file) == "-" else file.read_bytes()
    except OSError as error:
        raise PermanentError(f"cannot read {str(file)!r}: {error.strerror}") from error
    with desk(context) as at, at.out.busy(f"reading {file}") as say:
        found, rejected = _new_sources(at.app.parse_opml(body))
        added = at.store.subscriptions.subscribe_all(
            at.user.id,
            found,
            now=at.now,
            due_at=at.now,
            briefing_ids=() if briefing is None else (briefing,),
            progress=lambda count: say(f"{count} of {len(found)} feeds"),
        )
        at.out.show(ImportView(added, len(found) - added, tuple(rejected)))


def _new_sources(feeds: Iterable[ListedFeed]) -> tuple[list[NewSource], list[RejectedView]]:
    """Each source once, under its name in the list; what is no address is said to be none."""
    found: dict[tuple[str, ...], NewSource] = {}
    rejected = []
    for feed in feeds:
        type_ = source_type(feed.url, feed.type)
        try:
            url = source_url(feed.url, type_)
        except ConfigError as error:
            rejected.append(RejectedView(feed.url, str(error)))
        else:
            new_source = NewSource(
                url, type_, name=feed.title, tags=feed.folders, prompt=feed.prompt
            )
            found.setdefault((type_, url, feed.prompt), new_source)
    return list(found.values()), rejected


@app.command()
def export(
    context: typer.Context,
    file: Annotated[
        Path | None,
        typer.Argument(metavar="FILE", help="Where to; an earlier export is replaced."),
    ] = None,
    force: Annotated[bool, typer.Option("--force", help="Overwrite FILE whatever it is.")] = False,
) -> None:
    """Write your feeds, pages and subreddits as OPML, to the terminal without FILE.

    Pages have marks that only Morning Deck knows; for other readers they are links.
    """
    with desk(context) as at:
        sources = at.store.subscriptions.list(at.user.id, ALL)
        feeds = [source for source in sources if source.type in LISTED]
        document = outline(feeds[::-1])
        if file is None:
            at.out.text("opml", document)
            return
        try:
            if not force:
                _check_ours(file)
            replace(file, document.encode())
        except OSError as error:
            raise PermanentError(f"cannot write {str(file)!r}: {error.strerror}") from error
        at.out.show({"feeds": len(feeds), "file": str(file.absolute())})


def _check_ours(file: Path) -> None:
    """Nobody loses a list, or whatever it is, that stands nowhere else."""
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
            name = _xml(feed.tags[0])
            if name not in folders:
                folders[name] = ElementTree.SubElement(body, "outline", text=name)
            parent = folders[name]
        ElementTree.SubElement(parent, "outline", _attributes(feed))
    ElementTree.indent(root)
    document: str = ElementTree.tostring(root, encoding="unicode")
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{document}\n'


def _attributes(feed: SourceView) -> dict[str, str]:
    """What other readers understand of it, and beside it what it is for ours."""
    name, url = _xml(feed.name), _xml(feed.url)
    if feed.type == "web":
        own = {OWN_TYPE: "web", OWN_PROMPT: _xml(feed.prompt)} if feed.prompt else {OWN_TYPE: "web"}
        return {"type": "link", "text": name, "url": url, **own}
    if feed.type == "reddit":
        address = f"https://www.reddit.com/r/{url.removeprefix('reddit://')}/.rss"
        return {"type": "rss", "text": name, "xmlUrl": address, OWN_TYPE: "reddit"}
    return {"type": "rss", "text": name, "xmlUrl": url}


def _xml(text: str) -> str:
    return _NOT_XML.sub("", text)
