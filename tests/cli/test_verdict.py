"""The status for people: the verdict first, ten lines at most."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from zoneinfo import ZoneInfo

import pytest
from rich.cells import cell_len

from morningdeck.actions import status
from morningdeck.cli.verdict import MOST_LINES, Screen, report, sentence
from morningdeck.model.spending import HeldEndpoint, ModelState
from morningdeck.views.running import (
    DaemonView,
    NextBriefing,
    Outlook,
    QueueView,
    SearchStateView,
    StatusView,
)
from tests.conftest import NOW

HOUR = timedelta(hours=1)
SCREEN = Screen(NOW, ZoneInfo("Europe/Berlin"), "data/outbox")
IDLE = QueueView(0, 0, 0, 0, None, 100, 4)
ENERGY = NextBriefing(
    1, "Energy", NOW + timedelta(days=1), ("smtp", "folder"), ("ada@example.org",)
)
WELL = StatusView(
    version="1",
    database="sqlite",
    daemon=DaemonView(True, NOW - timedelta(hours=2)),
    queues=dict.fromkeys(("fetch", "processing", "briefing"), IDLE),
    deliveries={"SENT": 3},
    search=SearchStateView("database", 0),
    model=ModelState(),
    notices=(),
    outlook=Outlook(
        12, 0, 0, 136, 1, NOW + timedelta(minutes=5), ENERGY, NOW - timedelta(minutes=5)
    ),
)


def test_it_says_that_all_is_well_and_what_comes_next() -> None:
    assert report(WELL, SCREEN) == [
        "All is well.",
        "  daemon     running since 06:00, version 1",
        "  sources    12",
        "  new today  136 items",
        "  next       tomorrow 08:00 Energy to ada@example.org, data/outbox",
        "  waiting    nothing; next fetch 08:05",
        "  times      Europe/Berlin",
    ]


@pytest.mark.parametrize(
    ("view", "said"),
    [
        (replace(WELL, daemon=DaemonView(False, None)), "Nothing runs since 07:55: start it"),
        (replace(WELL, notices=("a", "b")), "2 things for you to look at."),
        (replace(WELL, outlook=replace(WELL.outlook, sources=0)), "Nothing is read yet"),
        (replace(WELL, outlook=replace(WELL.outlook, sources_in_trouble=1)), "All is well, but"),
        (replace(WELL, outlook=replace(WELL.outlook, briefings=0)), "All is well, but"),
    ],
    ids=["not running", "notices", "no source", "a broken source", "no briefing"],
)
def test_the_verdict_is_what_matters_most(view: StatusView, said: str) -> None:
    assert sentence(view, SCREEN).startswith(said)


def test_what_waits_is_named_with_what_it_waits_for() -> None:
    queues = {**WELL.queues, "processing": replace(IDLE, waiting=7, running=4)}

    lines = report(replace(WELL, queues=queues, deliveries={"RETRY": 2}), SCREEN)

    assert "  waiting    11 to enrich, 2 to send" in lines


@pytest.mark.parametrize(
    ("model", "said"),
    [
        (ModelState(1, 0.0041, 0.5), "$0.0041 of $0.50 today (1 call)"),
        (ModelState(0, 0.0, 2.0), "$0.00 of $2.00 today (0 calls)"),
        (
            ModelState(340, 1.999, 2.0, (HeldEndpoint("m.example", NOW + HOUR, "limited"),)),
            "m.example held until 09:00, $2.00 of $2.00 today (340 calls)",
        ),
        (
            ModelState(2, 0.0, None, (HeldEndpoint("m.example", NOW, "limited"),)),
            "$0.00 today (2 calls)",
        ),
        (
            ModelState(2, tallies={"spared": 1200, "unusable": 2, "no_money": 1, "unsupported": 7}),
            "$0.00 today (2 calls), 3 done offline instead, 1,200 spared",
        ),
    ],
)
def test_what_the_model_costs_is_told_where_one_is_asked(model: ModelState, said: str) -> None:
    (line,) = (one for one in report(replace(WELL, model=model), SCREEN) if "  model" in one)

    assert line == f"  model      {said}"


@pytest.mark.parametrize("width", [40, 80, 200])
def test_however_much_is_wrong_it_is_ten_lines_that_fit(width: int) -> None:
    bad = "it went wrong, 港が再び開く、船が戻ってくる、" * 6
    notices = tuple(f"Gazette {number}: {bad}" for number in range(20))
    screen = replace(SCREEN, width=width)

    lines = report(replace(WELL, notices=notices), screen)
    everything = report(replace(WELL, notices=notices), screen, everything=True)

    assert len(lines) <= MOST_LINES
    assert max(map(cell_len, everything)) <= width
    assert lines[-1].endswith("more: morningdeck status --all")
    assert sum("Gazette" in line for line in everything) == 20


def test_it_says_what_is_missing_where_nobody_takes_work_out_of_the_broker() -> None:
    lacking = QueueView(5, 4, 0, 0, 60, 100, 4, status.NO_WORKER)
    view = replace(WELL, queues={**WELL.queues, "processing": lacking})

    said = next(line for line in report(view, SCREEN) if "waiting" in line)

    assert said.endswith("9 to enrich: no worker runs, see morningdeck worker")
