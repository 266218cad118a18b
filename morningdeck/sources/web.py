"""Pages without a feed: their list of links, read again only when their text has changed.

Few servers give such pages validators worth trusting, so what was read last is kept as a
hash of the visible text, in front of the server's own etag:

    page-sha256:9f86d081... W/"server's own"

Where a reader has said what to take, or no list is found by structure, a model chooses among
the links that are there. While none can be asked the page counts as not read.
"""

from __future__ import annotations

from dataclasses import replace

from morningdeck.errors import BudgetSpentError, EndpointHeldError, UnusableAnswerError
from morningdeck.model.reading import Entry, LinkPage, Page, Reading, Source, Validators
from morningdeck.ports.verbs import Http, Parser
from morningdeck.sources import ReaderMeans
from morningdeck.sources.link_choice import LinkChoice

ACCEPT = "text/html, application/xhtml+xml, */*;q=0.1"
DIGEST_MARK = "page-sha256:"
NOTHING_FOUND = "the page has no list of links to read"
NOBODY_TO_ASK = "the model that chooses among its links cannot be asked just now"


class WebReader:
    """The entries are links that stand in the page, and nothing else."""

    def __init__(self, http: Http, parser: Parser, choice: LinkChoice | None = None) -> None:
        self._http = http
        self._parser = parser
        self._choice = choice

    def read(self, source: Source) -> Reading:
        """What the page leads to, `unchanged` when it says what it said last time."""
        digest, etag = _remembered(source.etag)
        asked_with = Validators(etag, source.last_modified)
        page = self._http.get(source.url, validators=asked_with, accept=ACCEPT)
        moved_to = page.moved_from(source.url)
        if page.unchanged:
            validators = Validators(source.etag, source.last_modified)
            return Reading(unchanged=True, validators=validators, moved_to=moved_to)
        found = self._parser.links(page.body, url=page.url, content_type=page.content_type)
        validators = _validators(found.digest, page)
        if found.digest == digest:
            return Reading(unchanged=True, validators=validators, moved_to=moved_to)
        try:
            entries = self._entries(source, found)
        except EndpointHeldError:
            kept = Validators(source.etag, source.last_modified)
            warned = (NOBODY_TO_ASK,)
            return Reading(unchanged=True, validators=kept, moved_to=moved_to, warnings=warned)
        return Reading(
            entries=entries,
            title=found.title,
            validators=validators,
            moved_to=moved_to,
            warnings=() if entries else (NOTHING_FOUND,),
        )

    def _entries(self, source: Source, found: LinkPage) -> tuple[Entry, ...]:
        """A source that is only checked costs nothing."""
        unsure = bool(source.prompt) or not found.entries
        links = (*found.entries, *found.others)
        if self._choice is None or not source.id or not unsure or not links:
            return found.entries
        try:
            return self._choice.choose(source.prompt, found.title, links)
        except (BudgetSpentError, UnusableAnswerError):
            return found.entries


def open_reader(means: ReaderMeans) -> WebReader:
    choice = None
    if means.model is not None:
        choice = LinkChoice(means.model, means.prompts["web"])
    return WebReader(means.http, means.parser, choice)


def _remembered(etag: str | None) -> tuple[str | None, str | None]:
    """The hash of the text and the server's etag, as `_validators` put them together."""
    if etag is None or not etag.startswith(DIGEST_MARK):
        return None, etag
    digest, _, own = etag.removeprefix(DIGEST_MARK).partition(" ")
    return digest, own or None


def _validators(digest: str, page: Page) -> Validators:
    given = Validators.of(page.headers)
    return replace(given, etag=f"{DIGEST_MARK}{digest} {given.etag or ''}".rstrip(" "))
