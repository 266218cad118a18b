"""Feeds over HTTP: asked with validators, parsed elsewhere, searched for behind pages."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from datetime import timedelta
from email.utils import parsedate_to_datetime

from morningdeck.errors import PermanentError
from morningdeck.model.reading import Page, ParsedFeed, Reading, Source, Validators
from morningdeck.ports.verbs import Http, Parser
from morningdeck.sources import ReaderMeans

ACCEPT = (
    "application/atom+xml, application/rss+xml, application/feed+json;q=0.9, "
    "application/xml;q=0.8, text/xml;q=0.8, text/html;q=0.5, */*;q=0.1"
)
LONGEST_WAIT = timedelta(hours=24)

_MAX_AGE = re.compile(r"(?:^|[\s,])max-age\s*=\s*\"?(\d{1,9})", re.I)


class RssReader:
    """Reads RSS, Atom and JSON feeds; a page given instead leads to the feed it names."""

    def __init__(self, http: Http, parser: Parser) -> None:
        self._http = http
        self._parser = parser

    def read(self, source: Source) -> Reading:
        """What the feed holds now, `unchanged` when its server says that nothing is new."""
        if source.to_ask:
            return self._read_named(*source.to_ask)
        asked_with = Validators(source.etag, source.last_modified)
        page = self._http.get(source.url, validators=asked_with, accept=ACCEPT)
        if page.unchanged:
            return Reading(
                unchanged=True,
                validators=asked_with,
                fresh_for=_fresh_for(page.headers),
                moved_to=page.moved_from(source.url),
            )
        feed = self._parse(page)
        if feed.feed_links:
            return Reading(to_ask=feed.feed_links)
        return _reading(page, feed, moved_to=page.moved_from(source.url))

    def _read_named(self, link: str, *others: str) -> Reading:
        """What a page has named as its feed; a server in trouble is asked again later."""
        try:
            page = self._http.get(link, accept=ACCEPT)
            feed = self._parse(page)
            if feed.feed_links:
                raise PermanentError(f"{link} is a page too")
        except PermanentError as error:
            if others:
                return Reading(to_ask=others)
            # without a status: what is gone is the link, not the source
            raise PermanentError(
                f"a page, and nothing that it names as its feed is one: {error}"
            ) from error
        return replace(_reading(page, feed), feed_url=page.permanent_url or link)

    def _parse(self, page: Page) -> ParsedFeed:
        return self._parser.feed(page.body, url=page.url, content_type=page.content_type)


def open_reader(means: ReaderMeans) -> RssReader:
    return RssReader(means.http, means.parser)


def _reading(page: Page, feed: ParsedFeed, *, moved_to: str | None = None) -> Reading:
    waits = [wait for wait in (feed.ttl, _fresh_for(page.headers)) if wait is not None]
    return Reading(
        entries=feed.entries,
        title=feed.title,
        # of what came broken the rest may come yet, and is not to be a 304 then
        validators=Validators.of(page.headers) if feed.whole else Validators(),
        fresh_for=min(max(waits), LONGEST_WAIT) if waits else None,
        moved_to=moved_to,
        warnings=feed.warnings,
    )


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
