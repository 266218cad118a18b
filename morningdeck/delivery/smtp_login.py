"""Logging in to a mail server: CRAM-MD5, PLAIN or LOGIN, and never over clear text by itself."""

from __future__ import annotations

import hmac
from base64 import b64decode, b64encode
from collections.abc import Callable, Collection

from morningdeck.delivery.mail_server import MailServer
from morningdeck.delivery.smtp_line import MASK, Reply, ServerTroubleError, SmtpLine
from morningdeck.model.asking import FailureKind

ACCEPTED, GO_ON, WRONG = 235, 334, 535
LONGEST_COMMAND = 500


def log_in(line: SmtpLine, server: MailServer, offered: Collection[str]) -> None:
    """ServerTroubleError says what to do; `DENIED` where only a person can do it."""
    username, password = server.username or "", server.password or ""
    line.secrets = _secrets(username, password)
    known = [name for name in MECHANISMS if name in offered]
    if not known:
        there = ", ".join(sorted(offered)) or "none"
        raise _denied(server, f"offers no login that is known here ({there})")
    for name in known:
        reply = MECHANISMS[name](line, username, password, server.timeout_seconds)
        if reply.code == ACCEPTED:
            return
        if reply.kind == 4:
            raise ServerTroubleError(f"{server.name}: no login now ({reply})", FailureKind.SERVER)
        # each wrong password counts with the server: once more only where CRAM-MD5 may have been
        # refused for want of the password itself, or a mechanism is none after all
        if not line.is_open or (reply.code == WRONG and name != "CRAM-MD5"):
            break
    raise _denied(server, f"refuses the login ({reply})")


def _denied(server: MailServer, what: str) -> ServerTroubleError:
    advice = "check smtp.username and smtp.password"
    return ServerTroubleError(f"{server.name}: {what}, {advice}", FailureKind.DENIED)


def _cram_md5(line: SmtpLine, username: str, password: str, seconds: float) -> Reply:
    reply = line.ask("AUTH CRAM-MD5", seconds)
    if reply.code != GO_ON:
        return reply
    try:
        challenge = b64decode("".join(reply.lines), validate=True)
    except ValueError:
        return line.ask("*", seconds)
    digest = hmac.new(password.encode(), challenge, "md5").hexdigest()
    return line.ask(_encoded(f"{username} {digest}"), seconds, shown=MASK)


def _plain(line: SmtpLine, username: str, password: str, seconds: float) -> Reply:
    secret = _encoded(f"\0{username}\0{password}")
    if len(secret) < LONGEST_COMMAND:
        return line.ask(f"AUTH PLAIN {secret}", seconds, shown=f"AUTH PLAIN {MASK}")
    reply = line.ask("AUTH PLAIN", seconds)
    return line.ask(secret, seconds, shown=MASK) if reply.code == GO_ON else reply


def _login(line: SmtpLine, username: str, password: str, seconds: float) -> Reply:
    reply = line.ask("AUTH LOGIN", seconds)
    for word in (username, password):
        if reply.code != GO_ON:
            return reply
        reply = line.ask(_encoded(word), seconds, shown=MASK)
    return reply


Mechanism = Callable[[SmtpLine, str, str, float], Reply]
MECHANISMS: dict[str, Mechanism] = {"CRAM-MD5": _cram_md5, "PLAIN": _plain, "LOGIN": _login}
"""In the order in which they are tried."""


def _encoded(text: str) -> str:
    return b64encode(text.encode()).decode()


def _secrets(username: str, password: str) -> tuple[str, ...]:
    """As a server may repeat them; an empty password, as of a variable that is not set, is none."""
    spelled = (_encoded(f"\0{username}\0{password}"), _encoded(password), password)
    return tuple(one for one in spelled if one)
