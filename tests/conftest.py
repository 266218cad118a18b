"""What all tests share: real databases, a clock that is set by hand."""

from __future__ import annotations

import itertools
import logging
import os
import shutil
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import hypothesis
import pytest
import structlog

from morningdeck.store.database.connect import Database, open_database
from morningdeck.store.database.migrate import upgrade
from morningdeck.store.tables import metadata
from tests.servers.brokers import Broker, broker
from tests.servers.dovecot import Dovecot, dovecot
from tests.servers.feeds import FeedServer
from tests.servers.meilisearch import Meilisearch, need_meilisearch
from tests.servers.postgresql import PostgresServer
from tests.servers.web import Server

pytest.register_assert_rewrite("tests.contracts", "tests.mailcheck")
# what a busy machine takes says nothing of the code
hypothesis.settings.register_profile(
    "untimed", deadline=None, suppress_health_check=[hypothesis.HealthCheck.too_slow]
)
hypothesis.settings.load_profile("untimed")

NOW = datetime(2026, 11, 18, 7, 0, tzinfo=UTC)
CORPORA = Path(__file__).parents[2] / "shared" / "corpora"
TABLES = ("item_search", *(table.name for table in reversed(metadata.sorted_tables)))
FAULTS = "faults"
"""The property in which a fault test says how its run ended."""
_numbers = itertools.count()


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--long", action="store_true", help="the long tier of the fault tests")
    parser.addoption("--kills", type=int, default=100, help="how often chaos kills in a run")
    parser.addoption("--seed", type=int, default=None, help="chaos goes on from this seed")
    parser.addoption("--cuts", type=int, default=None, help="how often connections are cut")


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    for outcome in ("passed", "failed"):
        for report in terminalreporter.getreports(outcome):
            for name, line in report.user_properties:
                if name == FAULTS and report.when == "call":
                    test = report.nodeid.rpartition("::")[2]
                    terminalreporter.write_line(f"{test}: {line}")


class ManualClock:
    """A clock that stands still until it is moved."""

    def __init__(self, now: datetime = NOW) -> None:
        self.now = now

    def __call__(self) -> datetime:
        return self.now

    def pass_(self, **much: float) -> None:
        self.now += timedelta(**much)


@pytest.fixture(autouse=True, scope="session")
def own_home(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Whoever runs the tests may have a deck of their own."""
    with pytest.MonkeyPatch.context() as patch:
        for name in ("XDG_DATA_HOME", "XDG_CONFIG_HOME"):
            patch.setenv(name, str(tmp_path_factory.mktemp(name.lower())))
        yield


@pytest.fixture(autouse=True)
def own_logging() -> Iterator[None]:
    """What a command sets up for its log ends with its test."""
    root = logging.getLogger()
    handlers, level = root.handlers[:], root.level
    yield
    structlog.reset_defaults()
    root.handlers[:], root.level = handlers, level


@pytest.fixture
def clock() -> ManualClock:
    return ManualClock()


@pytest.fixture(scope="session")
def corpora() -> Path:
    """Material that nobody here wrote; somebody's clone of the project alone has none."""
    if not CORPORA.is_dir():
        if os.environ.get("CI"):
            pytest.fail(f"there are no corpora at {CORPORA}")
        pytest.skip("the test corpora are not beside this checkout (see README)")
    return CORPORA


@pytest.fixture(scope="session")
def postgres_server(
    tmp_path_factory: pytest.TempPathFactory, worker_id: str
) -> Iterator[PostgresServer]:
    """One server for all test processes: the first starts it, the last stops it."""
    shared = tmp_path_factory.getbasetemp()
    if worker_id != "master":
        shared = shared.parent
    with PostgresServer.shared(shared) as server:
        yield server


@pytest.fixture
def postgres_url(postgres_server: PostgresServer) -> Iterator[str]:
    """A database of its own, migrated, that is gone after the test."""
    name = f"t{os.getpid()}_{next(_numbers)}"
    with postgres_server.database(name) as url:
        yield url


@pytest.fixture(scope="session")
def kept_url(postgres_server: PostgresServer) -> Iterator[str]:
    with postgres_server.database(f"kept{os.getpid()}") as url:
        yield url


@pytest.fixture
def emptied_url(kept_url: str) -> Iterator[str]:
    """One for all tests of a folder, emptied after each: a new one takes longer than most."""
    yield kept_url
    database = open_database(kept_url)
    with database.write() as connection:
        connection.exec_driver_sql("; ".join(f"DELETE FROM {name}" for name in TABLES))
    database.close()


@pytest.fixture(scope="session")
def sqlite_template(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Migrated once: a copy costs a tenth of the migrations."""
    path = tmp_path_factory.mktemp("template") / "morningdeck.db"
    database = open_database(f"sqlite:///{path}")
    upgrade(database)
    database.close()
    return path


@pytest.fixture
def sqlite_url(sqlite_template: Path, tmp_path: Path) -> str:
    """A database of its own, migrated."""
    return f"sqlite:///{shutil.copy(sqlite_template, tmp_path)}"


@pytest.fixture(params=["sqlite", "postgresql"])
def database_url(request: pytest.FixtureRequest) -> str:
    """Every database test runs on both."""
    name = "sqlite_url" if request.param == "sqlite" else "postgres_url"
    return str(request.getfixturevalue(name))


@pytest.fixture
def database(database_url: str) -> Iterator[Database]:
    database = open_database(database_url)
    upgrade(database)
    yield database
    database.close()


@pytest.fixture
def server() -> Iterator[Server]:
    """A web server that says what the test tells it to."""
    with Server() as server:
        yield server


@pytest.fixture
def site() -> Iterator[FeedServer]:
    with FeedServer() as feeds:
        yield feeds


@pytest.fixture(scope="session")
def search_server(
    tmp_path_factory: pytest.TempPathFactory, worker_id: str
) -> Iterator[Meilisearch]:
    """One Meilisearch for all test processes."""
    need_meilisearch()
    shared = tmp_path_factory.getbasetemp()
    with Meilisearch.shared(shared if worker_id == "master" else shared.parent) as server:
        yield server


@pytest.fixture
def own_search_server() -> Iterator[Meilisearch]:
    """For a test that kills it."""
    need_meilisearch()
    server = Meilisearch.start()
    yield server
    server.stop()


@pytest.fixture(scope="session")
def imap_server() -> Iterator[Dovecot]:
    with dovecot() as server:
        yield server


@pytest.fixture(scope="session")
def redis_broker() -> Iterator[Broker]:
    """One for each process that has a group of such tests (see their `pytestmark`)."""
    with broker("redis") as server:
        yield server


@pytest.fixture(scope="session")
def rabbitmq_broker() -> Iterator[Broker]:
    with broker("rabbitmq") as server:
        yield server


@pytest.fixture(scope="session")
def sqs_broker() -> Iterator[Broker]:
    with broker("sqs") as server:
        yield server
