"""A folder on a mail server, read over IMAP: what is new, as bytes; nothing is changed there.

    connect -> log in -> EXAMINE -> SEARCH -> sizes -> one message after the other

Where a reading ended is a `Cursor`. A folder that was made anew counts its messages anew,
says so by another UIDVALIDITY, and is read as if for the first time. Whatever a server says,
only our errors come out.
"""

from __future__ import annotations

import imaplib
import re
import ssl
import time
from base64 import b64encode
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from functools import reduce
from typing import Literal

from morningdeck.discreet import said
from morningdeck.errors import PermanentError, TransientError
from morningdeck.sources.bounded_imap import BoundedIMAP4, BoundedIMAP4OverTLS

MAX_MESSAGE_BYTES = 15 << 20
MOST_MESSAGES, MOST_BYTES, MOST_SECONDS = 100, 64 << 20, 45.0
"""Of one reading; what is left is read the next time."""
STEP_SECONDS = 20.0
SHOWN = 200
"""Characters of what a server says."""

Security = Literal["tls", "starttls", "plain"]

_NONSENSE = (ValueError, LookupError, TypeError, AttributeError)
"""What imaplib and `int` raise over an answer that is no IMAP."""
_TLS_PORT, _STARTTLS_PORT = 993, 143
_UID, _SIZE = re.compile(rb"\bUID (\d+)"), re.compile(rb"\bRFC822\.SIZE (\d+)")
_LOOPBACK = re.compile(r"localhost|127(?:\.\d+){3}|::1")
_QUOTED = re.compile(r": b['\"]")
_BUSY = re.compile(r"\[(unavailable|inuse|limit|serverbug)\]|too many|try again|temporar", re.I)


@dataclass(frozen=True, slots=True)
class Account:
    host: str
    port: int
    username: str
    password: str = field(repr=False)
    folder: str = "INBOX"
    section: str = "imap"
    """Of the settings that it is from."""


@dataclass(frozen=True, slots=True)
class Cursor:
    """The last message that was read, in the numbers of the folder that had it."""

    validity: int
    uid: int

    def __str__(self) -> str:
        return f"imap:{self.validity}:{self.uid}"

    @classmethod
    def parse(cls, text: str | None) -> Cursor | None:
        match = re.fullmatch(r"imap:(\d+):(\d+)", text or "")
        return cls(int(match[1]), int(match[2])) if match else None


@dataclass(frozen=True, slots=True)
class Message:
    """`content` is None when it is larger than a message may be."""

    cursor: Cursor
    content: bytes | None


def security(host: str, port: int) -> Security:
    """TLS from the first byte, except on the port of STARTTLS and inside this machine."""
    if port == _TLS_PORT:
        return "tls"
    if _LOOPBACK.fullmatch(host):
        return "plain"
    return "starttls" if port == _STARTTLS_PORT else "tls"


@contextmanager
def open_folder(
    account: Account,
    folder: str,
    *,
    context: ssl.SSLContext | None = None,
    secured: Security | None = None,
) -> Iterator[Folder]:
    """The folder, read-only, for at most the time of a session."""
    server = f"{account.host}:{account.port}"
    with _our_errors(server):
        connection = _connect(account, secured or security(account.host, account.port), context)
    try:
        with _our_errors(server):
            _log_in(connection, account)
            answer, lines = connection.select(_quoted(folder), readonly=True)
            if answer != "OK":
                raise PermanentError(
                    f"{account.host}: there is no folder {folder!r} ({said(_said(lines), SHOWN)})"
                )
            opened = Folder(connection, server, _number(_said(lines)))
        yield opened
    finally:
        _leave(connection)


def messages_after(account: Account, place: str | None) -> Iterator[tuple[str, bytes | None]]:
    """What came to the account's folder after that place, each with the place behind it."""
    with open_folder(account, account.folder) as folder:
        for message in folder.since(Cursor.parse(place)):
            yield str(message.cursor), message.content


class Folder:
    def __init__(self, connection: imaplib.IMAP4, server: str, messages: int) -> None:
        self._connection = connection
        self._server = server
        self._messages = messages
        _, validity = connection.response("UIDVALIDITY")
        self._validity = _number(_said(validity) or 0)

    def since(self, cursor: Cursor | None, senders: Sequence[str] = ()) -> Iterator[Message]:
        """The messages after the cursor, the oldest first; the newest ones without a cursor.

        `senders` are parts of addresses, one of which must be in the sender's.
        """
        with _our_errors(self._server):
            uids = self._search(cursor, senders)
            sizes = self._sizes(uids)
        until, allowance = time.monotonic() + MOST_SECONDS, MOST_BYTES
        for uid in filter(sizes.__contains__, uids):
            if allowance <= 0 or time.monotonic() > until:
                return
            at = Cursor(self._validity, uid)
            if sizes[uid] > MAX_MESSAGE_BYTES:
                yield Message(at, None)
                continue
            with _our_errors(self._server):
                content = self._content(uid)
            if content is not None:
                allowance -= len(content)
                yield Message(at, content)

    def _search(self, cursor: Cursor | None, senders: Sequence[str]) -> list[int]:
        if not self._messages:
            return []
        known = cursor is not None and cursor.validity == self._validity
        last = cursor.uid if cursor is not None and known else 0
        span = f"UID {last + 1}:*"
        if not known and not senders:
            span = f"{max(1, self._messages - MOST_MESSAGES + 1)}:*"
        words = [f'FROM "{sender}"' for sender in senders]
        if words:
            span += " " + reduce(lambda one, other: f"OR {one} {other}", words)
        answer, lines = self._connection.uid("SEARCH", span)
        _check(answer, lines)
        # `5:*` means the last message even if that is the third
        found = sorted(uid for uid in map(_number, _said(lines).split()) if uid > last)
        return found[:MOST_MESSAGES] if known else found[-MOST_MESSAGES:]

    def _sizes(self, uids: Sequence[int]) -> dict[int, int]:
        if not uids:
            return {}
        answer, lines = self._connection.uid("FETCH", ",".join(map(str, uids)), "(UID RFC822.SIZE)")
        _check(answer, lines)
        found = ((_UID.search(line), _SIZE.search(line)) for line in lines if line)
        return {_number(uid[1]): int(size[1]) for uid, size in found if uid and size}

    def _content(self, uid: int) -> bytes | None:
        """None when it is gone meanwhile."""
        answer, parts = self._connection.uid("FETCH", str(uid), "(BODY.PEEK[])")
        _check(answer, parts)
        return next((bytes(part[1]) for part in parts if isinstance(part, tuple)), None)


def _connect(account: Account, secured: Security, context: ssl.SSLContext | None) -> imaplib.IMAP4:
    host, port = account.host, account.port
    if secured == "plain":
        return BoundedIMAP4(host, port, timeout=STEP_SECONDS)
    context = context or ssl.create_default_context()
    if secured == "tls":
        return BoundedIMAP4OverTLS(host, port, ssl_context=context, timeout=STEP_SECONDS)
    connection = BoundedIMAP4(host, port, timeout=STEP_SECONDS)
    try:
        connection.starttls(context)
    except BaseException:
        _leave(connection)
        raise
    return connection


def _log_in(connection: imaplib.IMAP4, account: Account) -> None:
    secret = f"\0{account.username}\0{account.password}".encode()
    try:
        if "AUTH=PLAIN" in connection.capabilities:
            connection.authenticate("PLAIN", lambda _: secret)
        else:
            connection.login(account.username, account.password)
    except imaplib.IMAP4.abort:
        raise
    except (imaplib.IMAP4.error, UnicodeEncodeError) as error:
        why = said(str(error), SHOWN).replace(account.password, "***")
        if _BUSY.search(why):
            raise TransientError(f"{account.host}: no login just now ({why})") from error
        raise PermanentError(
            f"{account.host}: refused the login ({why}),"
            f" check {account.section}.username and {account.section}.password"
        ) from error


def _leave(connection: imaplib.IMAP4) -> None:
    try:
        connection.logout()
    except (imaplib.IMAP4.error, OSError, *_NONSENSE):
        with suppress(OSError):
            connection.shutdown()


@contextmanager
def _our_errors(server: str) -> Iterator[None]:
    try:
        yield
    except ssl.SSLCertVerificationError as error:
        raise PermanentError(
            f"{server}: its certificate is not to be trusted ({error.verify_message})"
        ) from error
    except (imaplib.IMAP4.error, OSError) as error:
        # imaplib quotes what it did not understand, which may be anybody's mail
        why = said(_QUOTED.split(str(error))[0], SHOWN) or type(error).__name__
        raise TransientError(f"{server}: {why}") from error
    except _NONSENSE as error:
        raise TransientError(f"{server}: its answer is no IMAP ({type(error).__name__})") from error


def _number(text: str | bytes | int) -> int:
    """As IMAP has them; ValueError for anything else."""
    number = int(text)
    if not 0 <= number < 1 << 32:
        raise ValueError("no number of IMAP")
    return number


def _check(answer: str, lines: Sequence[object]) -> None:
    if answer != "OK":
        raise imaplib.IMAP4.error(_said(lines))


def _said(lines: Sequence[object]) -> str:
    line = lines[-1] if lines else b""
    return line.decode("utf-8", "replace") if isinstance(line, bytes) else ""


def _quoted(folder: str) -> str:
    """As IMAP wants names: in quotes, and in a UTF-7 of its own."""

    def shifted(letters: re.Match[str]) -> str:
        code = b64encode(letters[0].encode("utf-16-be")).decode()
        return f"&{code.rstrip('=').replace('/', ',')}-"

    name = re.sub(r"[^\x20-\x7e]+", shifted, folder.replace("&", "&-"))
    return '"' + re.sub(r'(["\\])', r"\\\1", name) + '"'
