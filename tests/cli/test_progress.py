"""What a daemon shows at a terminal in place of its log."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest

from morningdeck.cli.progress import line, summary
from morningdeck.views.running import Outlook, StatusView
from tests.cli.conftest import Terminal
from tests.cli.on_terminal import at_terminal, daemon_at_terminal
from tests.cli.test_verdict import IDLE, WELL
from tests.conftest import NOW
from tests.servers.feeds import FeedServer, News

BERLIN = ZoneInfo("Europe/Berlin")
FEEDS = 2
NEWS = [News(f"Harbour {number} opens", "Ferries leave on Monday.") for number in range(3)]


def shown(view: StatusView, **done: int) -> str:
    return line(view, Counter(done), NOW, BERLIN)


def test_it_says_what_is_left_to_do() -> None:
    busy = {"processing": replace(IDLE, waiting=500, running=4), "fetch": replace(IDLE, queued=1)}
    queues = {**WELL.queues, **busy}
    view = replace(WELL, queues=queues, deliveries={"PENDING": 2, "RETRY": 1})

    assert (
        shown(view, DONE=430, ERROR=2, NEW=9)
        == "1 to fetch · 432 of 936 items enriched · 3 to send"
    )
    assert summary({"DONE": 934, "ERROR": 2}, 61.2).startswith(
        "934 items enriched in 61 s, 2 failed"
    )


@pytest.mark.parametrize(
    ("outlook", "said"),
    [
        (WELL.outlook, "waiting · next fetch 08:05 · next briefing tomorrow 08:00 Energy"),
        (Outlook(0, 0, 0, 0, 0), "nothing to read yet; in a second terminal: morningdeck source"),
        (Outlook(3, 0, 0, 0, 0, NOW), "waiting · next fetch 08:00 · no briefing yet: morningdeck"),
    ],
)
def test_it_says_what_it_waits_for_and_how_to_add_something(outlook: Outlook, said: str) -> None:
    assert shown(replace(WELL, outlook=outlook)).startswith(said)


def test_a_first_run_is_a_line_and_not_a_log(terminal: Terminal, tmp_path: Path) -> None:
    with FeedServer() as site:
        for number in range(FEEDS):
            url = site.publish(f"/{number}.xml", f"Gazette {number}", NEWS)
            terminal.json("source", "add", url, "--no-check")

        seen = at_terminal(tmp_path, "run", "--once")

    assert "of 6 items enriched" in seen
    assert seen.splitlines()[-1].startswith("6 items enriched in ")
    assert "job_" not in seen
    assert "busy" not in seen


def test_an_idle_daemon_says_what_it_waits_for(terminal: Terminal, tmp_path: Path) -> None:
    with FeedServer() as site, daemon_at_terminal(tmp_path) as shows:
        shows("nothing to read yet; in a second terminal: morningdeck source add URL")
        terminal.json("source", "add", site.publish("/a.xml", "Gazette", NEWS))

        assert "job_" not in shows("waiting · next fetch")
