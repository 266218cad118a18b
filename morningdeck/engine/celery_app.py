"""The same tasks for Celery's own workers, for those who run many: `celery -A morningdeck.celery`.

Messages are acknowledged early, a thread takes one at a time, and whatever else Celery does is
off: retries, times to wait, results, events, gossip between workers. The database does all that.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from typing import Any

from celery import Celery
from celery.exceptions import ImproperlyConfigured
from celery.signals import setup_logging, worker_init, worker_shutdown
from celery.worker.consumer import Consumer
from kombu import Exchange, Queue

from morningdeck.discreet import said
from morningdeck.engine.brokers import (
    ANSWER_SECONDS,
    CARRIED,
    id_in,
    queue_of,
    task_of,
    tls_options,
    transport_options,
)
from morningdeck.logs import log
from morningdeck.work import Stage

RunId = Callable[[int], object]


class QuietConsumer(Consumer):  # type: ignore[misc]  # Celery is not typed
    """Celery's, without what its workers have to say to each other."""

    def __init__(self, *args: Any, worker_options: Mapping[str, Any], **more: Any) -> None:
        quiet = {"without_gossip": True, "without_mingle": True, "without_heartbeat": True}
        super().__init__(*args, worker_options={**worker_options, **quiet}, **more)


def make_celery_app(
    url: str,
    *,
    begin: Callable[[Sequence[Stage]], Mapping[Stage, RunId]],
    end: Callable[[], object],
    set_up_logging: Callable[[], object],
) -> Celery:
    """`begin` and `end` are called once in the process of a worker; `begin` is told of which
    stages it takes messages, and returns what runs the ids of each. Where it fails, the worker
    ends before it takes anything.
    """
    app = Celery("morningdeck", set_as_current=True)
    app.conf.update(_settings(url))
    runs: dict[Stage, RunId] = {}
    for stage in CARRIED:
        _add_task(app, stage, runs)

    def started(sender: Any, **_: object) -> None:
        set_up_logging()  # before anything has a logger
        try:
            _refuse_processes(sender)
            taken = sender.app.amqp.queues.consume_from
            runs.update(begin([stage for stage in CARRIED if queue_of(stage) in taken]))
        except Exception as error:
            # of a signal's hearer Celery only logs it, goes on, and takes messages for nobody
            log.critical("worker_cannot_begin", error=said(f"{type(error).__name__}: {error}"))
            with suppress(Exception):
                end()
            raise SystemExit(1) from None

    worker_init.connect(started, weak=False)
    worker_shutdown.connect(lambda **_: end(), weak=False)
    setup_logging.connect(lambda **_: set_up_logging(), weak=False)
    return app


def _refuse_processes(worker: Any) -> None:
    if "thread" not in type(worker).__module__ + str(worker.pool_cls):
        raise ImproperlyConfigured("Morning Deck works in threads: use --pool threads")


def _add_task(app: Celery, stage: Stage, runs: Mapping[Stage, RunId]) -> None:
    @app.task(name=task_of(stage))  # type: ignore[untyped-decorator]
    def work(named: object) -> None:
        job_id = id_in(named, stage)
        if job_id is not None:
            runs[stage](job_id)


def _settings(url: str) -> dict[str, object]:
    return {
        "broker_url": url,
        "broker_transport_options": transport_options(url),
        "broker_use_ssl": tls_options(url),
        "broker_connection_timeout": ANSWER_SECONDS,
        "broker_connection_retry_on_startup": True,
        "broker_heartbeat": 0,
        "accept_content": ["json"],
        "task_serializer": "json",
        "task_queues": [_queue(queue_of(stage)) for stage in CARRIED],
        "task_default_queue": queue_of(Stage.PROCESSING),
        "task_create_missing_queues": False,
        "task_acks_late": False,
        "task_ignore_result": True,
        "task_store_errors_even_if_ignored": False,
        "worker_prefetch_multiplier": 1,
        "worker_pool": "threads",
        "worker_consumer": f"{__name__}:QuietConsumer",
        "worker_enable_remote_control": False,
        "worker_send_task_events": False,
        "worker_hijack_root_logger": False,
        "worker_redirect_stdouts": False,
        "worker_cancel_long_running_tasks_on_connection_loss": False,
    }


def _queue(name: str) -> Queue:
    """With an exchange of its own, or Celery binds all of them to one."""
    return Queue(name, Exchange(name, "direct"), routing_key=name)
