"""A web server on loopback that says exactly what a test tells it to, well formed or not."""

from __future__ import annotations

import socket
import ssl
import struct
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from io import BufferedReader
from itertools import repeat
from pathlib import Path
from threading import Event, Lock, Thread
from typing import Self

CERTIFICATE = Path(__file__).with_name("certificate.pem")
"""Self-made, for news.example and 127.0.0.1, valid until 2126."""


@dataclass(frozen=True, slots=True)
class Request:
    path: str
    headers: dict[str, str]
    connection: int
    """Which of the server's connections it came by."""
    method: str = "GET"
    body: bytes = b""


Script = Callable[[Request], Iterable[bytes]]


class HangUp(Exception):
    """Raised by a script to close the connection: by a reset, or with TLS's own last word."""

    def __init__(self, *, reset: bool = False, farewell: bool = False) -> None:
        self.reset = reset
        self.farewell = farewell


def answer(status: int = 200, body: bytes = b"", **headers: str) -> bytes:
    """A whole answer; `content_type="text/html"` becomes the header Content-Type."""
    fields = {"content_length": str(len(body))} | headers
    lines = [f"{name.replace('_', '-').title()}: {value}" for name, value in fields.items()]
    head = "\r\n".join([f"HTTP/1.1 {status} Scripted", *lines, "", ""])
    return head.encode("latin-1") + body


def endless() -> bytes:
    """The head of an answer that goes on until its server hangs up."""
    return b"HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n\r\n"


def not_found(_: Request) -> Iterable[bytes]:
    yield answer(404)


class Server:
    """Answers each path by its script, every other by `otherwise`; remembers every request.

    With `everywhere`, each address of 127.0.0.0/8 is a host of its own.
    """

    def __init__(
        self, otherwise: Script = not_found, *, tls: bool = False, everywhere: bool = False
    ) -> None:
        self.requests: list[Request] = []
        self._otherwise = otherwise
        self._scripts: dict[str, Script] = {}
        self._tls = _tls_context() if tls else None
        address = ("0.0.0.0" if everywhere else "127.0.0.1", 0)
        self._listener = socket.create_server(address, backlog=512)
        self.port: int = self._listener.getsockname()[1]
        self._open: list[socket.socket] = []
        self._threads: list[Thread] = []
        self._lock = Lock()
        self._stopping = Event()
        self._serve(self._accept)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()

    def says(self, path: str, *answers: bytes) -> None:
        """One answer per request, the last one for all that follow."""
        left = list(answers)

        def script(_: Request) -> Iterator[bytes]:
            yield left.pop(0) if len(left) > 1 else left[0]

        self._scripts[path] = script

    def does(self, path: str, script: Script) -> None:
        self._scripts[path] = script

    def drip(self, drops: Iterable[bytes] = repeat(b"x")) -> Iterator[bytes]:
        """A few bytes now and then, until nobody listens any more."""
        for drop in drops:
            yield drop
            if self._stopping.wait(0.02):
                raise HangUp

    def silence(self) -> None:
        """Say nothing until the test is over."""
        self._stopping.wait()
        raise HangUp

    def url(self, path: str = "/", *, host: str = "127.0.0.1") -> str:
        return f"{'https' if self._tls else 'http'}://{host}:{self.port}{path}"

    @property
    def connections(self) -> int:
        with self._lock:
            return len(self._open)

    @property
    def is_talking(self) -> bool:
        """Whether some connection has not been heard to its end."""
        talks = self._threads[1:]  # after the one that accepts
        return len(talks) < self.connections or any(one.is_alive() for one in talks)

    def stop(self) -> None:
        self._stopping.set()
        _shut(self._listener)
        with self._lock:
            for connection in self._open:
                _shut(connection)
        for thread in self._threads:
            thread.join(5)
        self._listener.close()

    def _serve(self, work: Callable[[], None]) -> None:
        thread = Thread(target=work, daemon=True)
        thread.start()
        self._threads.append(thread)  # a thread that is known has begun

    def _accept(self) -> None:
        while not self._stopping.is_set():
            try:
                accepted, _ = self._listener.accept()
            except OSError:
                return
            accepted.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            if self._tls is not None:
                accepted = self._tls.wrap_socket(
                    accepted, server_side=True, do_handshake_on_connect=False
                )
            with self._lock:
                self._open.append(accepted)
                number = len(self._open)
                if self._stopping.is_set():  # who stops has not seen it
                    _shut(accepted)
            self._serve(partial(self._talk, accepted, number))

    def _talk(self, connection: socket.socket, number: int) -> None:
        with connection, suppress(OSError):
            self._answer_all(connection, number)

    def _answer_all(self, connection: socket.socket, number: int) -> None:
        with connection.makefile("rb") as lines:
            while (request := _read(lines, number)) is not None:
                self.requests.append(request)
                script = self._scripts.get(request.path, self._otherwise)
                try:
                    for piece in script(request):
                        connection.sendall(piece)
                except HangUp as hang_up:
                    if hang_up.farewell and isinstance(connection, ssl.SSLSocket):
                        connection.unwrap()
                    if hang_up.reset:
                        linger = struct.pack("ii", 1, 0)
                        connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, linger)
                    return


def _read(lines: BufferedReader, connection: int) -> Request | None:
    head: list[str] = []
    for line in lines:
        text = line.decode("latin-1").rstrip("\r\n")
        if not text:
            break
        head.append(text)
    if not head:
        return None
    fields = (line.partition(": ") for line in head[1:])
    headers = {name.lower(): value for name, _, value in fields}
    body = lines.read(int(headers.get("content-length", 0)))
    method, path, _ = head[0].split(" ")
    return Request(path, headers, connection, method, body)


def _shut(connection: socket.socket) -> None:
    with suppress(OSError):
        connection.shutdown(socket.SHUT_RDWR)


def _tls_context() -> ssl.SSLContext:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(CERTIFICATE)
    return context
