"""The verbs, bound to their ports: a stage of the engine for each."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import replace
from datetime import datetime, timedelta
from functools import partial
from typing import TYPE_CHECKING

from morningdeck import brief, deliver, fetch, process
from morningdeck.engine.threads import is_for_the_process
from morningdeck.engine.worker import StageRules
from morningdeck.errors import TransientError
from morningdeck.logs import log
from morningdeck.schedule import next_run
from morningdeck.work import ALERTING, PINGING, Job, Outcome, RetryPolicy, Stage

if TYPE_CHECKING:
    from morningdeck.app import App
    from morningdeck.model.reading import Entry

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
    return replace(_rules_of(app, stage), on_end=app.store.hours.add)


def _rules_of(app: App, stage: Stage) -> StageRules:
    retry = RetryPolicy(app.delays)
    match stage:
        case Stage.FETCH:
            fetching = partial(_fetch, app, app.settings.fetch.first_import_items)
            return StageRules(stage, fetching, retry, rest=partial(_rest_of_source, app))
        case Stage.PROCESSING:
            return StageRules(stage, partial(_process, app), retry)
        case Stage.BRIEFING:
            rest = partial(_rest_of_briefing, app)
            briefing = partial(_brief, app, app.settings.search.alerts_per_day)
            return StageRules(stage, briefing, retry, rest=rest, wakes=(PINGING, ALERTING))
        case Stage.DELIVERY:
            repeating = replace(retry, repeats_last=True)
            return StageRules(stage, partial(_deliver, app), repeating, wakes=(PINGING,))


def _fetch(app: App, import_items: int, job: Job) -> Outcome:
    return fetch.fetch(
        job,
        readers=app.adapters.readers,
        apart_of=app.adapters.pace.apart,
        clock=app.clock,
        chance=random.random(),
        import_items=import_items,
        language_of=_language_of,
    )


def _language_of(entry: Entry) -> str | None:
    from morningdeck.enrichers.language import language_of

    return language_of(f"{entry.title}\n{entry.text}", stated=entry.language)


def _rest_of_source(app: App, job: Job) -> datetime:
    return app.clock() + fetch.rest(job, sources=app.store.source_rows, retries=len(app.delays))


def _process(app: App, job: Job) -> Outcome:
    from morningdeck.stories import likeness

    return process.process(
        job,
        items=app.store.item_rows,
        stories=app.store.story_rows,
        similarity=likeness,
        notes=app.adapters.note_takers.notes,
        enricher=app.adapters.enricher,
        stand_in=app.adapters.stand_in,
        boilerplate=app.adapters.boilerplate,
        clock=app.clock,
        still_mine=app.holder.leases.trusted,
        full_text=app.adapters.full_text,
        patient=not app.is_waited_for,
    )


def _brief(app: App, alerts_per_day: int, job: Job) -> Outcome:
    _first(partial(app.refining.before_briefing, job.id), "scores_not_refined")
    _first(app.alerting.before_briefing, "searches_not_matched")
    return brief.brief(
        job,
        briefings=app.store.briefing_rows,
        writer=app.adapters.outlets.mail_writer,
        clock=app.clock,
        words=lambda report: app.pictured(app.adapters.words(report)),
        quiet=app.adapters.quiet,
        most_at_once=alerts_per_day,
    )


def _first(prepare: Callable[[], object], otherwise: str) -> None:
    """A briefing goes out with the scores and the finds that there are if there can be no more."""
    try:
        prepare()
    except TransientError:
        raise
    except BaseException as error:
        if is_for_the_process(error):
            raise
        log.exception(otherwise)


def _rest_of_briefing(app: App, job: Job) -> datetime:
    briefing = app.store.briefing_rows.load(job.id)
    now = app.clock()
    return now + DAY if briefing is None else next_run(briefing.plan, now)


def _deliver(app: App, job: Job) -> Outcome:
    rows, mine = app.store.delivery_rows, app.holder
    return deliver.deliver(
        job,
        load=rows.load,
        channels=app.adapters.ways_out.channels,
        final=lambda job: mine.leases.trusted(job) and rows.final(job, mine.owner, mine.clock()),
        not_final=lambda job: rows.final(job, mine.owner, None),
        clock=app.clock,
    )
