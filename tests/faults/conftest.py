"""What the tests of faults share: real daemons, feeds, a reader, and a line for each run."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from tests.conftest import FAULTS
from tests.faults.crew import Crew, crews
from tests.faults.daemon import Daemon, daemons
from tests.faults.feeds import Feeds, serving
from tests.faults.newsroom import Newsroom, newsroom
from tests.faults.scene import Scene
from tests.servers.postgresql import PostgresServer

DURABLE = ("fsync=off", "full_page_writes=off")
"""As fast as in other tests, but a commit survives a crash of the server."""
TIMEOUT_SECONDS = 1_800
LONG_TIMEOUT_SECONDS = 14_400
LONGEST = "test_chaos.py"


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    seconds = LONG_TIMEOUT_SECONDS if config.getoption("--long") else TIMEOUT_SECONDS
    for item in items:
        if Path(__file__).parent in item.path.parents:
            item.add_marker(pytest.mark.timeout(seconds))
    # the longest ones side by side, while everything else goes on behind them
    items.sort(key=lambda item: item.path.name != LONGEST)


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """One run of chaos every day, ten in the long tier."""
    if "run" in metafunc.fixturenames:
        metafunc.parametrize("run", range(10 if metafunc.config.getoption("--long") else 1))


@pytest.fixture
def long(pytestconfig: pytest.Config) -> bool:
    return bool(pytestconfig.getoption("--long"))


@pytest.fixture
def kills(pytestconfig: pytest.Config) -> int:
    return int(pytestconfig.getoption("--kills"))


@pytest.fixture
def seed(pytestconfig: pytest.Config, run: int) -> int:
    """Another for each run; the line about the run names it, so that it can be asked for again."""
    first: int | None = pytestconfig.getoption("--seed")
    return secrets.randbelow(1_000_000) if first is None else first + run


@pytest.fixture
def cuts(pytestconfig: pytest.Config, long: bool) -> int:
    return pytestconfig.getoption("--cuts") or (50 if long else 5)


@pytest.fixture
def tell(record_property: Callable[[str, object], None]) -> Callable[[object], None]:
    """Print this line about the run at the end."""
    return lambda line: record_property(FAULTS, str(line))


@pytest.fixture
def daemon() -> Iterator[Callable[..., Daemon]]:
    """Makes daemons: `daemon(folder, url, fetch__workers=2)`."""
    with daemons() as make:
        yield make


@pytest.fixture
def own_server() -> Iterator[PostgresServer]:
    """A PostgreSQL that may be stopped, frozen or broken."""
    server = PostgresServer.start(options=DURABLE)
    try:
        yield server
    finally:
        server.stop()


@pytest.fixture
def open_room(tmp_path: Path) -> Iterator[Callable[..., Newsroom]]:
    """Makes a newsroom on a database: `open_room(url, feeds=40)`."""
    with ExitStack() as open_ones:

        def make(database_url: str, *, feeds: int, outbox: Path | None = None) -> Newsroom:
            served: Feeds = open_ones.enter_context(serving(feeds))
            folder = outbox or tmp_path / "outbox"
            return open_ones.enter_context(newsroom(database_url, served, folder))

        yield make


@pytest.fixture
def make_scene(
    tmp_path: Path, open_room: Callable[..., Newsroom], daemon: Callable[..., Daemon]
) -> Callable[[str], Scene]:
    return lambda url: Scene(url, tmp_path, open_room, daemon)


@pytest.fixture
def scene(make_scene: Callable[[str], Scene], database_url: str) -> Scene:
    """On both databases, one after the other."""
    return make_scene(database_url)


@pytest.fixture
def sqlite_scene(make_scene: Callable[[str], Scene], sqlite_url: str) -> Scene:
    return make_scene(sqlite_url)


@pytest.fixture
def postgres_scene(make_scene: Callable[[str], Scene], postgres_url: str) -> Scene:
    return make_scene(postgres_url)


@pytest.fixture
def crew(postgres_url: str, tmp_path: Path, daemon: Callable[..., Daemon]) -> Callable[..., Crew]:
    return crews(postgres_url, tmp_path, daemon)
