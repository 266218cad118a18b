"""Reports that are not there in full."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from morningdeck.store.database.connect import Database, open_database
from morningdeck.store.tables.briefs import deliveries, report_passed_over, reports
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


def test_what_a_report_left_out_is_listed_with_the_reason(
    terminal: Terminal, database: Database
) -> None:
    counts = {"off_subject": 1_200, "no_place": 1}
    written = {"status": "GENERATED", "generated_at": NOW, "weighed": 1_209, "left_out": counts}
    report = make(database, reports, briefing_id=make_briefing(database, 1), slot="x", **written)
    passed = {"position": 1, "item_id": 5, "title": "Car", "source": "News", "why": "no_place"}
    with database.write() as connection:
        connection.execute(report_passed_over.insert().values(report_id=report, **passed))

    told = terminal("report", "show", str(report), "--left-out").out.splitlines()
    shown = terminal.json("report", "show", str(report), "--left-out")

    assert told[:2] == ["score\tsource\ttitle\twhy", "0\tNews\tCar\tothers scored higher"]
    assert told[2] == "weighed 1,209, shown 0; 1,200 off the subject, 1 others scored higher"
    assert (shown["left_out"], shown["passed_over"][0]["why"]) == (counts, "no_place")
    assert terminal("report", "show", str(report), "--left-out", "--text").code == 2


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
