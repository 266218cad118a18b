"""Opening a session with a mail server: connection, encryption, login.

An encrypted connection is never given up for one in clear text, and nothing that was said before
the encryption counts after it. Each error says which setting to look at.
"""

from __future__ import annotations

import socket
import ssl
from collections.abc import Sequence
from functools import cache
from typing import TYPE_CHECKING

from morningdeck.delivery.mail_server import PostOffice
from morningdeck.delivery.smtp_line import Reply, ServerTroubleError, SmtpLine, broken
from morningdeck.delivery.smtp_login import log_in
from morningdeck.delivery.smtp_session import SmtpSession
from morningdeck.hosts import in_ascii
from morningdeck.model.asking import FailureKind
from morningdeck.model.sending import Step
from morningdeck.sockets import Deadline, TimedSocket, connect

if TYPE_CHECKING:
    from morningdeck.delivery import TellStep

CONNECT_SECONDS = 20.0
CONNECTED, GREETED = "(connected)", 220


class SmtpDoor:
    """Opens sessions, each ready for its first mail."""

    def __init__(self, post_office: PostOffice, tell: TellStep) -> None:
        self._server = post_office.server
        self._lookup = post_office.lookup
        self._tls = cache(post_office.tls)  # a new one costs 15 ms
        self._tell = tell

    def open(self, deadline: Deadline) -> SmtpSession:
        """All of it by the deadline, or ServerTroubleError."""
        server = self._server
        opened = self._connect(deadline)
        try:
            if server.security == "tls":
                opened = self._secured(opened, deadline)
            line = SmtpLine(TimedSocket(opened), server.name, self._tell)
        except BaseException:
            opened.close()
            raise
        line.deadline = deadline
        try:
            return self._greet(line)
        except BaseException:
            line.close()
            raise

    def _greet(self, line: SmtpLine) -> SmtpSession:
        server = self._server
        greeting = self._hear_greeting(line)
        if greeting.code != GREETED:
            raise self._trouble(f"does not want us ({greeting})", FailureKind.SERVER)
        extensions = self._hello(line)
        if server.security == "starttls":
            self._encrypt(line, extensions)
            extensions = self._hello(line)
        if server.username is not None:
            offered = extensions.get("AUTH", "").upper().split()
            log_in(line, server, offered)
        return SmtpSession(line, server, extensions)

    def _connect(self, deadline: Deadline) -> socket.socket:
        limit = deadline.sooner(CONNECT_SECONDS)
        try:
            addresses = self._lookup(in_ascii(self._server.host), limit)
            opened = connect(addresses, self._server.port, limit)
            # else the last dot, a few bytes after the body, waits 40 ms for the body's receipt
            opened.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            return opened
        except TimeoutError as error:
            what, kind = "no connection in time", FailureKind.TIMEOUT
            raise self._no_way(what, kind) from error
        except (OSError, ValueError) as error:
            what = broken(error) if isinstance(error, OSError) else str(error)
            raise self._no_way(what, FailureKind.CONNECTION) from error

    def _no_way(self, what: str, kind: FailureKind) -> ServerTroubleError:
        self._tell(Step(f"(connect to {self._server.name})", f"({what})"))
        return self._trouble(f"{what}, check smtp.host and smtp.port", kind)

    def _hear_greeting(self, line: SmtpLine) -> Reply:
        try:
            return line.hear(self._server.timeout_seconds, CONNECTED)
        except ServerTroubleError as error:
            if error.kind is FailureKind.TIMEOUT and self._server.security != "tls":
                advice = "where it speaks TLS from the first byte, as on port 465, set"
                raise ServerTroubleError(
                    f'{error}; {advice} smtp.security = "tls"', error.kind
                ) from error
            raise

    def _hello(self, line: SmtpLine) -> dict[str, str]:
        """What the server can do."""
        me = _own_name(line.socket.inner)
        reply = line.ask(f"EHLO {me}", self._server.timeout_seconds)
        if reply.kind == 5 and line.is_open:
            reply = line.ask(f"HELO {me}", self._server.timeout_seconds)
            extensions: tuple[str, ...] = ()
        else:
            extensions = reply.lines[1:]
        if reply.kind != 2:
            raise self._trouble(f"does not talk to us ({reply})", FailureKind.SERVER)
        return _extensions(extensions)

    # ---- encryption

    def _encrypt(self, line: SmtpLine, extensions: dict[str, str]) -> None:
        if "STARTTLS" not in extensions:
            raise self._trouble(
                'offers no encryption (STARTTLS): try smtp.security = "tls" with port 465;'
                ' "none" sends in clear text',
                FailureKind.DENIED,
            )
        reply = line.ask("STARTTLS", self._server.timeout_seconds)
        if reply.code != GREETED:
            raise self._trouble(f"does not encrypt now ({reply})", FailureKind.SERVER)
        if line.unasked() is not None:  # said by whoever sits between, to count as its own
            raise self._trouble("speaks between STARTTLS and encryption", FailureKind.SERVER)
        line.socket = TimedSocket(self._secured(line.socket.inner, line.deadline))

    def _secured(self, opened: socket.socket, deadline: Deadline) -> socket.socket:
        try:
            opened.settimeout(deadline.sooner(self._server.timeout_seconds).remaining())
            host = in_ascii(self._server.host)
            secured = self._tls().wrap_socket(opened, server_hostname=host)
        except ssl.SSLCertVerificationError as error:
            advice = (
                "smtp.host must be the name in it, and its authority known to this machine"
                " (SSL_CERT_FILE names a file with one of your own)"
            )
            raise self._no_tls(
                f"its certificate is not to be trusted: {error.verify_message}; {advice}",
                FailureKind.DENIED,
            ) from error
        except TimeoutError as error:
            raise self._no_tls("the encryption does not begin", FailureKind.TIMEOUT) from error
        except OSError as error:
            what = broken(error)
            if self._server.security == "tls":
                what += '; on port 587 smtp.security is mostly "starttls"'
            raise self._no_tls(what, FailureKind.CONNECTION) from error
        self._tell(Step("(encrypt)", f"({secured.version()}, its certificate is good)"))
        return secured

    def _no_tls(self, what: str, kind: FailureKind) -> ServerTroubleError:
        self._tell(Step("(encrypt)", f"({what})"))
        return self._trouble(what, kind)

    def _trouble(self, what: str, kind: FailureKind) -> ServerTroubleError:
        return ServerTroubleError(f"{self._server.name}: {what}", kind)


def _own_name(opened: socket.socket) -> str:
    """Where we are, as an address: names of machines at home are nobody's."""
    host = str(opened.getsockname()[0]).partition("%")[0]
    return f"[IPv6:{host}]" if ":" in host else f"[{host}]"


def _extensions(lines: Sequence[str]) -> dict[str, str]:
    """`AUTH=LOGIN` is how AUTH was written once."""
    found: dict[str, str] = {}
    for line in lines:
        keyword, _, rest = line.replace("AUTH=", "AUTH ").strip().partition(" ")
        found[keyword.upper()] = f"{found.get(keyword.upper(), '')} {rest}".strip()
    return found
