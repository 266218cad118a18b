"""A real PgBouncer before the PostgreSQL of the tests, on a free port of loopback."""

from __future__ import annotations

import os
import pwd
import shutil
import socket
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest
from sqlalchemy.engine import make_url

from tests.servers.debian import free_ports
from tests.servers.dovecot import OWNER
from tests.waiting import until

PROGRAM = "/usr/sbin/pgbouncer"


@contextmanager
def pgbouncer(url: str, *, mode: str, ignore: str = "") -> Iterator[str]:
    """The URL of the same database by way of it."""
    if not Path(PROGRAM).exists():
        if os.environ.get("CI"):
            pytest.fail("PgBouncer is not installed")
        pytest.skip("PgBouncer is not installed (see README)")
    folder, (port,), there = (
        Path(tempfile.mkdtemp(prefix="deck-pool-")),
        free_ports(1),
        make_url(url),
    )
    (folder / "ini").write_text(f"""
[databases]
* = host=127.0.0.1 port={there.port} user={there.username}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = {port}
unix_socket_dir =
auth_type = any
auth_file =
pool_mode = {mode}
{f"ignore_startup_parameters = {ignore}" if ignore else ""}
""")
    owner = pwd.getpwnam(OWNER)
    if os.geteuid() == 0:  # it refuses to run as root
        for path in (folder, folder / "ini"):
            os.chown(path, owner.pw_uid, owner.pw_gid)
    process = subprocess.Popen(
        [PROGRAM, "-q", str(folder / "ini")],
        user=OWNER if os.geteuid() == 0 else None,
        stderr=subprocess.DEVNULL,
    )
    try:
        until(lambda: _answers(port))
        yield there.set(port=port).render_as_string(hide_password=False)
    finally:
        process.kill()
        process.wait()
        shutil.rmtree(folder)


def _answers(port: int) -> bool:
    with suppress(OSError), socket.create_connection(("127.0.0.1", port), 1):
        return True
    return False
