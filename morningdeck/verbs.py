"""The verbs, bound to their ports: a stage of the engine for each."""

from __future__ import annotations

import random
from dataclasses import replace
from datetime import datetime, timedelta

from morningdeck import brief, deliver, fetch, process
from morningdeck.adapters import Adapters
from morningdeck.engine.leases import Holder
from morningdeck.engine.worker import StageRules
from morningdeck.schedule import next_run
from morningdeck.store.store import Store
from morningdeck.work import Job, Outcome, RetryPolicy, Stage

DAY = timedelta(days=1)
DEADLINES = {
    Stage.FETCH: timedelta(minutes=2),
    Stage.PROCESSING: timedelta(minutes=10),
    Stage.BRIEFING: timedelta(minutes=15),
    Stage.DELIVERY: timedelta(minutes=10),
}
"""A job that takes longer has lost its worker's lease: somebody else may do it."""


class Verbs:
    def __init__(
        self,
        store: Store,
        adapters: Adapters,
        holder: Holder,
        *,
        delays: tuple[timedelta, ...],
        import_items: int,
    ) -> None:
        self._store = store
        self._adapters = adapters
        self._holder = holder
        self._clock = holder.clock
        self._delays = delays
        self._import_items = import_items

    def rules(self, stage: Stage) -> StageRules:
        """What makes this stage differ from another."""
        retry = RetryPolicy(self._delays)
        match stage:
            case Stage.FETCH:
                return StageRules(stage, self._fetch, retry, rest=self._rest_of_source)
            case Stage.PROCESSING:
                return StageRules(stage, self._process, retry)
            case Stage.BRIEFING:
                return StageRules(stage, self._brief, retry, rest=self._rest_of_briefing)
            case Stage.DELIVERY:
                return StageRules(stage, self._deliver, replace(retry, repeats_last=True))

    def _fetch(self, job: Job) -> Outcome:
        return fetch.fetch(
            job,
            sources=self._store.source_rows,
            readers=self._adapters.readers,
            apart_of=self._adapters.pace.apart,
            clock=self._clock,
            chance=random.random(),
            import_items=self._import_items,
        )

    def _rest_of_source(self, job: Job) -> datetime:
        retries = len(self._delays)
        return self._clock() + fetch.rest(job, sources=self._store.source_rows, retries=retries)

    def _process(self, job: Job) -> Outcome:
        return process.process(
            job,
            items=self._store.item_rows,
            stories=self._store.story_rows,
            similarity=self._adapters.similarity,
            embedder=self._adapters.embedder,
            enricher=self._adapters.enricher,
            stand_in=self._adapters.stand_in,
            clock=self._clock,
            still_mine=self._holder.leases.trusted,
            full_text=self._adapters.full_text,
        )

    def _brief(self, job: Job) -> Outcome:
        return brief.brief(
            job,
            briefings=self._store.briefing_rows,
            writer=self._adapters.mail_writer,
            clock=self._clock,
            words=self._adapters.words,
        )

    def _rest_of_briefing(self, job: Job) -> datetime:
        briefing = self._store.briefing_rows.load(job.id)
        now = self._clock()
        return now + DAY if briefing is None else next_run(briefing.plan, now)

    def _deliver(self, job: Job) -> Outcome:
        rows, mine = self._store.delivery_rows, self._holder
        return deliver.deliver(
            job,
            load=rows.load,
            channels=self._adapters.channels,
            final=lambda job: (
                mine.leases.trusted(job) and rows.final(job, mine.owner, mine.clock())
            ),
            not_final=lambda job: rows.final(job, mine.owner, None),
            clock=self._clock,
        )
