"""Which loops a process has: a daemon all of them, a worker only the lanes of its stages."""

from __future__ import annotations

from pathlib import Path

from morningdeck.app import open_app
from morningdeck.loops import build_worker
from morningdeck.settings.sections import Settings
from morningdeck.store.database.connect import Database
from morningdeck.store.tables.briefs import deliveries
from morningdeck.store.tables.news import items
from morningdeck.work import Stage
from tests.factories import make_delivery, make_item, make_source, row_of
from tests.waiting import until


def test_a_worker_does_the_work_of_its_stages_and_sends_nothing(
    database: Database, database_url: str, tmp_path: Path
) -> None:
    item, delivery = make_item(database, make_source(database)), make_delivery(database)
    given = {"data_dir": tmp_path, "database": {"url": database_url}}
    with open_app(Settings.model_validate(given)) as app:
        engine = build_worker(app, [Stage.PROCESSING])
        engine.start()
        # that nobody reads its source is found by the verb
        until(lambda: row_of(database, items, item).status == "CANCELLED")
        assert engine.stop(10)

    assert row_of(database, deliveries, delivery).status == "PENDING"
