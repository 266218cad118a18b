"""The two halves of a lane with a broker in between: daemons feed it, workers elsewhere serve it.

What comes with Celery is imported when this is used: most have one machine, and not that.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta
from functools import partial
from typing import TYPE_CHECKING

from morningdeck.engine.lanes import Feeding, Working
from morningdeck.errors import ConfigError, MorningDeckError
from morningdeck.logs import log
from morningdeck.work import Stage

if TYPE_CHECKING:
    from morningdeck.app import App
    from morningdeck.engine.celery_queue import Connect
    from morningdeck.settings.sections import Settings

EXTRA = "pip install 'morningdeck[celery]'"


def broker_url(settings: Settings) -> str:
    """Where the broker is, once it is certain that what these settings want can be done."""
    queue = settings.queue
    if queue.backend != "celery":
        raise ConfigError(
            'a worker takes work from a broker: set queue.backend = "celery" and queue.broker_url,'
            " as for the daemons. Without a broker, `morningdeck run` has workers of its own"
        )
    if not settings.on_a_server:
        raise ConfigError(
            'queue.backend = "celery" needs PostgreSQL: set database.url, the same for all.'
            " A SQLite file cannot be shared between machines"
        )
    if queue.broker_url is None:
        raise ConfigError('queue.backend = "celery" needs queue.broker_url, e.g. amqp://broker')
    return queue.broker_url.get_secret_value()


def _connecting(app: App) -> Connect:
    url = broker_url(app.settings)
    try:
        from morningdeck.engine.celery_queue import connecting
    except ImportError as error:
        raise ConfigError(f"Celery is not installed ({error.name} is missing): {EXTRA}") from error
    return connecting(url)


# ---- a daemon's half


def feeding(app: App, stages: Sequence[Stage]) -> list[Feeding]:
    connect = _connecting(app)
    return [_feeding(app, connect, stage) for stage in stages]


def _feeding(app: App, connect: Connect, stage: Stage) -> Feeding:
    from morningdeck.engine.broker_feeder import LEASES, BrokerFeeder
    from morningdeck.engine.celery_queue import CeleryQueue

    of = app.lanes[stage]
    queue = CeleryQueue(
        stage,
        of.capacity,
        connect,
        partial(app.store.jobs.queued, stage),
        keep=LEASES * app.lease,
        tell=partial(_tell, app, stage),
    )
    return Feeding(
        BrokerFeeder(stage, queue, app.holder, batch=of.batch, lease=app.lease),
        every_seconds=app.settings.look_seconds,
        backlog_warning=of.warns_above,
    )


def _tell(app: App, stage: Stage, trouble: str | None) -> None:
    try:
        app.store.broker_notices.tell(stage.value, trouble, app.clock())
    except MorningDeckError as error:
        log.warning("notice_not_stored", error=str(error))


# ---- a worker's half


def working(app: App, stages: Sequence[Stage]) -> list[Working]:
    connect = _connecting(app)
    return [_working(app, connect, stage) for stage in stages]


def _working(app: App, connect: Connect, stage: Stage) -> Working:
    from morningdeck.engine.celery_runner import CeleryRunner

    runner = CeleryRunner(connect, stage, workers=app.lanes[stage].workers)
    return Working(runner, app.workers[stage], on_settled=partial(tell_if_soon, app, stage))


def tell_if_soon(app: App, stage: Stage, due_at: datetime | None) -> None:
    """A feeder that sleeps longer would be late for this row."""
    if due_at is not None and due_at < app.clock() + timedelta(seconds=app.settings.look_seconds):
        app.wake(stage.value)
