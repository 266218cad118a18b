"""Sources: looked at and added."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from dataclasses import replace
from datetime import datetime
from typing import TYPE_CHECKING

from morningdeck.errors import MorningDeckError, NotFoundError, PermanentError
from morningdeck.model.kinds import SourceType
from morningdeck.views.reading import SourceCheckView, SourceView

if TYPE_CHECKING:
    from morningdeck.model.reading import Reading, Source
    from morningdeck.model.wanting import NewSource
    from morningdeck.ports.verbs import SourceReader
    from morningdeck.store.views.subscriptions import Subscriptions

    Readers = Mapping[str, SourceReader]

NO_FEED = "not a feed"
"""The words of a parser, which come from a process of its own."""
NEWEST = 5


def look(url: str, source_type: str, *, readers: Readers) -> Reading:
    """Read the source as a fetch would, and keep nothing; in a page without feed, count links."""
    try:
        return _read(url, source_type, readers)
    except PermanentError as error:
        no_feed = source_type == SourceType.RSS and NO_FEED in str(error)
        links = _count_links(url, readers) if no_feed else 0
        if not links:
            raise
        advice = f"but the page has {links} links that can be read with --type web"
        raise PermanentError(f"{error}; {advice}", status=error.status) from error


def _count_links(url: str, readers: Readers) -> int:
    try:
        return len(_read(url, SourceType.WEB, readers).entries)
    except MorningDeckError:
        return 0


def _read(url: str, source_type: str, readers: Readers) -> Reading:
    from morningdeck.model.reading import Source  # whoever only lists sources has no need of it

    reader = readers.get(source_type)
    if reader is None:
        raise NotFoundError(f"sources of type {source_type.lower()} cannot be read yet")
    return read_whole(reader, Source(id=0, type=source_type, url=url))


def read_whole(reader: SourceReader, source: Source) -> Reading:
    """Make all visits that a reading needs one after the other, for a person who waits."""
    reading = reader.read(source)
    while reading.to_ask:
        more = reader.read(replace(source, to_ask=reading.to_ask))
        entries = {entry.guid: entry for entry in (*reading.entries, *more.entries)}
        reading = replace(more, entries=tuple(entries.values()))
    return reading


def check(url: str, source_type: str, *, readers: Readers) -> SourceCheckView:
    """What a source of this address would bring."""
    found = look(url, source_type, readers=readers)
    return SourceCheckView(
        type=source_type.lower(),
        url=url,
        title=found.title,
        feed_url=found.feed_url,
        entries=len(found.entries),
        newest=tuple(entry.title for entry in found.entries[:NEWEST]),
        warnings=found.warnings,
    )


def add(
    subscriptions: Subscriptions,
    user_id: int,
    new: NewSource,
    found: Reading | None,
    *,
    now: datetime,
    briefing_ids: Collection[int] = (),
) -> SourceView:
    """Subscribe to the source; `found`, an earlier look, knows its title and real address."""
    if found is not None:
        new = replace(new, url=found.feed_url or new.url, title=found.title)
    return subscriptions.subscribe(user_id, new, now=now, briefing_ids=tuple(briefing_ids))


# ---- what to do about one that cannot be read

_BY_WORDS = (
    (
        r"answered 40[14]|no such host",
        "Open the site, look for the feed's new address, and add that instead",
    ),
    (
        r"answered 403",
        "The site lets no program in, or not ours: look for another feed of it, or ask its owner",
    ),
    (
        r"answered 4(?:25|29)",
        "The site wants to be asked less often: choose a longer interval",
    ),
    (
        r"not a feed|nothing that it names",
        "The address answers with something else: open it, and add the feed of the site anew",
    ),
    (r"certificate", "The site's certificate has run out or is wrong: only its owner can mend it"),
    (r"not a public address", "Addresses of your own network have to be allowed in the settings"),
)


def advice(source: SourceView) -> str | None:
    """What its reader can do; None for one that is well or paused."""
    if source.paused:
        return None
    match source.health:
        case "inactive":
            return "It was switched off: read it again, if you want it back"
        case "gone":
            return "Its site says that it is gone for good: add its new address, or remove it"
    if source.last_error is None:
        return None
    for pattern, told in _BY_WORDS:
        if re.search(pattern, source.last_error):
            return told
    return "Nothing for now, it is tried again by itself; if it lasts, ask its site"
