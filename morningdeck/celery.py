"""For Celery's own workers: `celery -A morningdeck.celery worker -Q processing -c 8`.

Settings come from where every command has them: `MORNINGDECK_CONFIG` and the environment.
`morningdeck worker` does the same without Celery's worker, and ends as a daemon does.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from functools import partial

from morningdeck import logs
from morningdeck.app import open_app
from morningdeck.distributed import broker_url, tell_if_soon
from morningdeck.engine.brokers import CARRIED
from morningdeck.engine.celery_app import RunId, make_celery_app
from morningdeck.settings.reading import load
from morningdeck.work import Stage

settings = load()
_opened = ExitStack()


def _set_up_logging() -> None:
    logs.configure(settings.logging.level, settings.logging.format)


def _begin(stages: Sequence[Stage]) -> Mapping[Stage, RunId]:
    """Be known as a living process, which renews what it works on."""
    deck = _opened.enter_context(open_app(settings, kind="worker"))
    engine = deck.build_worker(())
    deck.join("worker", stages)
    engine.start()
    deck.store.database.signals.only_send()
    _opened.callback(lambda: deck.store.incarnations.leave(deck.node.incarnation, deck.clock()))
    _opened.callback(engine.stop, settings.shutdown_seconds)
    return {
        stage: partial(deck.workers[stage].run, on_settled=partial(tell_if_soon, deck, stage))
        for stage in CARRIED
    }


app = make_celery_app(
    broker_url(settings),
    begin=_begin,
    end=_opened.close,
    set_up_logging=_set_up_logging,
)
