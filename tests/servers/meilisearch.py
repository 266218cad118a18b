"""A real Meilisearch for the tests, from npm, on a free port, with a master key.

All test processes share one server, as they share PostgreSQL; each test has an index of its own
name. A test that kills its server starts one for itself.
"""

from __future__ import annotations

import hashlib
import json
import os
import secrets
import shutil
import tempfile
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from tests.servers.postgresql import free_port, locked_note

PACKAGE = Path(__file__).parents[1] / "searchserver" / "node_modules" / "@gaubee"
PROGRAM = PACKAGE / "meilisearch-linux-amd64" / "meilisearch"
SHA256 = "5354d854974433f8f903e59347c1c6a7f2ad947f21b3402a2cc01e07b1c952e0"
SMALL = ("--max-indexing-memory", "256MiB", "--max-indexing-threads", "1")
"""Without these it takes 1.6 GB."""
PATIENCE_SECONDS = 60.0


class Meilisearch:
    def __init__(self, folder: Path, port: int, key: str, pid: int = 0) -> None:
        self.folder = folder
        self.port = port
        self.key = key
        self.pid = pid

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    # ---- one server for all test processes

    @classmethod
    @contextmanager
    def shared(cls, folder: Path) -> Iterator[Meilisearch]:
        note = folder / "meilisearch.json"
        with locked_note(note) as state:
            if not state:
                server = cls.start()
                about = {"folder": str(server.folder), "port": server.port}
                state.update(**about, key=server.key, pid=server.pid, users=0)
            state["users"] += 1
            server = cls(Path(state["folder"]), state["port"], state["key"], state["pid"])
        try:
            yield server
        finally:
            with locked_note(note) as state:
                state["users"] -= 1
                if not state["users"]:
                    server.stop()
                    state.clear()

    # ---- a server

    @classmethod
    def start(cls, *options: str) -> Meilisearch:
        folder = Path(tempfile.mkdtemp(prefix="morningdeck-meilisearch-"))
        server = cls(folder, free_port(), secrets.token_hex(16))
        server.up(*options)
        return server

    def up(self, *options: str) -> None:
        """With all that it had, after `kill`."""
        folders = {
            name: str(self.folder / name) for name in ("db-path", "dump-dir", "snapshot-dir")
        }
        given = {"http-addr": f"127.0.0.1:{self.port}", **folders}
        words = [word for name, value in given.items() for word in (f"--{name}", value)]
        log = (str(self.folder / "log"), os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
        # a Popen complains when another process stops what this one has started
        self.pid = os.posix_spawn(
            PROGRAM,
            [str(PROGRAM), "--no-analytics", *words, *SMALL, *options],
            {"MEILI_MASTER_KEY": self.key, "MEILI_ENV": "production"},
            file_actions=[
                (os.POSIX_SPAWN_OPEN, 1, *log),
                (os.POSIX_SPAWN_OPEN, 2, *log),
            ],
        )
        until = time.monotonic() + PATIENCE_SECONDS
        while not self._answers():
            assert time.monotonic() < until, (self.folder / "log").read_text()[-2000:]
            time.sleep(0.02)

    def kill(self) -> None:
        """As `kill -9`, or the power, would: no goodbye."""
        os.kill(self.pid, 9)
        with suppress(ChildProcessError):  # another process has started it
            os.waitpid(self.pid, 0)

    def stop(self) -> None:
        with suppress(ProcessLookupError):  # a test has killed it
            self.kill()
        shutil.rmtree(self.folder, ignore_errors=True)

    def ask(self, method: str, path: str, body: Any = None) -> Any:
        """As whoever has its master key, by nothing of ours."""
        data = None if body is None else json.dumps(body).encode()
        headers = {"Authorization": f"Bearer {self.key}", "Content-Type": "application/json"}
        request = urllib.request.Request(f"{self.url}{path}", data, headers, method=method)
        with urllib.request.urlopen(request, timeout=PATIENCE_SECONDS) as answer:
            return json.loads(answer.read() or b"null")

    def settled(self, task: dict[str, Any]) -> dict[str, Any]:
        """What has become of it."""
        until = time.monotonic() + PATIENCE_SECONDS
        while True:
            found: dict[str, Any] = self.ask("GET", f"/tasks/{task['taskUid']}")
            if found["status"] not in ("enqueued", "processing"):
                return found
            assert time.monotonic() < until, found
            time.sleep(0.01)

    def _answers(self) -> bool:
        try:
            return bool(self.ask("GET", "/health")["status"] == "available")
        except OSError:
            return False


@cache
def need_meilisearch() -> None:
    """Where nobody promised that it is there, a test may do without; another one is refused."""
    if not PROGRAM.exists():
        said = "Meilisearch is missing: make test installs it, on Linux with an x86-64 processor"
        if os.environ.get("CI"):
            pytest.fail(said)
        pytest.skip(said)
    with PROGRAM.open("rb") as program:
        assert hashlib.file_digest(program, "sha256").hexdigest() == SHA256
    PROGRAM.chmod(0o755)
