"""Which commits of SQLite wait for the disk, and what becomes of them if it fails."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from sqlalchemy import update

from morningdeck.errors import DatabaseAwayError
from morningdeck.model.asking import CallUsage
from morningdeck.model.making import Likeness
from morningdeck.store.database.connect import Database, open_database
from morningdeck.store.database.migrate import upgrade
from morningdeck.store.database.prepared import Prepared
from morningdeck.store.rows.answer_cache import SqlAnswerCache
from morningdeck.store.rows.ledger import SqlLedger
from morningdeck.store.rows.stories import SqlStoryRows
from morningdeck.store.tables.news import items, sources
from tests.conftest import NOW
from tests.contracts.ledger import CALL
from tests.factories import make_items, make_source, row_of
from tests.fakes import TitleWindow

FOR_NOW = Prepared(update(sources).values(title="for now"), lasting=False)
FOR_EVER = Prepared(update(sources).values(title="for ever"))


@pytest.fixture
def database(tmp_path: Path) -> Iterator[Database]:
    found = open_database(f"sqlite:///{tmp_path}/deck.db")
    upgrade(found)
    yield found
    found.close()


@pytest.fixture
def synced(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The inodes of the files that were waited for."""
    inodes: list[int] = []
    wait = os.fdatasync

    def watched(descriptor: int) -> None:
        inodes.append(os.fstat(descriptor).st_ino)
        wait(descriptor)

    monkeypatch.setattr(os, "fdatasync", watched)
    return inodes


def test_only_what_must_last_waits_for_the_log_on_the_disk(
    database: Database, tmp_path: Path, synced: list[int]
) -> None:
    source = make_source(database)
    log = (tmp_path / "deck.db-wal").stat().st_ino
    assert synced == [log]

    database.run(FOR_NOW, {})
    assert synced == [log]
    assert row_of(database, sources, source).title == "for now"

    database.run(FOR_EVER, {})
    with database.write() as connection:
        connection.execute(update(sources).values(title="once more"))
    assert synced == [log] * 3

    with database.write(lasting=False) as connection:
        connection.execute(update(sources).values(title="for now"))
    database.run_both(FOR_NOW, FOR_NOW, {})
    assert synced == [log] * 3
    database.run_both(FOR_NOW, FOR_EVER, {})
    assert synced == [log] * 4


def test_the_place_of_an_item_waits_for_no_disk(database: Database, synced: list[int]) -> None:
    """What settles it later makes it safe; until then nobody sees it."""
    (item,) = make_items(database, make_source(database), 1)
    rows, before = SqlStoryRows(database, TitleWindow), list(synced)

    rows.assign(item, Likeness(None, "Harbour opens", "", 0), NOW)

    assert row_of(database, items, item).story_id is not None
    assert synced == before


def test_money_that_is_set_aside_must_last_and_what_follows_need_not(
    database: Database, synced: list[int]
) -> None:
    """A settlement that is lost leaves the full amount reserved, which is never too little."""
    ledger = SqlLedger(database, lambda: NOW, lambda _: None)
    ledger.settle(ledger.reserve(CALL), CallUsage(1000, 1000))  # the first of a day does more
    before = len(synced)

    reservation = ledger.reserve(CALL)
    assert len(synced) == before + 1
    ledger.settle(reservation, CallUsage(1000, 1000))
    SqlAnswerCache(database, lambda: NOW).keep("key", "{}")
    assert len(synced) == before + 1


def test_a_log_that_cannot_be_made_safe_is_a_database_that_is_away(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    source = make_source(database)

    def fails(descriptor: int) -> None:
        raise OSError(5, "Input/output error")

    with monkeypatch.context() as patched:
        patched.setattr(os, "fdatasync", fails)
        with pytest.raises(DatabaseAwayError, match="not safe on the disk: Input/output error"):
            database.run(FOR_EVER, {})

    database.run(FOR_NOW, {})
    assert row_of(database, sources, source).title == "for now"


def test_the_writer_leaves_the_waiting_to_us_and_everybody_else_to_sqlite(
    database: Database,
) -> None:
    with database.write() as connection:
        assert connection.exec_driver_sql("PRAGMA synchronous").scalar() == 1
    with database.read() as connection:
        assert connection.exec_driver_sql("PRAGMA synchronous").scalar() == 2
