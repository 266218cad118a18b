"""What the tests of the web share: one that runs, on each database."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from typing import Any

import pytest

from tests.web.site import Website, website


@pytest.fixture(scope="module", params=["sqlite", "postgresql"])
def web(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Website]:
    """For all tests of a file: each makes what it needs."""
    with a_website(request, tmp_path_factory) as web:
        yield web


@pytest.fixture(scope="module", params=["sqlite", "postgresql"])
def open_web(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Website]:
    """One that may read what is served on this machine."""
    with a_website(request, tmp_path_factory, reaches=("127.0.0.0/8",)) as web:
        yield web


@contextmanager
def a_website(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory, **chosen: Any
) -> Iterator[Website]:
    folder = tmp_path_factory.mktemp("web")
    with ExitStack() as stack:
        url = f"sqlite:///{folder / 'deck.db'}"
        if request.param == "postgresql":
            server = request.getfixturevalue("postgres_server")
            url = stack.enter_context(server.database(f"web{id(stack)}"))
        yield stack.enter_context(website(folder, url, **chosen))
