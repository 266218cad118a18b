"""A real mail server for the tests: Debian's OpenSMTPD, which puts letters where Dovecot reads.

It needs root, and there is one at a time on a machine, as its queue and its socket have their
places there.
"""

from __future__ import annotations

import fcntl
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.servers.debian import Program, folder_of, free_ports, need
from tests.servers.dovecot import OWNER, Dovecot

PROGRAM = "/usr/sbin/smtpd"
ONE_AT_A_TIME = Path("/run/morningdeck-tests-smtpd.lock")
DOMAIN = "example.org"


class OpenSmtpd(Program):
    """Takes mail for `DOMAIN` and for nobody else, in clear text: with OpenSSL 3, Debian's cannot
    sign. Dovecot's submission service stands in front of it, with encryption and logins.
    """

    greeting = b"220"

    def __init__(self, folder: Path, imap: Dovecot) -> None:
        super().__init__(folder)
        (self.port,) = free_ports(1)
        (folder / "smtpd.conf").write_text(f"""
            table everybody {{ "@" = "{OWNER}" }}
            listen on 127.0.0.1 port {self.port}
            action "keep" maildir "{imap.folder}/mail/%{{dest.user}}" virtual <everybody>
            match from any for domain "{DOMAIN}" action "keep"
        """)

    def command(self) -> list[str]:
        return [PROGRAM, "-d", "-f", str(self.folder / "smtpd.conf")]


@contextmanager
def opensmtpd(imap: Dovecot) -> Iterator[OpenSmtpd]:
    need("OpenSMTPD", PROGRAM)
    with folder_of("smtp") as folder, ONE_AT_A_TIME.open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        server = OpenSmtpd(folder, imap)
        with server.running():
            yield server
