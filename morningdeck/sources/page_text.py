"""The full text behind an item's link: its page, and the words of its video if it has one.

A server that gives no answer three times is left alone for a minute: the items of one feed
mostly lead to one server, and each would wait for it in vain.
"""

from __future__ import annotations

import time
from dataclasses import dataclass, replace
from threading import Lock

from morningdeck.errors import DatabaseAwayError, HostBusyError, MorningDeckError, TransientError
from morningdeck.hosts import host_of
from morningdeck.model.reading import THIN_CHARACTERS, ParsedPage
from morningdeck.ports.verbs import Http, Parser

ACCEPT = "text/html, application/xhtml+xml, */*;q=0.1"
SILENT_SECONDS = 60
PATIENCE = 3
MOST_SILENT = 1000
"""Hosts: beyond that the first to fall silent is asked again."""


@dataclass(frozen=True, slots=True)
class Silence:
    """A server's failures, each within a minute of the one before."""

    failures: int
    last_at: float
    reason: str


class PageReader:
    """The port `FullText`, for any number of threads."""

    def __init__(
        self, http: Http, parser: Parser, *, silent_seconds: float = SILENT_SECONDS
    ) -> None:
        self._http = http
        self._parser = parser
        self._silent_seconds = silent_seconds
        self._lock = Lock()
        self._silent: dict[str, Silence] = {}

    def read(self, url: str) -> ParsedPage:
        host = host_of(url)
        self._check(host)
        try:
            page = self._http.get(url, accept=ACCEPT)
        except (HostBusyError, DatabaseAwayError):
            raise
        except TransientError as error:
            self._remember(host, str(error))
            raise
        found = self._parser.page(page.body, url=page.url, content_type=page.content_type)
        if found.captions_url is None or len(found.text) >= THIN_CHARACTERS:
            return found
        return replace(found, text=f"{found.text}\n\n{self._spoken(found.captions_url)}".strip())

    def _spoken(self, url: str) -> str:
        """Nothing if it cannot be read: the page itself has been."""
        try:
            page = self._http.get(url)
            return self._parser.captions(page.body, url=page.url, content_type=page.content_type)
        except DatabaseAwayError:
            raise
        except MorningDeckError:
            return ""

    def _check(self, host: str) -> None:
        since = time.monotonic() - self._silent_seconds
        with self._lock:
            self._silent = {name: one for name, one in self._silent.items() if one.last_at > since}
            silence = self._silent.get(host)
        if silence is not None and silence.failures >= PATIENCE:
            raise TransientError(silence.reason, after=silence.last_at - since)

    def _remember(self, host: str, reason: str) -> None:
        with self._lock:
            known = self._silent.get(host)
            failures = 1 if known is None else known.failures + 1
            if known is None and len(self._silent) >= MOST_SILENT:
                del self._silent[next(iter(self._silent))]
            self._silent[host] = Silence(failures, time.monotonic(), reason)
