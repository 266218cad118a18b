"""The adapters of one process.

Whatever costs time or memory (weights, child processes, threads, what they import) is made at
first use, so a command that only lists things starts at once.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import timedelta
from functools import cached_property, partial
from typing import TYPE_CHECKING

from morningdeck.enrichers import EnricherMeans, open_enricher
from morningdeck.hosts import REDDIT
from morningdeck.searching import Searching
from morningdeck.sources import SOURCE_TYPES, ReaderMeans, open_reader

if TYPE_CHECKING:
    from morningdeck.asking import Asking
    from morningdeck.bounces import BounceBox
    from morningdeck.brief import Quiet, Words
    from morningdeck.endpoint.openai_model import OpenAIModel
    from morningdeck.enrichers.relevance import Relevance
    from morningdeck.net import GuardedClient, GuardedPoster, PoliteClient
    from morningdeck.noting.parts import NoteTakers
    from morningdeck.outlets import Outlets
    from morningdeck.parsing.pool import ParserPool
    from morningdeck.ports.engine import Clock
    from morningdeck.ports.verbs import (
        Enricher,
        FullText,
        Pace,
        SearchIndex,
        SourceReader,
    )
    from morningdeck.settings.sections import ImapSettings, Settings
    from morningdeck.sources.mailbox import Account
    from morningdeck.store.rows.pace import HostPace
    from morningdeck.store.store import Store
    from morningdeck.stories.boilerplate import SharedLines
    from morningdeck.ways_out import WaysOut

DAY = timedelta(days=1)
REDDIT_APART = timedelta(seconds=61)
DEADLINES_PER_VISIT = 2
"""No visit of a host lasts longer than one deadline: after two, whoever began it is gone."""
PING_SECONDS = 10.0
LONGEST_PAUSE, PAUSES_PER_DEADLINE = timedelta(seconds=5), 4
"""A person's pause before a busy host leaves enough of the deadline to ask it."""
BRIEFING_SECONDS = 20.0
"""How long a briefing waits for a model: once for its head, and for what it has to translate."""
CLOSED = ("http", "client", "parser", "note_takers", "asking", "ways_out", "searching", "outlets")
LETTER_SECONDS = 30.0
"""How long the reading of a mailbox waits for a model, once for each letter."""


class Adapters:
    """One for each port, as the settings say; `client` stands in for the way out to the net.

    Without `full_text` the pages behind items are left alone.
    """

    def __init__(
        self,
        settings: Settings,
        store: Store,
        clock: Clock,
        *,
        client: GuardedClient | None = None,
        full_text: bool = True,
    ) -> None:
        self._settings = settings
        self._store = store
        self._clock = clock
        self._reads_pages = full_text
        if client is not None:
            self.client = client

    @cached_property
    def client(self) -> GuardedClient:
        from morningdeck.net import GuardedClient

        http = self._settings.http
        return GuardedClient(
            user_agent=http.user_agent,
            max_body_bytes=http.max_body_bytes,
            allow_networks=http.allow_networks,
        )

    @cached_property
    def http(self) -> PoliteClient:
        return self._polite(self.pace)

    def _polite(
        self,
        pace: Pace,
        retry_delays: tuple[float, ...] | None = None,
        patience: timedelta | None = None,
    ) -> PoliteClient:
        from morningdeck.net import QUICK_RETRIES, PoliteClient

        return PoliteClient(
            self.client,
            pace,
            self._clock,
            timeout_seconds=self._settings.http.timeout_seconds,
            max_redirects=self._settings.http.max_redirects,
            retry_delays=QUICK_RETRIES if retry_delays is None else retry_delays,
            patience=patience,
        )

    @cached_property
    def full_text(self) -> FullText | None:
        """Reads an item's page, without retries: a dead link delays nobody."""
        if not self._reads_pages:
            return None
        from morningdeck.sources.page_text import PageReader

        return PageReader(self.http_once, self.parser)

    @cached_property
    def http_once(self) -> PoliteClient:
        from morningdeck.process import PAGE_PATIENCE

        return self._polite(self.pace, retry_delays=(), patience=PAGE_PATIENCE)

    @cached_property
    def parser(self) -> ParserPool:
        from morningdeck.parsing.pool import ParserPool

        return ParserPool()

    @cached_property
    def readers(self) -> Mapping[str, SourceReader]:
        return self._readers(self.http)

    @cached_property
    def waiting_readers(self) -> Mapping[str, SourceReader]:
        """Readers that wait a moment for a busy host, for a person who waits for the answer."""
        from morningdeck.net import PatientPace

        deadline = timedelta(seconds=self._settings.http.timeout_seconds)
        longest = min(LONGEST_PAUSE, deadline / PAUSES_PER_DEADLINE)
        pace = PatientPace(self.pace, self._clock, longest=longest)
        return self._readers(self._polite(pace))

    def _readers(self, http: PoliteClient) -> Mapping[str, SourceReader]:
        means = ReaderMeans(
            http=http,
            parser=self.parser,
            raw_mail=self._store.raw_mail,
            clock=self._clock,
            reddit_keys=self._reddit_keys,
            mailbox=self._mailbox,
            model=self.model,
            hasty_model=self.asking.in_time(LETTER_SECONDS),
            prompts=self.asking.prompts,
        )
        return {one: open_reader(one, means) for one in SOURCE_TYPES}

    @property
    def _reddit_keys(self) -> tuple[str, str] | None:
        keys = self._settings.reddit
        if keys.client_id is None or keys.client_secret is None:
            return None
        return keys.client_id, keys.client_secret.get_secret_value()

    @property
    def _mailbox(self) -> Account | None:
        return _account(self._settings.imap, "imap")

    @cached_property
    def bounce_box(self) -> BounceBox | None:
        """None where no mailbox is set for them."""
        account = _account(self._settings.bounces, "bounces")
        if account is None:
            return None
        from morningdeck.bounces import BounceBox
        from morningdeck.sources.mailbox import messages_after

        rows, clock = self._store.bounces, self._clock
        name = f"{account.username}@{account.host}:{account.port}/{account.folder}"
        read, understand = partial(messages_after, account), self.parser.bounce
        return BounceBox(name, read, understand, rows.cursor, rows.save, rows.unread, clock)

    @cached_property
    def pace(self) -> HostPace:
        from morningdeck.store.rows.pace import HostPace

        rate = self._settings.http.requests_per_host_second
        apart = min(1 / rate, DAY.total_seconds()) if rate else 0
        visit = DEADLINES_PER_VISIT * self._settings.http.timeout_seconds
        return HostPace(
            self._store.database,
            self._clock,
            timedelta(seconds=apart),
            slower={} if self._reddit_keys else {REDDIT: REDDIT_APART},
            longest_visit=timedelta(seconds=visit),
        )

    @cached_property
    def note_takers(self) -> NoteTakers:
        from morningdeck.noting.parts import NoteTakers

        return NoteTakers(tells=self.model is None)

    @cached_property
    def boilerplate(self) -> SharedLines:
        from morningdeck.stories.boilerplate import SharedLines

        return SharedLines()

    @cached_property
    def enricher(self) -> Enricher:
        return open_enricher(self._settings.enricher.kind, self._enricher_means)

    @cached_property
    def stand_in(self) -> Enricher:
        """For when no model can be asked."""
        if self.model is None:
            return self.enricher
        from morningdeck.enrichers.openai import open_stand_in

        return open_stand_in(self._enricher_means)

    @property
    def _enricher_means(self) -> EnricherMeans:
        prefilter = self._settings.enricher.prefilter_below
        return EnricherMeans(
            self.note_takers.embedder,
            self.model,
            self.asking.prompts,
            self.asking.tallies,
            prefilter,
            self.relevance,
        )

    @cached_property
    def words(self) -> Words:
        """Of a briefing: its subject, its overview, and what its places say, in one language."""
        from morningdeck.wording import worded

        if self.model is None:
            return worded
        from morningdeck.enrichers.overview import ModelOverview

        asking = self.asking
        hasty = asking.in_time(BRIEFING_SECONDS) or self.model
        overview = ModelOverview(hasty, asking.prompts, asking.tallies, worded)
        return lambda report: overview(self.translated(report))

    @cached_property
    def translated(self) -> Words:
        """What a report's places say, in its language; as it is without a model."""
        hasty = self.asking.in_time(BRIEFING_SECONDS)
        if hasty is None:
            return lambda report: report
        from morningdeck.enrichers.translation import Translation

        prompt, asking = self.asking.prompts["translate"], self.asking
        return Translation(hasty, prompt, asking.tallies, asking.answers)

    @cached_property
    def asking(self) -> Asking:
        from morningdeck.asking import Asking

        return Asking(self._settings, self._store, self._clock)

    @property
    def model(self) -> OpenAIModel | None:
        return self.asking.model

    @cached_property
    def relevance(self) -> Relevance:
        from morningdeck.enrichers.relevance import Relevance

        return Relevance(self.note_takers.embedder)

    @cached_property
    def quiet(self) -> Quiet:
        """Whether mails carry no notices at that time."""
        hours = self._settings.delivery.quiet_hours
        if hours is None:
            return lambda at, timezone: False
        from morningdeck.quiet_hours import QuietHours

        return QuietHours.parse(hours).cover

    @cached_property
    def outlets(self) -> Outlets:
        from morningdeck.outlets import Outlets

        return Outlets(self._settings, self._store, self._clock)

    def _poster(self) -> GuardedPoster:
        from morningdeck.net import GuardedPoster

        return GuardedPoster(self.client, timeout_seconds=self._settings.http.timeout_seconds)

    def short_poster(self) -> GuardedPoster:
        """For what nobody should wait for long."""
        from morningdeck.net import GuardedPoster

        return GuardedPoster(self.client, timeout_seconds=PING_SECONDS)

    @cached_property
    def ways_out(self) -> WaysOut:
        from morningdeck.ways_out import WaysOut

        return WaysOut(self._settings, self._store, self._clock, self._poster)

    @property
    def search_index(self) -> SearchIndex:
        return self.searching.index

    @cached_property
    def searching(self) -> Searching:
        return Searching(self._settings, self._store, self._clock)

    def end_idle(self, seconds: float) -> None:
        """Let go of what was not used for so long: parser processes (20 MB each), word
        vectors, sessions with mail servers.
        """
        for name in ("parser", "note_takers", "ways_out"):
            if name in self.__dict__:  # a cached property that was used
                getattr(self, name).end_idle(seconds)

    def close(self) -> None:
        """Nothing that runs is waited for."""
        for name in CLOSED:
            if self.__dict__.get(name) is not None:  # a cached property that was used
                getattr(self, name).close()


def _account(imap: ImapSettings, section: str) -> Account | None:
    if imap.host is None or imap.username is None or imap.password is None:
        return None
    from morningdeck.sources.mailbox import Account

    password = imap.password.get_secret_value()
    return Account(imap.host, imap.port, imap.username, password, imap.folder, section)
