"""A real IMAP server for the tests: Debian's Dovecot, on a free port of loopback.

It needs root, as it gives every mailbox to another user. Letters are dropped into the
folders as a mail server does: written beside, then renamed into `new`.
"""

from __future__ import annotations

import itertools
import os
import pwd
import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from tests.servers.debian import Program, folder_of, free_ports, need

PROGRAM = "/usr/sbin/dovecot"
SUBMISSION = "/usr/lib/dovecot/submission"
OWNER = "nobody"
MOST_USERS = 1000
PASSWORD = "geheim für Dich"
CERTIFICATE = Path(__file__).with_name("certificate.pem")

_users, _letters = itertools.count(1), itertools.count(1)


class Dovecot(Program):
    greeting = b"* OK"

    def __init__(self, folder: Path) -> None:
        super().__init__(folder)
        self.port, self.tls_port = free_ports(2)
        self._configure()

    # ---- the server

    def command(self) -> list[str]:
        return [PROGRAM, "-F", "-c", str(self.folder / "dovecot.conf")]

    def _configure(self) -> None:
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


class Submission(Dovecot):
    """Takes mail from its users over TLS, and passes it on to the server at `relay`."""

    greeting = b"220"

    def __init__(self, folder: Path, relay: int) -> None:
        super().__init__(folder)
        self.port, self.tls_port = free_ports(2)
        with (folder / "dovecot.conf").open("a") as settings:
            settings.write(f"""
                protocols = submission
                auth_mechanisms = plain login
                hostname = mail.example
                submission_relay_host = 127.0.0.1
                submission_relay_port = {relay}
                service submission-login {{
                  inet_listener submission {{
                    port = {self.port}
                  }}
                  inet_listener submissions {{
                    port = {self.tls_port}
                    ssl = yes
                  }}
                }}
            """)


@contextmanager
def dovecot() -> Iterator[Dovecot]:
    need("Dovecot", PROGRAM)
    with folder_of("imap") as folder:
        server = Dovecot(folder)
        with server.running():
            yield server


@contextmanager
def submission(relay: int) -> Iterator[Submission]:
    need("Dovecot's submission service", SUBMISSION)
    with folder_of("submission") as folder:
        server = Submission(folder, relay)
        with server.running():
            yield server
