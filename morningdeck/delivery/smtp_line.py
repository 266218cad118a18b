"""The lines of SMTP: commands out, replies in, none of which is waited for too long.

What is no reply is an error and never guessed at. A server that speaks unasked is ahead of us,
or we of it, so that its next "250" might be about something else: nothing more is asked of it.
"""

from __future__ import annotations

import re
import ssl
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

from morningdeck.discreet import said
from morningdeck.errors import TransientError
from morningdeck.model.asking import FailureKind
from morningdeck.model.sending import Step
from morningdeck.sockets import PIECE, Deadline, TimedSocket

if TYPE_CHECKING:
    from morningdeck.delivery import TellStep

LONGEST_REPLY_LINE, MOST_REPLY_LINES = 4096, 200
"""RFC 5321 allows 512 bytes; a reply to EHLO has a line for each extension."""
SHOWN_OF_REPLY, SHOWN_OF_NONSENSE = 300, 60
"""Characters of what a server says."""
UNASKED_SECONDS = 5.0
MASK = "***"
CLOSING = 421

_REPLY = re.compile(r"([2-5][0-9][0-9])(?:([ -])(.*))?", re.S)
_ADDRESS = re.compile(r"[^\s<>()\[\]:;,\"'=]+@[^\s<>()\[\]:;,\"'=]+")


class ServerTroubleError(TransientError):
    """The trouble is the server's, or with it, and not that of one mail or address."""

    def __init__(self, message: str, kind: FailureKind) -> None:
        super().__init__(message)
        self.kind = kind


@dataclass(frozen=True, slots=True)
class Reply:
    code: int
    lines: tuple[str, ...]

    @property
    def kind(self) -> int:
        """2: done, 3: go on, 4: not now, 5: no."""
        return self.code // 100

    @property
    def text(self) -> str:
        return said(f"{self.code} {' '.join(self.lines)}".rstrip(), SHOWN_OF_REPLY)

    def __str__(self) -> str:
        """As it may stand in a log: without the addresses that servers like to repeat."""
        return _ADDRESS.sub("...", self.text)


class SmtpLine:
    """One connection. `deadline` is when the whole errand is over, whatever the steps take."""

    def __init__(self, opened: TimedSocket, server: str, tell: TellStep) -> None:
        self.socket = opened
        self.deadline = Deadline(0)
        self.is_open = True
        """Whether another command may be said."""
        self.secrets: Sequence[str] = ()
        self._server = server
        self._tell = tell
        self._held = b""

    # ---- commands

    def ask(self, command: str, seconds: float, *, shown: str | None = None) -> Reply:
        """Say it and hear the reply; `shown` is what may be told of it."""
        if "\r" in command or "\n" in command:
            raise ValueError("a command is one line")
        shown = shown or command
        if not self.is_open:
            raise self._trouble("it has hung up", FailureKind.CONNECTION)
        if (unasked := self.unasked()) is not None:
            raise self._trouble(f"it said {unasked} unasked", FailureKind.SERVER)
        self.say(command.encode() + b"\r\n", seconds, shown)
        return self.hear(seconds, shown)

    def say(self, sent: bytes, seconds: float, shown: str) -> None:
        """For each piece so many seconds."""
        with self._our_errors(shown, seconds):
            for start in range(0, len(sent), PIECE):
                self.socket.deadline = self.deadline.sooner(seconds)
                self.socket.sendall(memoryview(sent)[start : start + PIECE])

    def hear(self, seconds: float, shown: str) -> Reply:
        """The reply to what was said."""
        with self._our_errors(shown, seconds):
            self.socket.deadline = self.deadline.sooner(seconds)
            reply = self._reply(shown)
        if reply.code == CLOSING:
            self.is_open = False
        self._tell(Step(shown, reply.text))
        return reply

    def unasked(self) -> Reply | None:
        """What it has said by itself, as a server may that has no more time or no more room."""
        with self._our_errors("(waiting)", UNASKED_SECONDS):
            came = self.socket.receive_now()
            if came == b"":
                raise ConnectionResetError("it has hung up")
        self._held += came or b""
        return self.hear(UNASKED_SECONDS, "(unasked)") if self._held else None

    def close(self) -> None:
        self.is_open = False
        self.socket.close()

    # ---- replies

    def _reply(self, shown: str) -> Reply:
        code = ""
        lines: list[str] = []
        while len(lines) < MOST_REPLY_LINES:
            line = self._line()
            found = _REPLY.fullmatch(line)
            if found is None or code not in ("", found[1]):
                quoted = _ADDRESS.sub("...", said(line, SHOWN_OF_NONSENSE))
                what = f"its answer to {_verb(shown)} is no reply of SMTP ({quoted!r})"
                raise self._trouble(what, FailureKind.SERVER)
            code = found[1]
            lines.append(found[3] or "")
            if found[2] != "-":
                return Reply(int(code), tuple(lines))
        raise self._trouble(f"its reply to {_verb(shown)} has no end", FailureKind.SERVER)

    def _line(self) -> str:
        while b"\n" not in self._held:
            if len(self._held) > LONGEST_REPLY_LINE:
                raise self._trouble("its reply is one endless line", FailureKind.SERVER)
            came = self.socket.receive()
            if not came:
                raise ConnectionResetError("it has hung up")
            self._held += came
        line, _, self._held = self._held.partition(b"\n")
        text = line.rstrip(b"\r").decode("utf-8", "replace")
        for secret in self.secrets:
            text = text.replace(secret, MASK)
        return text

    # ---- trouble

    @contextmanager
    def _our_errors(self, shown: str, seconds: float) -> Iterator[None]:
        """After any of them nothing more may be said."""
        try:
            yield
        except ServerTroubleError as error:
            self._tell(Step(shown, f"({error})"))
            raise
        except TimeoutError as error:
            self._tell(Step(shown, "(no answer in time)"))
            what = f"no answer to {_verb(shown)} within {seconds:g} seconds"
            raise self._trouble(what, FailureKind.TIMEOUT) from error
        except OSError as error:
            why = broken(error)
            self._tell(Step(shown, f"({why})"))
            raise self._trouble(f"{why} at {_verb(shown)}", FailureKind.CONNECTION) from error

    def _trouble(self, what: str, kind: FailureKind) -> ServerTroubleError:
        self.is_open = False
        return ServerTroubleError(f"{self._server}: {what}", kind)


def broken(error: OSError) -> str:
    """What has happened to a connection."""
    if isinstance(error, ssl.SSLError):
        return f"the secure connection failed, {error.reason}"
    return said(error.strerror or str(error), SHOWN_OF_REPLY).lower()


def _verb(shown: str) -> str:
    """Without the address that it may be about."""
    return shown.strip("()") if shown.startswith("(") else shown.partition(" ")[0]
