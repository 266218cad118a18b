"""Who this process is: a node of its data folder, in a new incarnation each time.

Holding `run/<n>.lock` proves that the node's earlier incarnation is dead, because a
file lock dies with its process: what that one had claimed can be given back at once.
"""

from __future__ import annotations

import fcntl
import os
import re
import secrets
import socket
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from morningdeck.errors import ConfigError, ConflictError
from morningdeck.files import make_folder, write

DAEMON_LOCK = "daemon.lock"
ProcessKind = Literal["daemon", "worker", "web", "command"]


@dataclass(frozen=True, slots=True)
class NodeLock:
    """A lock file that is held until `close`, or until the process dies."""

    path: Path
    descriptor: int

    def close(self) -> None:
        os.close(self.descriptor)


def try_lock(path: Path) -> NodeLock | None:
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        os.close(descriptor)
        return None
    return NodeLock(path, descriptor)


@dataclass(frozen=True, slots=True)
class Node:
    name: str
    incarnation: str
    lock: NodeLock

    @property
    def owner(self) -> str:
        """What this process writes into `claimed_by`."""
        return f"{self.name}:{self.incarnation}"

    def close(self) -> None:
        self.lock.close()


def run_folder(data_dir: Path) -> Path:
    folder = data_dir / "run"
    try:
        make_folder(folder)
        if not os.access(folder, os.W_OK):
            raise PermissionError(13, "permission denied")
    except OSError as error:
        raise ConfigError(
            f"cannot write to {str(folder)!r}: {error.strerror}, check data_dir"
        ) from error
    return folder


def join_as_node(data_dir: Path, kind: ProcessKind = "command") -> Node:
    """Become the first free node of this data folder.

    Daemons and workers have numbers of their own: one that comes back must get the one that it
    had, and with it what it held, whatever commands are open by then.
    """
    folder = run_folder(data_dir)
    host = _host_name(folder / "host")
    named = "" if kind == "daemon" else f"{kind}-"
    number = 0
    while (lock := try_lock(folder / f"{named}{number}.lock")) is None:
        number += 1
    return Node(f"{host}/{named}{number}", secrets.token_hex(6), lock)


@contextmanager
def dead_nodes(data_dir: Path) -> Iterator[tuple[str, ...]]:
    """The names of those whose processes are gone; nobody becomes one of them meanwhile."""
    folder = run_folder(data_dir)
    host = _host_name(folder / "host")
    locks = [lock for path in folder.glob("*[0-9].lock") if (lock := try_lock(path)) is not None]
    try:
        yield tuple(f"{host}/{lock.path.stem}" for lock in locks)
    finally:
        for lock in locks:
            lock.close()


def lock_as_daemon(data_dir: Path) -> NodeLock:
    """Only one daemon may use a SQLite data folder."""
    path = run_folder(data_dir) / DAEMON_LOCK
    for _ in range(5):  # somebody who only looks holds it for a moment
        if (lock := try_lock(path)) is not None:
            return lock
        time.sleep(0.02)
    raise ConflictError(
        f"a daemon is already running on {str(data_dir)!r}: stop it first, or set another data_dir"
    )


def refuse_beside_web(data_dir: Path) -> None:
    """For what takes the database away from those who have it open for long."""
    for path in run_folder(data_dir).glob("web-*.lock"):
        if (lock := try_lock(path)) is None:
            raise ConflictError(f"morningdeck web is running on {str(data_dir)!r}: stop it first")
        lock.close()


def daemon_runs(data_dir: Path) -> bool:
    path = data_dir / "run" / DAEMON_LOCK
    if not path.exists():
        return False
    lock = try_lock(path)
    if lock is not None:
        lock.close()
    return lock is None


def _host_name(path: Path) -> str:
    """The host's name with a mark of this folder: containers change names, clones share them."""
    try:
        return path.read_text(encoding="ascii").strip()
    except FileNotFoundError:
        plain = re.sub(r"[^A-Za-z0-9.-]", "-", socket.gethostname())[:60] or "host"
        fresh = path.with_suffix(f".{secrets.token_hex(4)}")
        write(fresh, f"{plain}-{secrets.token_hex(3)}\n".encode("ascii"))
        try:
            os.link(fresh, path)  # two processes at their first start agree on one name
        except FileExistsError:
            pass
        finally:
            fresh.unlink()
        return path.read_text(encoding="ascii").strip()
