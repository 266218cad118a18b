"""What the tests of the web share: one that runs, on each database."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack

import pytest

from tests.web.site import Website, website


@pytest.fixture(scope="module", params=["sqlite", "postgresql"])
def web(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Website]:
    """For all tests of a file: each makes what it needs."""
    folder = tmp_path_factory.mktemp("web")
    with ExitStack() as stack:
        url = f"sqlite:///{folder / 'deck.db'}"
        if request.param == "postgresql":
            server = request.getfixturevalue("postgres_server")
            url = stack.enter_context(server.database(f"web{id(stack)}"))
        yield stack.enter_context(website(folder, url))
