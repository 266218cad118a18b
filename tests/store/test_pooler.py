"""PgBouncer between us and PostgreSQL: its transaction mode is refused, its session mode works."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from morningdeck.app import open_app
from morningdeck.errors import ConfigError
from morningdeck.settings.sections import Settings
from morningdeck.store.database.connect import Lock
from tests.servers.pgbouncer import pgbouncer


def settings(tmp_path: Path, url: str) -> Settings:
    given: dict[str, Any] = {"data_dir": tmp_path, "database": {"url": url}}
    return Settings.model_validate(given)


@pytest.mark.parametrize("ignore", ["", "options"])
def test_transaction_mode_is_refused_with_what_to_do(
    postgres_url: str, tmp_path: Path, ignore: str
) -> None:
    with (
        pgbouncer(postgres_url, mode="transaction", ignore=ignore) as url,
        pytest.raises(ConfigError, match="pool_mode = session and ignore_startup_parameters"),
        open_app(settings(tmp_path, url)),
    ):
        pytest.fail("it has begun")


def test_session_mode_works(postgres_url: str, tmp_path: Path) -> None:
    with (
        pgbouncer(postgres_url, mode="session", ignore="options") as url,
        open_app(settings(tmp_path, url)) as app,
        app.store.database.held_if_free(Lock.RETENTION) as mine,
        app.store.database.held_if_free(Lock.RETENTION) as again,
    ):
        assert (mine, again) == (True, False)


def test_postgresql_itself_is_fit(postgres_url: str, tmp_path: Path) -> None:
    with open_app(settings(tmp_path, postgres_url)) as app:
        assert app.store.users.first()
