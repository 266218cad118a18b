"""Work through a broker: what a worker does, and what is refused before anything begins."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import select
from structlog.typing import EventDict

from morningdeck.actions.status import NO_DAEMON, NO_WORKER, standing
from morningdeck.app import App, open_app
from morningdeck.errors import ConfigError
from morningdeck.settings.sections import Settings
from morningdeck.store.database.connect import Database, open_database
from morningdeck.store.tables.briefs import deliveries
from morningdeck.store.tables.news import items
from morningdeck.store.tables.running import notices
from morningdeck.views.running import StatusView
from morningdeck.work import Stage
from tests.engine.conftest import named
from tests.factories import make_delivery, make_item, make_source, row_of
from tests.servers.brokers import Broker, broker
from tests.waiting import until

pytestmark = pytest.mark.xdist_group("broker-apps")
CELERY = {"backend": "celery"}
SECRET = "s3cr3t"
NOBODY = f"amqp://deck:{SECRET}@127.0.0.1:1//"


def deck(tmp_path: Path, url: str, **queue: str) -> AbstractContextManager[App]:
    given: dict[str, Any] = {"data_dir": tmp_path, "database": {"url": url}, "queue": queue}
    return open_app(Settings.model_validate(given))


@pytest.fixture
def postgres(postgres_url: str) -> Iterator[Database]:
    database = open_database(postgres_url)
    yield database
    database.close()


def test_a_worker_does_the_work_of_its_stages_and_sends_nothing(
    postgres: Database, postgres_url: str, redis_broker: Broker, tmp_path: Path
) -> None:
    item, delivery = make_item(postgres, make_source(postgres)), make_delivery(postgres)
    redis_broker.empty(Stage.PROCESSING.value)
    where = {**CELERY, "broker_url": redis_broker.url}
    with deck(tmp_path / "worker", postgres_url, **where) as one:
        works = one.build_worker([Stage.PROCESSING])
        works.start()
        with deck(tmp_path / "daemon", postgres_url, **where) as other:
            (lane,) = [loop for loop in feeding_of(other) if loop.name == "processing"]
            lane.start()
            # that nobody reads its source is found by the verb
            until(lambda: row_of(postgres, items, item).status == "CANCELLED")
            lane.stop()
            assert lane.join(10)
        assert works.stop(10)

    assert row_of(postgres, deliveries, delivery).status == "PENDING"


def feeding_of(app: App) -> list[Any]:
    from morningdeck.distributed import feeding

    return list(feeding(app, [Stage.PROCESSING, Stage.FETCH]))


def test_a_broker_that_is_away_gives_the_claim_back_and_is_told_of_once(
    postgres: Database,
    postgres_url: str,
    tmp_path: Path,
    logged: list[EventDict],
) -> None:
    item = make_item(postgres, make_source(postgres))
    with deck(tmp_path, postgres_url, **CELERY, broker_url=NOBODY) as app:
        lane = feeding_of(app)[0]
        lane.start()
        until(lambda: named(logged, "broker_away"))
        until(lambda: row_of(postgres, items, item).status == "NEW")
        lane.stop()
        assert lane.join(10)

    assert row_of(postgres, items, item).claimed_by is None
    with postgres.read() as connection:
        (text,) = connection.scalars(select(notices.c.text)).all()
    assert "takes no work for processing" in text
    assert len(named(logged, "broker_away")) == 1
    assert SECRET not in f"{text} {logged}"


def test_the_work_goes_on_when_the_broker_is_back(
    postgres: Database, postgres_url: str, tmp_path: Path, logged: list[EventDict]
) -> None:
    item = make_item(postgres, make_source(postgres))
    with broker("redis") as own:
        own.down()
        with deck(tmp_path, postgres_url, **CELERY, broker_url=own.url) as app:
            lane = feeding_of(app)[0]
            lane.start()
            until(lambda: named(logged, "broker_away"))
            own.up()
            until(lambda: row_of(postgres, items, item).status == "PENDING")
            until(lambda: named(logged, "broker_back"))
            lane.stop()
            assert lane.join(10)
    with postgres.read() as connection:
        assert connection.scalars(select(notices.c.ended_at)).one() is not None


def told_of(postgres: Database) -> list[bool]:
    """For each notice of a broker: whether it has ended."""
    with postgres.read() as connection:
        rows = connection.scalars(select(notices.c.ended_at)).all()
    return [ended_at is not None for ended_at in rows]


def test_a_daemon_that_reaches_the_broker_ends_what_another_has_told(
    postgres: Database, postgres_url: str, redis_broker: Broker, tmp_path: Path
) -> None:
    redis_broker.empty(Stage.PROCESSING.value)
    where = {**CELERY, "broker_url": redis_broker.url}
    with deck(tmp_path, postgres_url, **where) as app:
        app.store.broker_notices.tell(Stage.PROCESSING.value, "away", app.clock())
        assert told_of(postgres) == [False]
        make_item(postgres, make_source(postgres))
        lane = feeding_of(app)[0]
        lane.start()
        until(lambda: told_of(postgres) == [True])
        lane.stop()
        assert lane.join(10)


def test_where_there_is_no_broker_any_more_its_notices_end(
    postgres: Database, postgres_url: str, tmp_path: Path
) -> None:
    with deck(tmp_path, postgres_url) as app:
        for stage in (Stage.PROCESSING, Stage.FETCH):
            app.store.broker_notices.tell(stage.value, "away", app.clock())
        assert app.run(once=True) is False

    assert told_of(postgres) == [True, True]


def test_a_stage_that_no_worker_serves_is_told_in_the_status(
    postgres: Database, postgres_url: str, tmp_path: Path
) -> None:
    make_item(postgres, make_source(postgres))
    with deck(tmp_path, postgres_url, **CELERY, broker_url=NOBODY) as app:
        assert limited_by(app) == (NO_DAEMON, 0)
        app.join("daemon")
        assert limited_by(app) == (NO_WORKER, 0)
        for number, stages in enumerate(((Stage.FETCH,), (Stage.FETCH, Stage.PROCESSING))):
            with deck(tmp_path / str(number), postgres_url) as worker:
                worker.join("worker", stages)
            assert limited_by(app) == ((NO_WORKER, None)[number], number + 1)


def test_without_a_broker_the_workers_of_all_daemons_count(
    postgres: Database, postgres_url: str, tmp_path: Path
) -> None:
    with deck(tmp_path / "one", postgres_url) as app, deck(tmp_path / "two", postgres_url) as two:
        of_one = app.settings.processing.workers
        assert seen(app).queues["processing"].workers == of_one
        for daemon in (app, two):
            daemon.join("daemon")

        assert seen(app).queues["processing"].workers == 2 * of_one
        assert seen(app, brokered=True).queues["processing"].workers == of_one


def limited_by(app: App) -> tuple[str | None, int | None]:
    """Of processing; and how many workers there are."""
    view = seen(app, brokered=True)
    return view.queues["processing"].limited_by, view.worker_processes


def seen(app: App, *, brokered: bool = False) -> StatusView:
    return standing(
        app.store,
        app.store.users.first().id,
        data_dir=app.settings.data_dir,
        lanes=app.lanes,
        search_backend="database",
        budget_usd=None,
        midnight=app.clock(),
        now=app.clock(),
        brokered=brokered,
    )


# ---- what is refused


def test_a_file_that_no_other_machine_can_open_is_refused(tmp_path: Path, sqlite_url: str) -> None:
    where = {**CELERY, "broker_url": "redis://127.0.0.1/0"}
    with (
        deck(tmp_path, sqlite_url, **where) as app,
        pytest.raises(ConfigError, match=r"needs PostgreSQL: set database.url"),
    ):
        app.build_engine()


def test_a_broker_must_be_named(tmp_path: Path, postgres_url: str) -> None:
    with (
        deck(tmp_path, postgres_url, **CELERY) as app,
        pytest.raises(ConfigError, match=r"needs queue.broker_url"),
    ):
        app.build_engine()


def test_a_worker_without_a_broker_is_told_what_to_set(tmp_path: Path, postgres_url: str) -> None:
    with (
        deck(tmp_path, postgres_url) as app,
        pytest.raises(ConfigError, match=r'set queue.backend = "celery"'),
    ):
        app.build_worker([Stage.FETCH])


def test_a_broker_of_another_kind_is_refused_without_its_password() -> None:
    with pytest.raises(ValueError, match="must begin with one of redis://") as refused:
        Settings.model_validate({"queue": {"broker_url": f"kafka://deck:{SECRET}@host"}})
    assert SECRET not in str(refused.value.errors()[0]["msg"])  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    "url",
    [
        "redis://:s3c/r3t@host",
        "redis://:33/s3cr3t@host/0",
        "amqp://user:s3c#r3t@host",
        "amqp://user:s3c?r3t@host",
        "amqp://user:s3c[r3t@host",
        "sqs://AKIA:s3c/r3t@",
        "amqp://user:x@s3cr3t/y@host",
        "redis://host:70000",
    ],
)
def test_a_password_that_is_not_written_for_an_address_is_refused_without_a_word_of_it(
    url: str,
) -> None:
    with pytest.raises(ValueError, match="write / as %2F") as refused:
        Settings.model_validate({"queue": {"broker_url": url}})
    said = str(refused.value.errors()[0]["msg"])  # type: ignore[attr-defined]
    assert "s3c" not in said
    assert "r3t" not in said


@pytest.mark.parametrize(
    "url",
    [
        "redis://127.0.0.1/0",
        "redis://:s3c%2Fr3t@[::1]:6379/0",
        "amqp://user:s3c%23r3t@host:5672//",
        "rediss://host:6380/0?ssl_cert_reqs=required",
        "sqs://AKIA:s3c%2Fr3t@",
        "sqs://",
    ],
)
def test_a_broker_may_be_named_so(url: str) -> None:
    settings = Settings.model_validate({"queue": {"broker_url": url}})
    assert settings.queue.broker_url is not None


def test_one_machine_needs_nothing_of_celery(tmp_path: Path, sqlite_url: str) -> None:
    program = (
        "import sys; from morningdeck.app import open_app;"
        " from morningdeck.settings.reading import load\n"
        "with open_app(load()) as app: app.build_engine()\n"
        "print([name for name in sys.modules if name.split('.')[0] in ('celery', 'kombu')])"
    )
    environment = {"MORNINGDECK_DATA_DIR": str(tmp_path), "DATABASE_URL": sqlite_url}
    said = subprocess.run(
        [sys.executable, "-c", program], env=environment, capture_output=True, check=True
    )
    assert said.stdout.strip() == b"[]"
