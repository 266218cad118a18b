"""The clockwork: APScheduler runs what comes again and again, in a small pool of its own."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC

from apscheduler.executors.pool import ThreadPoolExecutor
from apscheduler.schedulers.background import BackgroundScheduler
from apscheduler.triggers.interval import IntervalTrigger

from morningdeck import logs

log = logs.get(__name__)


class Ticker:
    """Interval jobs in UTC: never two of one at a time, never a burst after a stall."""

    def __init__(self) -> None:
        self._scheduler = BackgroundScheduler(
            timezone=UTC,
            executors={"default": ThreadPoolExecutor(4)},
            job_defaults={"misfire_grace_time": None, "coalesce": True, "max_instances": 1},
        )
        self._seconds: dict[str, float] = {}

    def every(self, name: str, seconds: float, job: Callable[[], object]) -> None:
        self._seconds[name] = seconds
        self._scheduler.add_job(_surviving(name, job), _every(seconds), id=name)

    def replan(self) -> None:
        """Count all intervals from now: their next times were planned on another clock."""
        for name, seconds in self._seconds.items():
            self._scheduler.reschedule_job(name, trigger=_every(seconds))

    def start(self) -> None:
        self._scheduler.start()

    def stop(self) -> None:
        if self._scheduler.running:
            self._scheduler.shutdown(wait=False)


def _every(seconds: float) -> IntervalTrigger:
    return IntervalTrigger(seconds=seconds, timezone=UTC)


def _surviving(name: str, job: Callable[[], object]) -> Callable[[], None]:
    def run() -> None:
        try:
            job()
        except BaseException:
            log.exception("scheduled_job_failed", job=name)

    return run
