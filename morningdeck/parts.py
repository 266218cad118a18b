"""From settings to parts: adapters, store, verbs and workers, plugged together.

    settings -> store -> adapters -> verbs -> workers

What costs time or memory (weights, child processes, threads) is made at first use, so a
command that only lists things starts at once.
"""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from datetime import datetime, timedelta
from functools import cached_property

from morningdeck import brief, deliver, delivery, fetch, process
from morningdeck.engine.leases import Leases
from morningdeck.engine.node import Node
from morningdeck.engine.stage import Work, Worker
from morningdeck.enrichers import EnricherMeans, open_enricher
from morningdeck.enrichers.embedding import DIMENSIONS, WordEmbedder
from morningdeck.errors import ConfigError
from morningdeck.hosts import REDDIT
from morningdeck.mail import MailWriter
from morningdeck.net import QUICK_RETRIES, GuardedClient, PatientPace, PoliteClient
from morningdeck.parsing.pool import ParserPool
from morningdeck.ports import Channel, Clock, Enricher, FullText, Pace, SearchIndex, SourceReader
from morningdeck.schedule import next_run
from morningdeck.settings import Settings
from morningdeck.sources import SOURCE_TYPES, ReaderMeans, open_reader
from morningdeck.sources.fulltext import PageReader
from morningdeck.sources.mailbox import Account
from morningdeck.store.database.connect import Database
from morningdeck.store.rows.pace import HostPace
from morningdeck.store.store import Store
from morningdeck.stories.similar import NEAR_BITS, NEAR_MEANING, StorySimilarity
from morningdeck.stories.window import RecentStories
from morningdeck.work import Job, Outcome, RetryPolicy, Stage

DAY = timedelta(days=1)
REDDIT_APART = timedelta(seconds=61)
DEADLINES = {
    Stage.FETCH: timedelta(minutes=2),
    Stage.PROCESSING: timedelta(minutes=10),
    Stage.BRIEFING: timedelta(minutes=15),
    Stage.DELIVERY: timedelta(minutes=10),
}
DEADLINES_PER_VISIT = 2
"""No visit of a host lasts longer than one deadline: after two, whoever began it is gone."""
LONGEST_PAUSE = timedelta(seconds=5)
SENDER = "Morning Deck <morningdeck@localhost>"


class Parts:
    """Adapters, store, verbs and workers of one process; nothing in here runs yet.

    Without `full_text` the pages behind items are left alone.
    """

    def __init__(
        self,
        settings: Settings,
        database: Database,
        node: Node,
        clock: Clock,
        *,
        full_text: bool = True,
    ) -> None:
        self.settings = settings
        self._reads_pages = full_text
        self.clock = clock
        self.node = node
        self.similarity = StorySimilarity()
        self.store = Store(
            database,
            lease=self.lease,
            refresh=timedelta(minutes=settings.fetch.default_refresh_minutes),
            resend=self.delays if settings.delivery.on_ambiguous == "resend" else (),
            window=RecentStories(
                self.similarity, dimensions=DIMENSIONS, near=NEAR_MEANING, near_bits=NEAR_BITS
            ),
        )
        self.leases = Leases(
            self.store.work,
            owner=node.owner,
            clock=clock,
            lease=self.lease,
            deadlines=DEADLINES,
        )

    @property
    def lease(self) -> timedelta:
        return timedelta(seconds=self.settings.recovery.lease_seconds)

    @property
    def delays(self) -> tuple[timedelta, ...]:
        return tuple(timedelta(minutes=m) for m in self.settings.retry.schedule_minutes)

    # ---- adapters

    @cached_property
    def client(self) -> GuardedClient:
        http = self.settings.http
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
        retry_delays: tuple[float, ...] = QUICK_RETRIES,
        patience: timedelta | None = None,
    ) -> PoliteClient:
        return PoliteClient(
            self.client,
            pace,
            self.clock,
            timeout_seconds=self.settings.http.timeout_seconds,
            max_redirects=self.settings.http.max_redirects,
            retry_delays=retry_delays,
            patience=patience,
        )

    @cached_property
    def full_text(self) -> FullText | None:
        """Of pages that may be missing: each is asked for once, so that dead links delay nobody."""
        if not self._reads_pages:
            return None
        http = self._polite(self.pace, retry_delays=(), patience=process.PAGE_PATIENCE)
        return PageReader(http, self.parser)

    @cached_property
    def parser(self) -> ParserPool:
        return ParserPool()

    @cached_property
    def readers(self) -> Mapping[str, SourceReader]:
        return self._readers(self.http)

    @cached_property
    def waiting_readers(self) -> Mapping[str, SourceReader]:
        """For a person who waits for the answer: a worker is given none that waits for a host."""
        pace = PatientPace(self.pace, self.clock, longest=LONGEST_PAUSE)
        return self._readers(self._polite(pace))

    def _readers(self, http: PoliteClient) -> Mapping[str, SourceReader]:
        means = ReaderMeans(
            http=http,
            parser=self.parser,
            raw_mail=self.store.raw_mail,
            clock=self.clock,
            reddit_keys=self._reddit_keys,
            mailbox=self._mailbox,
        )
        return {one: open_reader(one, means) for one in SOURCE_TYPES}

    @property
    def _reddit_keys(self) -> tuple[str, str] | None:
        keys = self.settings.reddit
        if keys.client_id is None or keys.client_secret is None:
            return None
        return keys.client_id, keys.client_secret.get_secret_value()

    @property
    def _mailbox(self) -> Account | None:
        imap = self.settings.imap
        if imap.host is None or imap.username is None or imap.password is None:
            return None
        password = imap.password.get_secret_value()
        return Account(imap.host, imap.port, imap.username, password, imap.folder)

    @cached_property
    def pace(self) -> HostPace:
        rate = self.settings.http.requests_per_host_second
        apart = min(1 / rate, DAY.total_seconds()) if rate else 0
        visit = DEADLINES_PER_VISIT * self.settings.http.timeout_seconds
        return HostPace(
            self.store.database,
            self.clock,
            timedelta(seconds=apart),
            slower={} if self._reddit_keys else {REDDIT: REDDIT_APART},
            longest_visit=timedelta(seconds=visit),
        )

    @cached_property
    def embedder(self) -> WordEmbedder:
        return WordEmbedder()

    @cached_property
    def enricher(self) -> Enricher:
        return open_enricher(self.settings.enricher.kind, EnricherMeans(self.embedder))

    @cached_property
    def mail_writer(self) -> MailWriter:
        sender = self.settings.smtp.from_address or SENDER
        return MailWriter(sender, delivery.addressed, self.settings.web.base_url)

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
        means = delivery.ChannelMeans(folder=self.settings.outbox)
        return delivery.open_channel(name, means)

    @cached_property
    def search_index(self) -> SearchIndex:
        return self.store.fulltext

    def wake(self, track: str) -> None:
        """Somebody may have more to do; whoever runs an engine passes it on."""

    # ---- the stages: verbs bound to their ports

    @cached_property
    def workers(self) -> Mapping[Stage, Worker]:
        return {stage: self._worker(stage) for stage in Stage}

    def _worker(self, stage: Stage) -> Worker:
        return Worker(
            self._work(stage),
            store=self.store.work,
            leases=self.leases,
            owner=self.node.owner,
            clock=self.clock,
            wake=self.wake,
        )

    def _work(self, stage: Stage) -> Work:
        retry = RetryPolicy(self.delays)
        match stage:
            case Stage.FETCH:
                return Work(stage, self._fetch, retry, rest=self._rest_of_source)
            case Stage.PROCESSING:
                return Work(stage, self._process, retry)
            case Stage.BRIEFING:
                return Work(stage, self._brief, retry, rest=self._rest_of_briefing)
            case Stage.DELIVERY:
                return Work(stage, self._deliver, replace(retry, repeats_last=True))

    def _fetch(self, job: Job) -> Outcome:
        return fetch.fetch(
            job,
            sources=self.store.source_rows,
            readers=self.readers,
            apart_of=self.pace.apart,
            clock=self.clock,
            chance=random.random(),
            import_items=self.settings.fetch.first_import_items,
        )

    def _rest_of_source(self, job: Job) -> datetime:
        retries = len(self.delays)
        return self.clock() + fetch.rest(job, sources=self.store.source_rows, retries=retries)

    def _process(self, job: Job) -> Outcome:
        return process.process(
            job,
            items=self.store.item_rows,
            stories=self.store.story_rows,
            similarity=self.similarity,
            embedder=self.embedder,
            enricher=self.enricher,
            clock=self.clock,
            still_mine=self.leases.trusted,
            full_text=self.full_text,
        )

    def _brief(self, job: Job) -> Outcome:
        return brief.brief(
            job, briefings=self.store.briefing_rows, writer=self.mail_writer, clock=self.clock
        )

    def _rest_of_briefing(self, job: Job) -> datetime:
        briefing = self.store.briefing_rows.load(job.id)
        now = self.clock()
        return now + DAY if briefing is None else next_run(briefing.plan, now)

    def _deliver(self, job: Job) -> Outcome:
        rows = self.store.delivery_rows
        return deliver.deliver(
            job,
            load=rows.load,
            channels=self.channels,
            final=lambda job: (
                self.leases.trusted(job) and rows.final(job, self.node.owner, self.clock())
            ),
            not_final=lambda job: rows.final(job, self.node.owner, None),
            clock=self.clock,
        )
