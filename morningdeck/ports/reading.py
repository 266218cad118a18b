"""What reading sources needs: hosts under their pace, the way out, parsers, readers."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import timedelta
from typing import Protocol

from morningdeck.model import (
    Entry,
    LinkPage,
    ListedFeed,
    Page,
    ParsedFeed,
    ParsedMail,
    ParsedPage,
    Reading,
    Source,
    Validators,
    Visit,
)

NO_VALIDATORS = Validators()


class Pace(Protocol):
    """How often, and by how many at once, a host may be asked; hosts are those of `host_of`."""

    def apart(self, host: str) -> timedelta:
        """How long after one request the next may come."""

    def enter(self, host: str, who: str, patience: timedelta | None = None) -> Visit:
        """The host is theirs until they `leave` it, or HostBusyError says when to come back.

        `who` keeps its position among those who wait, unless its patience would not last so long.
        """

    def leave(self, visit: Visit, requests: int = 1) -> None:
        """The next visit may come as long after this one as so many requests demand."""


class Http(Protocol):
    """The way out, guarded and polite: a deadline, a body cap, checked addresses, paced hosts."""

    def get(
        self,
        url: str,
        *,
        validators: Validators = NO_VALIDATORS,
        accept: str | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> Page:
        """304 is an answer; raises TransientError, PermanentError, or HostBusyError until when."""


class HttpWithForms(Http, Protocol):
    def post_form(
        self, url: str, form: Mapping[str, str], *, headers: Mapping[str, str] | None = None
    ) -> Page:
        """Send a form, once: it is neither repeated nor sent on to where a redirect leads."""


class Parser(Protocol):
    """Foreign bytes to values, in a child process with limits on time and memory."""

    def feed(self, body: bytes, *, url: str, content_type: str | None) -> ParsedFeed: ...

    def page(self, body: bytes, *, url: str, content_type: str | None) -> ParsedPage:
        """The article that a web page holds."""

    def links(self, body: bytes, *, url: str, content_type: str | None) -> LinkPage:
        """The list of articles that a web page holds."""

    def posts(self, body: bytes, *, url: str, content_type: str | None) -> tuple[Entry, ...]:
        """What a listing or feed of Reddit holds."""

    def captions(self, body: bytes, *, url: str, content_type: str | None) -> str:
        """The words of a video."""

    def opml(self, body: bytes) -> tuple[ListedFeed, ...]:
        """Each feed in the list, in its order."""

    def mail(self, body: bytes) -> ParsedMail:
        """The news in a received message."""


class RawMail(Protocol):
    """Received messages as they came, from their arrival until their items are stored."""

    def keep(self, source_id: int, uid_key: str, content: bytes) -> None:
        """Safe when this returns; a message that is kept under that key already stays as it is."""

    def unprocessed(self, source_id: int) -> tuple[int, ...]:
        """The ids of those kept, the oldest first."""

    def load(self, mail_id: int) -> bytes: ...


class SourceReader(Protocol):
    def read(self, source: Source) -> Reading: ...


class FullText(Protocol):
    def read(self, url: str) -> ParsedPage:
        """The article behind a link; HostBusyError when its server is to be asked later."""
