"""The verbs as a process has them, plugged together."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from threading import Thread

import pytest
from structlog.testing import capture_logs

from morningdeck.actions import briefings
from morningdeck.app import App, open_app
from morningdeck.engine.on_demand import OnDemand
from morningdeck.errors import DatabaseAwayError, TransientError
from morningdeck.refining import Refining
from morningdeck.settings.sections import Settings
from morningdeck.store.database.connect import Database
from morningdeck.work import Stage
from tests.conftest import ManualClock
from tests.factories import Stock
from tests.test_refining import Doubling, ProfilesInMemory


class FasterDaemon(OnDemand):
    """Claims each row just before it is claimed here, and works on it."""

    def claim(self, stage: Stage, row_id: int) -> bool:
        assert super().claim(stage, row_id)
        Thread(target=self.run, args=(stage, row_id)).start()
        return super().claim(stage, row_id)


class RustPanic(BaseException):
    """What libraries in Rust raise is no `Exception`."""


@pytest.fixture
def app(database: Database, database_url: str, tmp_path: Path, clock: ManualClock) -> Iterator[App]:
    given = {"data_dir": tmp_path, "database": {"url": database_url}}
    with open_app(Settings.model_validate(given), clock) as app:
        yield app


@pytest.fixture
def refining_raises(app: App) -> Callable[[BaseException], None]:
    def arrange(error: BaseException) -> None:
        def raises() -> None:
            raise error

        rows = ProfilesInMemory(scored_by=range(1, 10))
        rows.arrive(1, 30)
        refiner = Doubling(raises)
        app.refining = Refining(
            rows, lambda: refiner, busy=bool, on_change=lambda: None, clock=app.clock
        )

    return arrange


@pytest.mark.parametrize("error", [ValueError("of no such shape"), RustPanic("unwrap on None")])
def test_a_briefing_goes_out_though_its_scores_cannot_be_refined(
    app: App,
    database: Database,
    refining_raises: Callable[[BaseException], None],
    error: BaseException,
) -> None:
    stock = Stock(database)
    user = stock.user()
    refining_raises(error)

    with capture_logs() as logged:
        run = briefings.run(app.store, app.on_demand, user, stock.briefing(user))

    assert run.report.id
    assert [line["event"] for line in logged if line["log_level"] == "error"] == [
        "scores_not_refined"
    ]


def test_a_run_that_a_daemon_takes_first_is_waited_for(app: App, database: Database) -> None:
    stock = Stock(database)
    user, work = stock.user(), app.on_demand
    daemon = FasterDaemon(work.holder, work.workers, work.threads, work.heartbeat)

    run = briefings.run(app.store, daemon, user, stock.briefing(user))

    assert run.report.slot == "manual:1"
    assert run.report.status == "GENERATED"


def test_a_briefing_waits_for_a_database_that_is_away(
    app: App, database: Database, refining_raises: Callable[[BaseException], None]
) -> None:
    stock = Stock(database)
    user = stock.user()
    refining_raises(DatabaseAwayError("away"))

    with pytest.raises(TransientError, match="could not be written"):
        briefings.run(app.store, app.on_demand, user, stock.briefing(user))
