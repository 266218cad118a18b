"""Signals over a connection that cannot be had hold nobody up."""

from __future__ import annotations

import pytest
from sqlalchemy.engine import make_url

from morningdeck.store.database.connect import open_database

PIPE_BYTES = 65_536


@pytest.mark.timeout(20)
def test_sending_never_waits_for_a_listener_that_cannot_connect() -> None:
    nowhere = make_url("postgresql+psycopg2://nobody@127.0.0.1:9/none")
    database = open_database(nowhere.render_as_string())
    database.signals.listen(lambda loop: None)

    for _ in range(PIPE_BYTES + 100):
        database.signals.send("processing")

    database.close()
