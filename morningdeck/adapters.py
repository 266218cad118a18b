"""The adapters of one process.

Whatever costs time or memory (weights, child processes, threads, what they import) is made at
first use, so a command that only lists things starts at once.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from datetime import timedelta
from decimal import Decimal
from functools import cached_property
from typing import TYPE_CHECKING

from morningdeck import delivery
from morningdeck.enrichers import EnricherMeans, open_enricher
from morningdeck.errors import ConfigError
from morningdeck.hosts import REDDIT
from morningdeck.search import SearchMeans, open_index
from morningdeck.sources import SOURCE_TYPES, ReaderMeans, open_reader

if TYPE_CHECKING:
    from morningdeck.brief import Words
    from morningdeck.endpoint.openai_model import OpenAIModel
    from morningdeck.enrichers.embedding import WordEmbedder
    from morningdeck.enrichers.relevance import Relevance
    from morningdeck.net import GuardedClient, PoliteClient
    from morningdeck.outgoing_mail import MailWriter
    from morningdeck.parsing.pool import ParserPool
    from morningdeck.ports.asking import AnswerCache, Breaker, Ledger
    from morningdeck.ports.engine import Clock
    from morningdeck.ports.verbs import (
        Channel,
        Enricher,
        FullText,
        Pace,
        SearchIndex,
        SourceReader,
    )
    from morningdeck.prompts import PromptText
    from morningdeck.settings.sections import Settings
    from morningdeck.sources.mailbox import Account
    from morningdeck.store.rows.pace import HostPace
    from morningdeck.store.rows.tallies import SqlTallies
    from morningdeck.store.store import Store
    from morningdeck.stories.boilerplate import SharedLines

DAY = timedelta(days=1)
REDDIT_APART = timedelta(seconds=61)
DEADLINES_PER_VISIT = 2
"""No visit of a host lasts longer than one deadline: after two, whoever began it is gone."""
TIMEOUTS_PER_PROBE = 2
"""A probe that takes longer is not coming back."""
LONGEST_PAUSE = timedelta(seconds=5)
PAUSES_PER_DEADLINE = 4
"""A person's pause before a busy host leaves enough of the deadline to ask it."""
SENDER = "Morning Deck <morningdeck@localhost>"


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
        from morningdeck.process import PAGE_PATIENCE
        from morningdeck.sources.page_text import PageReader

        http = self._polite(self.pace, retry_delays=(), patience=PAGE_PATIENCE)
        return PageReader(http, self.parser)

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
            prompts=self.prompts,
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
        imap = self._settings.imap
        if imap.host is None or imap.username is None or imap.password is None:
            return None
        from morningdeck.sources.mailbox import Account

        password = imap.password.get_secret_value()
        return Account(imap.host, imap.port, imap.username, password, imap.folder)

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
    def embedder(self) -> WordEmbedder:
        from morningdeck.enrichers.embedding import WordEmbedder

        return WordEmbedder()

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
            self.embedder, self.model, self.prompts, self.tallies, prefilter, self.relevance
        )

    @cached_property
    def words(self) -> Words:
        """Of a briefing: its subject and its overview."""
        from morningdeck.wording import worded

        if self.model is None:
            return worded
        from morningdeck.enrichers.overview import ModelOverview

        return ModelOverview(self.model, self.prompts, self.tallies, worded)

    @cached_property
    def model(self) -> OpenAIModel | None:
        """None where the settings want none."""
        settings = self._settings.enricher
        if not settings.asks_a_model:
            return None
        from morningdeck.endpoint.openai_model import Endpoint, OpenAIModel

        key = settings.api_key
        endpoint = Endpoint(
            settings.base_url,
            None if key is None else key.get_secret_value(),
            settings.model,
            settings.heavy_model,
            settings.timeout_seconds,
            settings.max_concurrency,
            settings.context_tokens,
        )
        return OpenAIModel(
            endpoint,
            ledger=self.ledger,
            breaker=self.breaker,
            answers=self.answers,
            clock=self._clock,
        )

    @cached_property
    def prompts(self) -> Mapping[str, PromptText]:
        from morningdeck.prompts import read_prompts

        return read_prompts(self._settings.enricher.prompts)

    @cached_property
    def tallies(self) -> SqlTallies:
        from morningdeck.store.rows.tallies import SqlTallies

        return SqlTallies(self._store.database, self._clock)

    @cached_property
    def ledger(self) -> Ledger:
        from morningdeck.prices import PriceList
        from morningdeck.store.rows.ledger import SqlLedger

        enricher, database = self._settings.enricher, self._store.database
        prices = PriceList(enricher.model, enricher.price_in, enricher.price_out)
        budget = enricher.daily_budget_usd
        daily = None if budget is None else Decimal(str(budget))
        return SqlLedger(database, self._clock, prices.find, daily)

    @cached_property
    def breaker(self) -> Breaker:
        from morningdeck.model.asking import answer_key
        from morningdeck.store.rows.breaker import SqlBreaker

        enricher = self._settings.enricher
        key = "" if enricher.api_key is None else enricher.api_key.get_secret_value()
        reached_by = (key, enricher.base_url, enricher.model, enricher.heavy_model)
        lease = timedelta(seconds=TIMEOUTS_PER_PROBE * enricher.timeout_seconds)
        return SqlBreaker(
            self._store.database, self._clock, settings=answer_key(*reached_by), lease=lease
        )

    @cached_property
    def answers(self) -> AnswerCache:
        from morningdeck.store.rows.answer_cache import SqlAnswerCache

        return SqlAnswerCache(self._store.database, self._clock)

    @cached_property
    def relevance(self) -> Relevance:
        from morningdeck.enrichers.relevance import Relevance

        return Relevance(self.embedder)

    @cached_property
    def mail_writer(self) -> MailWriter:
        from morningdeck.outgoing_mail import MailWriter

        sender = self._settings.smtp.from_address or SENDER
        return MailWriter(sender, delivery.addressed, self._settings.web.base_url)

    @cached_property
    def channels(self) -> Mapping[str, Channel]:
        found = {}
        for name in delivery.CHANNELS:
            with suppress(ConfigError):  # it is not set up
                found[name] = self.channel(name)
        return found

    def check_channels(self, names: Sequence[str], recipients: Sequence[str]) -> None:
        """Refuse what could deliver to nobody."""
        for name in names:
            self.channel(name)
            if delivery.addressed(name) and not recipients:
                raise ConfigError(f"channel {name!r} needs an address: say --to ADDRESS")

    def channel(self, name: str) -> Channel:
        """One that can deliver, or ConfigError says what it lacks."""
        means = delivery.ChannelMeans(folder=self._settings.outbox)
        return delivery.open_channel(name, means)

    @cached_property
    def search_index(self) -> SearchIndex:
        return open_index(self._settings.search.backend, SearchMeans(self._store.search_index))

    def end_idle(self, seconds: float) -> None:
        """Let go of what was not used for so long: parser processes (20 MB each), word vectors."""
        for name in ("parser", "embedder"):
            if name in self.__dict__:  # a cached property that was used
                getattr(self, name).end_idle(seconds)

    def close(self) -> None:
        """Nothing that runs is waited for."""
        for name in ("http", "client", "parser", "model", "tallies"):
            if self.__dict__.get(name) is not None:  # a cached property that was used
                getattr(self, name).close()
