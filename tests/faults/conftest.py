"""What the tests of faults share: real daemons, feeds, a reader, and a line for each run."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from tests.faults.daemon import Daemon, daemons
from tests.faults.feeds import Feeds, serving
from tests.faults.newsroom import Newsroom, newsroom

TIMEOUT_SECONDS = 900
LONG_TIMEOUT_SECONDS = 14_400
LINE = "faults"
LONGEST = "test_chaos.py"


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--long", action="store_true", help="the long tier of the fault tests")
    parser.addoption("--kills", type=int, default=None, help="how often chaos kills")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    seconds = LONG_TIMEOUT_SECONDS if _long(config) else TIMEOUT_SECONDS
    for item in items:
        if Path(__file__).parent in item.path.parents:
            item.add_marker(pytest.mark.timeout(seconds))
    # the longest ones side by side, while everything else goes on behind them
    items.sort(key=lambda item: item.path.name != LONGEST)


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    for outcome in ("passed", "failed"):
        for report in terminalreporter.getreports(outcome):
            for name, line in report.user_properties:
                if name == LINE and report.when == "call":
                    test = report.nodeid.rpartition("::")[2]
                    terminalreporter.write_line(f"{test}: {line}")


def _long(config: pytest.Config) -> bool:
    # unknown when the whole suite runs: this file is read too late for its options then
    return bool(config.getoption("--long", default=False))


@pytest.fixture
def long(pytestconfig: pytest.Config) -> bool:
    return _long(pytestconfig)


@pytest.fixture
def kills(pytestconfig: pytest.Config, long: bool) -> int:
    return pytestconfig.getoption("--kills", default=None) or (1000 if long else 100)


@pytest.fixture
def tell(record_property: Callable[[str, object], None]) -> Callable[[object], None]:
    """Print this line about the run at the end."""
    return lambda line: record_property(LINE, str(line))


@pytest.fixture
def daemon() -> Iterator[Callable[..., Daemon]]:
    """Makes daemons: `daemon(folder, url, fetch__workers=2)`."""
    with daemons() as make:
        yield make


@pytest.fixture
def open_room(tmp_path: Path) -> Iterator[Callable[..., Newsroom]]:
    """Makes a newsroom on a database: `open_room(url, feeds=40)`."""
    with ExitStack() as open_ones:

        def make(database_url: str, *, feeds: int, outbox: Path | None = None) -> Newsroom:
            served: Feeds = open_ones.enter_context(serving(feeds))
            place = outbox or tmp_path / "outbox"
            return open_ones.enter_context(newsroom(database_url, served, place))

        yield make
