"""Real servers of Debian's for the tests, each in a folder of its own: started, asked, ended."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path

import pytest

from tests.waiting import until


class Program:
    """Whoever makes one of it says how it is started (`command`) and where it answers (`port`)."""

    greeting: bytes
    port: int

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._process: subprocess.Popen[bytes] | None = None

    def command(self) -> list[str]:
        raise NotImplementedError

    def up(self) -> None:
        with (self.folder / "output").open("wb") as output:
            self._process = subprocess.Popen(self.command(), stdout=output, stderr=output)
        until(self._answers)

    def down(self) -> None:
        if self._process is not None:
            self._process.terminate()
            self._process.wait()
            self._process = None

    @contextmanager
    def running(self) -> Iterator[None]:
        self.up()
        try:
            yield
        finally:
            self.down()

    def _answers(self) -> bool:
        with suppress(OSError), closing(socket.create_connection(("127.0.0.1", self.port))) as one:
            return one.recv(len(self.greeting)) == self.greeting
        return False


@contextmanager
def folder_of(name: str) -> Iterator[Path]:
    """One that every user may enter."""
    folder = Path(tempfile.mkdtemp(prefix=f"morningdeck-{name}-"))
    folder.chmod(0o755)
    try:
        yield folder
    finally:
        shutil.rmtree(folder)


def need(name: str, program: str, *, as_root: bool = True) -> None:
    """Skips with a word about why there is none; where CI is set there must be one."""
    missing = None if Path(program).exists() else f"{name} is not installed"
    if missing is None and as_root and os.geteuid() != 0:
        missing = f"{name} needs root"
    if missing and os.environ.get("CI"):
        pytest.fail(missing)
    if missing:
        pytest.skip(f"{missing} (see README)")


def free_ports(count: int) -> list[int]:
    probes = [socket.create_server(("127.0.0.1", 0)) for _ in range(count)]
    ports = [probe.getsockname()[1] for probe in probes]
    for probe in probes:
        probe.close()
    return ports
