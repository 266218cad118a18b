"""What the numbers of the status mean."""

from __future__ import annotations

from dataclasses import replace

import pytest

from morningdeck.actions.status import Verdict, in_the_works, verdict
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
