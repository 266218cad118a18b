"""A command at a real terminal of a given width."""

from __future__ import annotations

import fcntl
import os
import pty
import re
import struct
import subprocess
import sys
import termios
from pathlib import Path

_STYLES = re.compile(r"\x1b\[[0-9;?]*[a-zA-Z]")


def at_terminal(folder: Path, *words: str, columns: int = 80) -> str:
    """All that it shows, styles and what was overwritten taken out."""
    ours, its = pty.openpty()
    fcntl.ioctl(its, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
    command = [sys.executable, "-m", "morningdeck", *words]
    surroundings = {**os.environ, "TERM": "xterm"}
    surroundings.pop("COLUMNS", None)
    process = subprocess.Popen(
        command, cwd=folder, stdin=its, stdout=its, stderr=its, env=surroundings
    )
    os.close(its)
    shown = b"".join(iter(lambda: _read(ours), b""))
    os.close(ours)
    assert process.wait(60) == 0, shown.decode()
    return _STYLES.sub("", shown.decode()).replace("\r\n", "\n")


def _read(terminal: int) -> bytes:
    try:
        return os.read(terminal, 65536)
    except OSError:  # how Linux says that nobody is at its other end any more
        return b""
