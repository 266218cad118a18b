"""Feeds over HTTP: asked with validators, parsed elsewhere, searched for behind pages."""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from datetime import timedelta
from email.utils import parsedate_to_datetime

from morningdeck.errors import PermanentError
from morningdeck.model import Page, ParsedFeed, Reading, Source, Validators
from morningdeck.ports import Http, Parser

ACCEPT = (
    "application/atom+xml, application/rss+xml, application/feed+json;q=0.9, "
    "application/xml;q=0.8, text/xml;q=0.8, text/html;q=0.5, */*;q=0.1"
)
LONGEST_WAIT = timedelta(hours=24)
LINKS_TRIED = 5
PATIENCE_SECONDS = 20.0
"""How long links are tried one after the other: a visit of a host has its time."""

_MAX_AGE = re.compile(r"(?:^|[\s,])max-age\s*=\s*\"?(\d{1,9})", re.I)


class RssReader:
    """Reads RSS, Atom and JSON feeds; a page given instead leads to the feed it names."""

    def __init__(
        self, http: Http, parser: Parser, *, pause: Callable[[str], None] = lambda url: None
    ) -> None:
        """`pause` waits until the host of an address that was just asked may be asked again."""
        self._http = http
        self._parser = parser
        self._pause = pause

    def read(self, source: Source) -> Reading:
        """What the feed holds now, `unchanged` when its server says that nothing is new."""
        asked_with = Validators(source.etag, source.last_modified)
        page = self._http.get(source.url, validators=asked_with, accept=ACCEPT)
        if page.unchanged:
            return Reading(
                unchanged=True,
                validators=asked_with,
                fresh_for=_fresh_for(page.headers),
                moved_to=_moved_to(page, source),
            )
        feed = self._parse(page)
        if feed.feed_links:
            return self._read_behind(feed.feed_links, page, source)
        return _reading(page, feed, moved_to=_moved_to(page, source))

    def _read_behind(self, links: Sequence[str], page: Page, source: Source) -> Reading:
        """The first of the named feeds that is one; a server in trouble is asked again later."""
        said: list[str] = []
        patience = time.monotonic() + PATIENCE_SECONDS
        for link in links[:LINKS_TRIED]:
            if said and time.monotonic() > patience:
                break
            self._pause(link)
            try:
                found = self._http.get(link, accept=ACCEPT)
                feed = self._parse(found)
            except PermanentError as error:
                said.append(str(error))
                continue
            if feed.feed_links:
                said.append(f"{link} is a page too")
                continue
            reading = _reading(found, feed, moved_to=_moved_to(page, source))
            return replace(reading, feed_url=found.permanent_url or link)
        # without a status: what is gone is the link, not the source
        raise PermanentError(f"a page, and nothing that it names as its feed is one: {said[0]}")

    def _parse(self, page: Page) -> ParsedFeed:
        content_type = page.headers.get("content-type")
        return self._parser.feed(page.body, url=page.url, content_type=content_type)


def _reading(page: Page, feed: ParsedFeed, *, moved_to: str | None) -> Reading:
    waits = [wait for wait in (feed.ttl, _fresh_for(page.headers)) if wait is not None]
    return Reading(
        entries=feed.entries,
        title=feed.title,
        validators=Validators(page.headers.get("etag"), page.headers.get("last-modified")),
        fresh_for=min(max(waits), LONGEST_WAIT) if waits else None,
        moved_to=moved_to,
        warnings=feed.warnings,
    )


def _moved_to(page: Page, source: Source) -> str | None:
    return page.permanent_url if page.permanent_url != source.url else None


def _fresh_for(headers: Mapping[str, str]) -> timedelta | None:
    """The longer of what Cache-Control and Expires ask for, at most a day."""
    waits = [_until_expires(headers)]
    if match := _MAX_AGE.search(headers.get("cache-control", "")):
        waits.append(timedelta(seconds=int(match[1])))
    known = [wait for wait in waits if wait is not None and wait > timedelta()]
    return min(max(known), LONGEST_WAIT) if known else None


def _until_expires(headers: Mapping[str, str]) -> timedelta | None:
    """By the server's own clock, so that a wrong one does no harm."""
    try:
        expires = parsedate_to_datetime(headers["expires"])
        return expires - parsedate_to_datetime(headers["date"])
    except (KeyError, ValueError, TypeError):
        return None
