"""Reports that are not there in full."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from morningdeck.store.database.connect import Database, open_database
from morningdeck.store.tables.briefs import deliveries, reports
from tests.cli.conftest import Terminal
from tests.conftest import NOW
from tests.factories import make, make_briefing


@pytest.fixture
def database(terminal: Terminal, tmp_path: Path) -> Iterator[Database]:
    terminal.json("user", "list")
    database = open_database(f"sqlite:///{tmp_path / 'data' / 'morningdeck.db'}")
    yield database
    database.close()


def test_a_report_that_was_never_written_is_no_quiet_day(
    terminal: Terminal, database: Database
) -> None:
    briefing = make_briefing(database, 1)
    skipped = make(database, reports, briefing_id=briefing, slot="2026-11-17", status="SKIPPED")

    shown = terminal("report", "show", str(skipped)).out

    assert shown == f"report {skipped}, 2026-11-17, SKIPPED, nothing was written\n"


def test_a_report_is_shown_without_its_mail_and_its_zone(
    terminal: Terminal, database: Database
) -> None:
    briefing = make_briefing(database, 1, timezone="Mars/Base")
    written = {"status": "GENERATED", "generated_at": NOW, "overview": "All of them."}
    report = make(database, reports, briefing_id=briefing, slot="2026-11-18", **written)

    shown = terminal("report", "show", str(report)).out

    assert "Wednesday 18 November" in shown
    assert "All of them." in shown
    assert terminal("report", "show", str(report), "--text").code == 1


def test_sending_again_tells_where_it_went_and_not_all_it_says(
    terminal: Terminal, database: Database
) -> None:
    briefing = make_briefing(database, 1)
    written = {"status": "GENERATED", "generated_at": NOW, "overview": "All of them."}
    report = make(database, reports, briefing_id=briefing, slot="2026-11-18", **written)
    values = {"address": "folder", "status": "SENT", "reply": "a.eml"}
    make(database, deliveries, report_id=report, channel="folder", content=b"", **values)

    shown = terminal("report", "send", str(report)).out

    assert shown == f"report {report}, 2026-11-18, GENERATED\nSENT folder: a.eml\n"
