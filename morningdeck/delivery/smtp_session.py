"""One session with a mail server, and one mail after the other in it, phase by phase.

    open   connect, greeting, EHLO (else HELO), STARTTLS and EHLO again, AUTH
    send   MAIL, RCPT, DATA, body, final?, the last dot, its reply

Up to the body's last byte the server has nothing: whatever happens, the mail was not sent.
`final` is asked then. After the dot only a reply says what became of it: 2xx that it is there, 4xx
and 5xx that it is not (NotSentError). With anything else the session is over.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass

from morningdeck.delivery.mail_server import MailServer
from morningdeck.delivery.smtp_line import Reply, ServerTroubleError, SmtpLine
from morningdeck.errors import NotSentError
from morningdeck.mailboxes import Mailbox
from morningdeck.model.asking import FailureKind
from morningdeck.sockets import Deadline

LAST_REPLY_TIMEOUTS = 5
"""Servers look a mail through before they answer its last dot."""
QUIT_SECONDS = 1.0
LOGIN_WANTED, START_BODY = 530, 354
LAST_DOT, WHOLE_MAIL = "(the last dot)", "the mail"

_LINE_END = re.compile(rb"\r\n|\r|\n")
_NAME = re.compile(r"[!-*,-<>-~]{1,100}")
"""What needs no other spelling in an ENVID (RFC 3461)."""
_DOT = re.compile(rb"^\.", re.M)
_OF_ITS_SIZE = re.compile(r"552|5\d\d 5\.(?:2\.3|3\.4)\b")


@dataclass(frozen=True, slots=True)
class Letter:
    """One mail for one address."""

    sender: Mailbox
    recipient: Mailbox
    content: bytes
    name: str = ""
    """By which a server that sends it back can call it: its Message-ID."""

    @property
    def needs_utf8(self) -> bool:
        """For an address or a header; domains are in ASCII."""
        head = _LINE_END.sub(b"\n", self.content).partition(b"\n\n")[0]
        local = self.sender.local + self.recipient.local
        return not (local.isascii() and head.isascii())


def stuffed(content: bytes) -> bytes:
    """As it goes over the line: where ends of lines differ, one mail could hold another."""
    lines = _LINE_END.sub(b"\r\n", content)
    return _DOT.sub(b"..", lines if lines.endswith(b"\r\n") else lines + b"\r\n")


class SmtpSession:
    """What the server can do is in `extensions`; used by one thread at a time."""

    def __init__(self, line: SmtpLine, server: MailServer, extensions: dict[str, str]) -> None:
        self.line = line
        self.mails = 0
        self.idle_since = 0.0
        self._server = server
        self._extensions = extensions
        self._seconds = server.timeout_seconds

    def send(self, letter: Letter, final: Callable[[], bool]) -> Reply | None:
        """The server's word that it has the mail; None where `final` has forbidden it."""
        try:
            self.mails += 1
            body = stuffed(letter.content)
            self._envelope(letter, len(body))
            return self._data(body, final)
        except NotSentError:
            raise
        except BaseException:  # nobody knows what the server waits for
            self.close()
            raise

    def is_ready(self) -> bool:
        """For another mail, as far as the server says."""
        try:
            return self.line.ask("RSET", self._seconds).kind == 2 and self.line.is_open
        except ServerTroubleError:
            return False

    def quit(self) -> None:
        if self.line.is_open:
            self.line.deadline = Deadline.after(QUIT_SECONDS)
            with suppress(ServerTroubleError):
                self.line.ask("QUIT", QUIT_SECONDS)
        self.close()

    def close(self) -> None:
        self.line.close()

    # ---- phases

    def _envelope(self, letter: Letter, size: int) -> None:
        most = self._extensions.get("SIZE", "")
        if most.isascii() and most.isdigit() and 0 < int(most[:18]) < size:
            raise self._not_sent(f"takes mails up to {most} bytes, this one has {size}")
        reply = self._ask(f"MAIL FROM:<{letter.sender.address}>{self._options(letter, size)}")
        of_the_letter = letter.needs_utf8 or _OF_ITS_SIZE.match(reply.text)
        if reply.kind == 5 and reply.code != LOGIN_WANTED and not of_the_letter:
            raise self._denied(f"refuses the sender ({reply}), check smtp.from_address")
        self._check(reply, "MAIL")
        self._check(self._ask(f"RCPT TO:<{letter.recipient.address}>"), "RCPT")

    def _options(self, letter: Letter, size: int) -> str:
        options = f" SIZE={size}" if "SIZE" in self._extensions else ""
        if "DSN" in self._extensions and _NAME.fullmatch(letter.name):
            options += f" RET=HDRS ENVID={letter.name}"
        if not letter.content.isascii() and "8BITMIME" in self._extensions:
            options += " BODY=8BITMIME"
        if letter.needs_utf8:
            if "SMTPUTF8" not in self._extensions:
                raise self._not_sent("takes only addresses and headers in ASCII")
            options += " SMTPUTF8"
        return options

    def _data(self, body: bytes, final: Callable[[], bool]) -> Reply | None:
        reply = self._ask("DATA")
        if reply.code != START_BODY:
            self._check(reply, "DATA")
            raise self._nonsense(reply, "DATA")
        try:
            self.line.say(body, self._seconds, f"({len(body)} bytes)")
        except ServerTroubleError:
            with suppress(ServerTroubleError):
                self._check_unasked()  # it may have said why it has hung up
            raise
        self._check_unasked()
        if not final():
            self.close()  # before the dot that is the only way back
            return None
        try:
            self._check_unasked()  # to be asked may take a while
        except ServerTroubleError as error:
            raise self._not_sent(str(error), permanent=False) from error
        self.line.say(b".\r\n", self._seconds, LAST_DOT)
        reply = self.line.hear(self._seconds * LAST_REPLY_TIMEOUTS, LAST_DOT)
        self._check(reply, WHOLE_MAIL)
        return reply

    def _ask(self, command: str) -> Reply:
        return self.line.ask(command, self._seconds)

    # ---- what a reply means

    def _check(self, reply: Reply, verb: str) -> None:
        """Any but 2xx is raised."""
        match reply.kind:
            case 2:
                return
            case 4:
                raise self._not_sent(f"answers {verb} with {reply}", permanent=False)
            case 5 if reply.code == LOGIN_WANTED and verb != WHOLE_MAIL:
                raise self._denied(f"wants a login ({reply}), set smtp.username and smtp.password")
            case 5:
                raise self._not_sent(f"answers {verb} with {reply}")
        raise self._nonsense(reply, verb)

    def _check_unasked(self) -> None:
        """Within the body it can only say that it does not want the mail."""
        unasked = self.line.unasked()
        if unasked is None:
            return
        self.close()
        self._check(unasked, "DATA")
        raise self._nonsense(unasked, "DATA")

    def _not_sent(self, what: str, *, permanent: bool = True) -> NotSentError:
        return NotSentError(f"{self._server.name}: {what}", permanent=permanent)

    def _denied(self, what: str) -> ServerTroubleError:
        return ServerTroubleError(f"{self._server.name}: {what}", FailureKind.DENIED)

    def _nonsense(self, reply: Reply, verb: str) -> ServerTroubleError:
        what = f"{self._server.name}: its answer to {verb} makes no sense ({reply})"
        return ServerTroubleError(what, FailureKind.SERVER)
