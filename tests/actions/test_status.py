"""What the numbers of the status mean."""

from __future__ import annotations

from dataclasses import replace

import pytest

from morningdeck.actions.status import (
    CAPACITY,
    NO_DAEMON,
    NO_WORKER,
    WORKERS,
    Verdict,
    in_the_works,
    limit,
    verdict,
)
from morningdeck.views.running import DaemonView, QueueView, SearchStateView, StatusView
from tests.cli.test_verdict import WELL

TO_DO = QueueView(5, 3, 2, 9, None, 100, 4)


def test_each_job_is_counted_once_by_what_it_waits_for() -> None:
    busy = replace(
        WELL,
        queues={"fetch": TO_DO, "processing": TO_DO, "briefing": TO_DO},
        deliveries={"PENDING": 1, "RETRY": 2, "SENDING": 3, "SENT": 10, "UNKNOWN": 20},
        search=SearchStateView("database", 7),
    )

    assert in_the_works(busy) == {"fetch": 10, "enrich": 10, "write": 10, "send": 6, "index": 7}


NOTHING_READ = replace(WELL, outlook=replace(WELL.outlook, sources=0))
PAUSED = replace(WELL, outlook=replace(WELL.outlook, sources=0, sources_paused=2))
OFF = replace(WELL, daemon=DaemonView(False, None))
TOLD = replace(WELL, notices=("look",))
TROUBLE = replace(WELL, outlook=replace(WELL.outlook, sources_in_trouble=1, briefings=0))
UNPLANNED = replace(WELL, outlook=replace(WELL.outlook, briefings=0))


@pytest.mark.parametrize(
    ("view", "expected"),
    [
        (WELL, Verdict.WELL),
        (PAUSED, Verdict.WELL),
        (NOTHING_READ, Verdict.NOTHING_IS_READ),
        (replace(NOTHING_READ, daemon=OFF.daemon), Verdict.NOTHING_IS_READ),
        (replace(OFF, notices=("look",)), Verdict.NOTHING_RUNS),
        (replace(TOLD, outlook=TROUBLE.outlook), Verdict.NOTICES),
        (TROUBLE, Verdict.SOURCES_IN_TROUBLE),
        (UNPLANNED, Verdict.NO_BRIEFING),
    ],
)
def test_the_first_that_is_so_is_the_verdict(view: StatusView, expected: Verdict) -> None:
    assert verdict(view) is expected


IDLE = QueueView(0, 0, 0, 0, None, 100, 4)
RUNS, STOPPED = DaemonView(True, None), DaemonView(False, None)


@pytest.mark.parametrize(
    ("queue", "daemon", "workers", "expected"),
    [
        (IDLE, STOPPED, None, None),
        (replace(IDLE, waiting=9), STOPPED, None, NO_DAEMON),
        (replace(IDLE, waiting=9, running=3), RUNS, None, None),
        (replace(IDLE, waiting=9, running=4), RUNS, None, WORKERS),
        (replace(IDLE, running=4), RUNS, None, None),
        (replace(IDLE, queued=4), RUNS, 0, NO_WORKER),
        (replace(IDLE, waiting=9, queued=4, running=24), RUNS, 3, WORKERS),
        (replace(IDLE, waiting=9, queued=0, running=24), RUNS, 3, None),
        (replace(IDLE, waiting=9, queued=100, running=24), RUNS, 3, CAPACITY),
    ],
)
def test_it_says_what_more_of_would_have_less_wait(
    queue: QueueView, daemon: DaemonView, workers: int | None, expected: str | None
) -> None:
    assert limit(queue, daemon, workers) == expected
