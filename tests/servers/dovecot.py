"""A real IMAP server for the tests: Debian's Dovecot, on a free port of loopback.

It needs root, as it gives every mailbox to another user. Letters are dropped into the
folders as a mail server does: written beside, then renamed into `new`.
"""

from __future__ import annotations

import itertools
import os
import pwd
import re
import shutil
import socket
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.waiting import until

PROGRAM = "/usr/sbin/dovecot"
OWNER = "nobody"
MOST_USERS = 1000
PASSWORD = "geheim für Dich"
CERTIFICATE = Path(__file__).with_name("certificate.pem")

_users, _letters = itertools.count(1), itertools.count(1)


class Dovecot:
    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.port, self.tls_port = _free_ports(2)
        self._process: subprocess.Popen[bytes] | None = None

    # ---- the server

    @classmethod
    @contextmanager
    def running(cls) -> Iterator[Dovecot]:
        folder = Path(tempfile.mkdtemp(prefix="morningdeck-imap-"))
        folder.chmod(0o755)
        server = cls(folder)
        server.configure()
        server.up()
        try:
            yield server
        finally:
            server.down()
            shutil.rmtree(folder)

    def configure(self) -> None:
        # all at once: it looks at the file's time, in seconds, to learn of new ones
        users = "".join(f"reader{number}:{PASSWORD}\n" for number in range(1, MOST_USERS))
        (self.folder / "users").write_text(users)
        (self.folder / "dovecot.conf").write_text(f"""
            protocols = imap
            listen = 127.0.0.1
            base_dir = {self.folder}/run
            state_dir = {self.folder}/state
            log_path = {self.folder}/log
            ssl = yes
            ssl_cert = <{CERTIFICATE}
            ssl_key = <{CERTIFICATE}
            mail_location = maildir:{self.folder}/mail/%u
            first_valid_uid = 1
            service imap-login {{
              inet_listener imap {{
                port = {self.port}
              }}
              inet_listener imaps {{
                port = {self.tls_port}
                ssl = yes
              }}
            }}
            auth_failure_delay = 0
            service anvil {{
              unix_listener anvil-auth-penalty {{
                mode = 0
              }}
            }}
            passdb {{
              driver = passwd-file
              args = scheme=PLAIN {self.folder}/users
            }}
            userdb {{
              driver = static
              args = uid={OWNER} gid={pwd.getpwnam(OWNER).pw_gid} home={self.folder}/home/%u
            }}
        """)

    def up(self) -> None:
        command = [PROGRAM, "-F", "-c", str(self.folder / "dovecot.conf")]
        self._process = subprocess.Popen(command, stderr=subprocess.DEVNULL)
        until(self._answers)

    def down(self) -> None:
        if self._process is not None:
            self._process.terminate()
            self._process.wait()
            self._process = None

    def _answers(self) -> bool:
        with suppress(OSError), closing(socket.create_connection(("127.0.0.1", self.port))) as one:
            return one.recv(4) == b"* OK"
        return False

    # ---- mailboxes

    def mailbox(self) -> MailFolder:
        """The inbox of a new user."""
        name = f"reader{next(_users)}"
        return MailFolder(name, self.folder / "mail" / name)


@dataclass(frozen=True, slots=True)
class MailFolder:
    user: str
    path: Path

    def drop(self, *messages: bytes) -> None:
        for part in ("tmp", "new", "cur"):
            self._make(self.path / part)
        for message in messages:
            name = f"{next(_letters):06}.letter"
            (self.path / "tmp" / name).write_bytes(message)
            os.chown(self.path / "tmp" / name, self._owner, -1)
            (self.path / "tmp" / name).rename(self.path / "new" / name)

    def sub(self, name: str) -> MailFolder:
        """A folder below, by its name as it stands on disk."""
        return MailFolder(self.user, self.path / f".{name}")

    def messages(self) -> list[Path]:
        return [*self.path.glob("new/*"), *self.path.glob("cur/*")]

    def recreate(self) -> None:
        """The same messages in a folder that is another: they are counted anew."""
        for index in self.path.glob("dovecot.*"):
            index.unlink()
        numbers = self.path / "dovecot-uidlist"
        told = numbers.read_text()
        numbers.write_text(re.sub(r"V(\d+)", lambda found: f"V{int(found[1]) + 1}", told, count=1))

    @property
    def _owner(self) -> int:
        return pwd.getpwnam(OWNER).pw_uid

    def _make(self, folder: Path) -> None:
        """With all above it that are not there yet, for the user who reads them."""
        if not folder.exists():
            self._make(folder.parent)
            folder.mkdir()
            os.chown(folder, self._owner, -1)


@contextmanager
def dovecot() -> Iterator[Dovecot]:
    """The server, or a word about why there is none; where CI is set there must be one."""
    missing = "Dovecot is not installed" if not Path(PROGRAM).exists() else None
    if missing is None and os.geteuid() != 0:
        missing = "Dovecot needs root"
    if missing:
        if os.environ.get("CI"):
            pytest.fail(missing)
        pytest.skip(f"{missing} (see README)")
    with Dovecot.running() as server:
        yield server


def _free_ports(count: int) -> list[int]:
    probes = [socket.create_server(("127.0.0.1", 0)) for _ in range(count)]
    ports = [probe.getsockname()[1] for probe in probes]
    for probe in probes:
        probe.close()
    return ports
