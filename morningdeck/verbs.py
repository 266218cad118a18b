"""The verbs, bound to their ports: a stage of the engine for each."""

from __future__ import annotations

import random
from dataclasses import replace
from datetime import datetime, timedelta
from functools import partial
from typing import TYPE_CHECKING

from morningdeck import brief, deliver, fetch, process
from morningdeck.engine.worker import StageRules
from morningdeck.schedule import next_run
from morningdeck.work import Job, Outcome, RetryPolicy, Stage

if TYPE_CHECKING:
    from morningdeck.app import App

DAY = timedelta(days=1)
DEADLINES = {
    Stage.FETCH: timedelta(minutes=2),
    Stage.PROCESSING: timedelta(minutes=10),
    Stage.BRIEFING: timedelta(minutes=15),
    Stage.DELIVERY: timedelta(minutes=10),
}
"""A job that takes longer has lost its worker's lease: somebody else may do it."""


def rules_of(app: App, stage: Stage) -> StageRules:
    """What makes this stage differ from another."""
    retry = RetryPolicy(app.delays)
    match stage:
        case Stage.FETCH:
            fetching = partial(_fetch, app, app.settings.fetch.first_import_items)
            return StageRules(stage, fetching, retry, rest=partial(_rest_of_source, app))
        case Stage.PROCESSING:
            return StageRules(stage, partial(_process, app), retry)
        case Stage.BRIEFING:
            rest = partial(_rest_of_briefing, app)
            return StageRules(stage, partial(_brief, app), retry, rest=rest)
        case Stage.DELIVERY:
            return StageRules(stage, partial(_deliver, app), replace(retry, repeats_last=True))


def _fetch(app: App, import_items: int, job: Job) -> Outcome:
    return fetch.fetch(
        job,
        sources=app.store.source_rows,
        readers=app.adapters.readers,
        apart_of=app.adapters.pace.apart,
        clock=app.clock,
        chance=random.random(),
        import_items=import_items,
    )


def _rest_of_source(app: App, job: Job) -> datetime:
    return app.clock() + fetch.rest(job, sources=app.store.source_rows, retries=len(app.delays))


def _process(app: App, job: Job) -> Outcome:
    from morningdeck.enrichers import own_words
    from morningdeck.stories import likeness

    return process.process(
        job,
        items=app.store.item_rows,
        stories=app.store.story_rows,
        similarity=likeness,
        embedder=app.adapters.embedder,
        profiler=app.adapters.relevance,
        enricher=app.adapters.enricher,
        stand_in=app.adapters.stand_in,
        summariser=own_words,
        boilerplate=app.adapters.boilerplate,
        clock=app.clock,
        still_mine=app.holder.leases.trusted,
        full_text=app.adapters.full_text,
        patient=not app.is_waited_for,
    )


def _brief(app: App, job: Job) -> Outcome:
    app.refining.before_briefing()
    return brief.brief(
        job,
        briefings=app.store.briefing_rows,
        writer=app.adapters.mail_writer,
        clock=app.clock,
        words=app.adapters.words,
    )


def _rest_of_briefing(app: App, job: Job) -> datetime:
    briefing = app.store.briefing_rows.load(job.id)
    now = app.clock()
    return now + DAY if briefing is None else next_run(briefing.plan, now)


def _deliver(app: App, job: Job) -> Outcome:
    rows, mine = app.store.delivery_rows, app.holder
    return deliver.deliver(
        job,
        load=rows.load,
        channels=app.adapters.channels,
        final=lambda job: mine.leases.trusted(job) and rows.final(job, mine.owner, mine.clock()),
        not_final=lambda job: rows.final(job, mine.owner, None),
        clock=app.clock,
    )
