"""A machine may lose a timezone that a briefing or its reader has: nothing else suffers."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from tests.cli.conftest import Terminal

DAILY = ("--criteria", "ships", "--daily", "08:00", "--timezone", "Europe/Paris")
LOST = "there is no timezone 'Mars/Olympus'"


@pytest.fixture
def deck(terminal: Terminal, tmp_path: Path) -> Terminal:
    """Two briefings that should have run, the first in a zone that is gone."""
    for title in ("Far", "Near"):
        terminal.json("briefing", "add", title, *DAILY)
    change(tmp_path, "UPDATE briefings SET due_at = created_at, next_run_at = created_at")
    change(tmp_path, "UPDATE briefings SET timezone = 'Mars/Olympus' WHERE id = 1")
    return terminal


def change(folder: Path, statement: str) -> None:
    with closing(sqlite3.connect(folder / "data" / "morningdeck.db")) as connection:
        connection.execute(statement)
        connection.commit()


def test_a_briefing_whose_zone_is_lost_says_so_and_the_others_go_on(deck: Terminal) -> None:
    deck("run", "--once", "--no-web")

    near, far = deck.json("briefing", "list")
    assert near["last_error"] is None
    assert near["last_slot"] is not None
    assert (far["status"], far["last_slot"]) == ("ACTIVE", None)
    assert far["last_error"].startswith(LOST)
    (notice,) = [text for text in deck.json("status")["notices"] if "not be written" in text]
    assert LOST in notice
    assert deck.json("queue", "retry", "--all", "--stage", "briefing") == {"retried": 1}


def test_a_lost_claim_of_it_keeps_nobody_from_starting(deck: Terminal, tmp_path: Path) -> None:
    change(
        tmp_path,
        "UPDATE briefings SET status = 'PROCESSING', losses = 2, claimed_by = 'gone/0:x',"
        " lease_until = created_at",
    )

    assert deck("run", "--once", "--no-web").code == 0

    states = [(one["status"], one["last_error"]) for one in deck.json("briefing", "list")]
    assert states == [("ACTIVE", "its worker was lost 3 times in a row")] * 2


@pytest.mark.parametrize("words", [("briefing", "preview"), ("briefing", "resume")])
def test_what_needs_the_zone_says_so_in_one_line(deck: Terminal, words: tuple[str, str]) -> None:
    ended = deck(*words, "1")

    assert ended.code != 0
    assert ended.err.startswith(f"morningdeck: {LOST}")
    assert ended.err.count("\n") == 1


def test_a_briefing_gets_a_zone_that_there_is_by_an_edit(deck: Terminal) -> None:
    assert deck.json("briefing", "edit", "1", "--title", "Far")["timezone"] == "Mars/Olympus"

    edited = deck.json("briefing", "edit", "1", "--timezone", "Asia/Tokyo")

    assert edited["timezone"] == "Asia/Tokyo"
    assert deck("briefing", "preview", "1").code == 0


@pytest.mark.parametrize(
    "words", [("status",), ("briefing", "list"), ("briefing", "show", "2"), ("source", "list")]
)
def test_a_reader_whose_own_zone_is_lost_reads_times_in_utc(
    deck: Terminal, tmp_path: Path, words: tuple[str, ...]
) -> None:
    change(tmp_path, "UPDATE users SET timezone = 'Mars/Olympus'")

    ended = deck(*words)

    assert (ended.code, ended.err) == (0, "")
