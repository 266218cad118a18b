"""A mail server on loopback that keeps what it is sent and says what a test tells it to.

Each point of a session has a script: `server.says("RCPT", b"450 later")`. Points are `connect`,
the verbs, `TLS` (before the handshake), `AUTH` (when it is over), `body`, `half` and `dot`.
"""

from __future__ import annotations

import hmac
import socket
import ssl
import struct
from base64 import b64decode, b64encode
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from threading import Event, Lock, Thread
from typing import Self

from tests.servers.web import CERTIFICATE

CHALLENGE = "<17.1763@mail.example>"

HALF = 6_000_000
"""Bytes of a body after which the point `half` is reached."""


class Gone(Exception):
    """The connection ends here."""


@dataclass(frozen=True, slots=True)
class Received:
    sender: str
    recipient: str
    content: bytes
    connection: int


class Gate:
    """A point at which the server stops until it may go on."""

    def __init__(self) -> None:
        self.reached, self.opened = Event(), Event()
        self.talk: Talk

    def __call__(self, talk: Talk) -> None:
        self.talk = talk
        self.reached.set()
        while not self.opened.wait(0.01):
            if talk.server.stopping.is_set():
                raise Gone


Action = bytes | Callable[["Talk"], None]


def drop(talk: Talk) -> None:
    raise Gone


def reset(talk: Talk) -> None:
    linger = struct.pack("ii", 1, 0)
    talk.socket.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, linger)
    raise Gone


def hang(talk: Talk) -> None:
    talk.server.stopping.wait()
    raise Gone


class ScriptedMailServer:
    """`extensions` are those that EHLO offers, `logins` who may come in, by password."""

    def __init__(
        self,
        *,
        extensions: tuple[str, ...] = ("SIZE 50000000", "8BITMIME", "SMTPUTF8"),
        tls: bool = False,
        starttls: bool = False,
        logins: Mapping[str, str] | None = None,
        mechanisms: str = "CRAM-MD5 PLAIN LOGIN",
        buffer: int | None = None,
    ) -> None:
        self.extensions = list(extensions)
        self.logins = logins or {}
        self.mechanisms = mechanisms
        self.starttls = starttls
        self.tls = tls
        self.mails: list[Received] = []
        """Those that it has said it keeps."""
        self.complete: list[Received] = []
        """Those whose last dot has come; it may keep them whatever it says."""
        self.heard: list[str] = []
        """Every command, by all connections."""
        self.connections = 0
        self.open, self.most_open = 0, 0
        self.stopping = Event()
        self._scripts: dict[str, list[Action]] = {}
        self._always: dict[str, Action] = {}
        self._lock = Lock()
        self._sockets: list[socket.socket] = []
        self._listener = socket.create_server(("127.0.0.1", 0), backlog=128)
        if buffer is not None:
            self._listener.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, buffer)
        self.port: int = self._listener.getsockname()[1]
        self._thread = Thread(target=self._accept, daemon=True)
        self._thread.start()

    def says(self, point: str, *actions: Action) -> None:
        """One for each time that it comes there; afterwards it behaves again."""
        self._scripts[point] = list(actions)

    def always(self, point: str, action: Action) -> None:
        self._always[point] = action

    def script(self, point: str) -> Action | None:
        with self._lock:
            actions = self._scripts.get(point)
            return actions.pop(0) if actions else self._always.get(point)

    def came(self, verb: str) -> int:
        """How often that command has."""
        return sum(one.upper().startswith(verb) for one in list(self.heard))

    def count(self, by: int) -> int:
        with self._lock:
            self.open += by
            self.most_open = max(self.most_open, self.open)
            self.connections += by > 0
            return self.connections

    def tls_context(self) -> ssl.SSLContext:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(CERTIFICATE)
        return context

    def _accept(self) -> None:
        with suppress(OSError):
            while True:
                connection, _ = self._listener.accept()
                self._sockets.append(connection)
                Thread(target=Talk(self, connection).run, daemon=True).start()

    def stop(self) -> None:
        self.stopping.set()
        with suppress(OSError):
            self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()
        for one in self._sockets:
            with suppress(OSError):
                one.shutdown(socket.SHUT_RDWR)
        self._thread.join()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()


@dataclass
class Talk:
    """One connection."""

    server: ScriptedMailServer
    socket: socket.socket
    number: int = 0
    secure: bool = False
    user: str | None = None
    sender: str = ""
    recipient: str = ""
    _held: bytes = field(default=b"", repr=False)

    def run(self) -> None:
        self.number = self.server.count(1)
        try:
            if self.server.tls:
                self._encrypt()
            self.act("connect", b"220 mail.example ready")
            while True:
                self._command(self._line().decode("utf-8", "replace"))
        except (Gone, OSError, ValueError):
            pass
        finally:
            self.server.count(-1)
            self.socket.close()

    def act(self, point: str, otherwise: bytes) -> bool:
        """Whether it went as it does without a script."""
        action = self.server.script(point)
        if callable(action):
            action(self)
            action = None
        said = otherwise if action is None else action
        self.socket.sendall(said if said.endswith((b"\n", b"\0")) else said + b"\r\n")
        return said[:1] in (b"2", b"3")

    # ---- what it hears

    def _command(self, line: str) -> None:
        self.server.heard.append(line)
        verb, _, rest = line.partition(" ")
        match verb.upper():
            case "EHLO":
                self._hello()
            case "STARTTLS":
                if self.act("STARTTLS", b"220 go on"):
                    self._encrypt()
            case "AUTH":
                self._login(rest)
            case "MAIL":
                self.sender = rest
                self.act("MAIL", b"250 2.1.0 ok")
            case "RCPT":
                self.recipient = rest
                self.act("RCPT", b"250 2.1.5 ok")
            case "DATA":
                if self.act("DATA", b"354 go on"):
                    self._data()
            case "QUIT":
                self.act("QUIT", b"221 bye")
                raise Gone
            case word:
                self.act(word, b"250 ok")

    def _hello(self) -> None:
        offered = list(self.server.extensions)
        if self.server.starttls and not self.secure:
            offered.append("STARTTLS")
        if self.server.logins:
            offered.append(f"AUTH {self.server.mechanisms}")
        lines = ["mail.example greets you", *offered]
        told = [f"250-{line}" for line in lines[:-1]] + [f"250 {lines[-1]}"]
        self.act("EHLO", "\r\n".join(told).encode())

    def _encrypt(self) -> None:
        action = self.server.script("TLS")
        if callable(action):
            action(self)
        context = self.server.tls_context()
        self.socket = context.wrap_socket(self.socket, server_side=True)
        self.secure, self._held = True, b""

    def _login(self, rest: str) -> None:
        mechanism, _, first = rest.partition(" ")
        match mechanism.upper():
            case "PLAIN":
                words = b64decode(first or self._ask("")).decode().split("\0")
                user, right = words[1], self.server.logins.get(words[1]) == words[2]
            case "LOGIN":
                user = b64decode(self._ask("Username:")).decode()
                password = b64decode(self._ask("Password:")).decode()
                right = self.server.logins.get(user) == password
            case "CRAM-MD5":
                words = b64decode(self._ask(CHALLENGE)).decode().split()
                user = words[0]
                key = self.server.logins.get(user, "").encode()
                right = hmac.new(key, CHALLENGE.encode(), "md5").hexdigest() == words[1]
            case _:
                self.act("AUTH", b"504 no such mechanism")
                return
        if self.act("AUTH", b"235 welcome" if right else b"535 5.7.8 wrong") and right:
            self.user = user

    def _ask(self, question: str) -> bytes:
        self.socket.sendall(b"334 " + b64encode(question.encode()) + b"\r\n")
        answer = self._line()
        self.server.heard.append(answer.decode())
        return answer

    def _data(self) -> None:
        self._pause("body")
        lines: list[bytes] = []
        size = 0
        while (line := self._line()) != b".":
            lines.append(line.removeprefix(b".") + b"\r\n")
            size += len(line) + 2
            if size >= HALF and size - len(line) - 2 < HALF:
                self._pause("half")
        mail = Received(self.sender, self.recipient, b"".join(lines), self.number)
        self.server.complete.append(mail)
        action = self.server.script("dot")
        if callable(action):
            action(self)
            action = None
        reply = b"250 2.0.0 kept as 4711" if action is None else action
        if reply.startswith(b"250"):
            self.server.mails.append(mail)
        self.socket.sendall(reply + b"\r\n")

    def _pause(self, point: str) -> None:
        action = self.server.script(point)
        if callable(action):
            action(self)
        elif action is not None:
            self.socket.sendall(action + b"\r\n")

    # ---- bytes

    def _line(self) -> bytes:
        while b"\n" not in self._held:
            came = self.socket.recv(65536)
            if not came:
                raise Gone
            self._held += came
        line, _, self._held = self._held.partition(b"\n")
        return line.removesuffix(b"\r")
