"""A command at a real terminal of a given width."""

from __future__ import annotations

import fcntl
import os
import pty
import re
import select
import signal
import struct
import subprocess
import sys
import termios
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

_STYLES = re.compile(r"\x1b\[[0-9;?]*[a-zA-Z]")


def at_terminal(
    folder: Path, *words: str, columns: int = 80, answers: Sequence[tuple[str, str]] = ()
) -> str:
    """All that it shows, styles and what was overwritten taken out; each time that it asks the
    first of a pair, the other one is typed.
    """
    ours, its = pty.openpty()
    fcntl.ioctl(its, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
    command = [sys.executable, "-m", "morningdeck", *words]
    surroundings = {**os.environ, "TERM": "xterm"}
    surroundings.pop("COLUMNS", None)
    process = subprocess.Popen(
        command, cwd=folder, stdin=its, stdout=its, stderr=its, env=surroundings
    )
    os.close(its)
    shown = b""
    for question, answer in answers:
        before = len(shown)
        while question.encode() not in shown[before:] and (read := _read(ours)):
            shown += read
        os.write(ours, f"{answer}\n".encode())
    shown += b"".join(iter(lambda: _read(ours), b""))
    os.close(ours)
    assert process.wait(60) == 0, shown.decode()
    return _STYLES.sub("", shown.decode()).replace("\r\n", "\n")


def _read(terminal: int) -> bytes:
    try:
        return os.read(terminal, 65536)
    except OSError:  # how Linux says that nobody is at its other end any more
        return b""


@contextmanager
def daemon_at_terminal(folder: Path) -> Iterator[Callable[[str], str]]:
    """A daemon there; call what comes to wait until it shows that, and to see all so far."""
    ours, its = pty.openpty()
    command = [sys.executable, "-m", "morningdeck", "run"]
    around = {**os.environ, "MORNINGDECK_WEB__PORT": "0"}
    with subprocess.Popen(
        command, cwd=folder, stdin=its, stdout=its, stderr=its, env=around
    ) as process:
        os.close(its)
        seen = b""

        def shows(text: str) -> str:
            nonlocal seen
            until = time.monotonic() + 60
            while text.encode() not in seen and time.monotonic() < until:
                seen += _read(ours) if select.select([ours], [], [], 1)[0] else b""
            assert text.encode() in seen, seen.decode()
            return _STYLES.sub("", seen.decode())

        try:
            yield shows
        finally:
            process.send_signal(signal.SIGTERM)
            while _read(ours):
                continue
    os.close(ours)
    assert process.returncode == 0
