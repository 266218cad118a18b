"""Those who look: browsers with a cookie and a connection that stays open, and listeners.

They live in the benchmark's own process, beside a daemon in another one, as on one machine.
"""

from __future__ import annotations

import itertools
import selectors
import socket
import threading
import time
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from http.client import HTTPConnection, HTTPResponse
from urllib.parse import urlsplit

from tests.waiting import until

THREADS = 16
ANSWERED = b"200 OK"


class Browser:
    def __init__(self, url: str, headers: Mapping[str, str]) -> None:
        self._connection = HTTPConnection(urlsplit(url).netloc, timeout=60)
        self._headers = {"Accept": "text/html", **headers}
        self._lock = threading.Lock()

    def get(self, path: str) -> tuple[float, float]:
        """Seconds to the first byte, and to the last."""
        with self._lock:
            began = time.perf_counter()
            try:
                answer = self._asked(path)
            except ConnectionError:  # a server hangs up on who has not asked for long
                self._connection.close()
                answer = self._asked(path)
            first = time.perf_counter() - began
            body = answer.read()
            if answer.status != 200:
                raise RuntimeError(f"{answer.status} to {path}: {body[:200]!r}")
            return first, time.perf_counter() - began

    def _asked(self, path: str) -> HTTPResponse:
        self._connection.request("GET", path, headers=self._headers)
        return self._connection.getresponse()

    def close(self) -> None:
        self._connection.close()


class Crowd:
    """Looks at so many pages a second, evenly, whether or not those before are answered."""

    def __init__(self, a_second: float, views: Sequence[tuple[Browser, str, str]]) -> None:
        """`views` are taken in turn: who looks, what kind of page that is, and its path."""
        self.taken: dict[str, list[float]] = defaultdict(list)
        """Seconds by the kind of page, from the moment on at which somebody wanted to see it."""
        self.errors: list[Exception] = []
        self._a_second = a_second
        self._views = itertools.cycle(views)
        self._over = threading.Event()
        self._lock = threading.Lock()
        self._at = 0.0

    @contextmanager
    def looking(self) -> Iterator[None]:
        self._at = time.perf_counter()
        self._over.clear()
        threads = [threading.Thread(target=self._look) for _ in range(THREADS)]
        for thread in threads:
            thread.start()
        try:
            yield
        finally:
            self._over.set()
            for thread in threads:
                thread.join()
        if self.errors:
            raise self.errors[0]

    def _look(self) -> None:
        while not self._over.is_set():
            with self._lock:
                self._at += 1 / self._a_second
                at, (browser, kind, path) = self._at, next(self._views)
            if self._over.wait(max(0.0, at - time.perf_counter())):
                return
            try:
                browser.get(path)
            except Exception as error:  # told by whoever waits for the threads
                self.errors.append(error)
                return
            self.taken[kind].append(time.perf_counter() - at)


@contextmanager
def listeners(url: str, path: str, cookie: str, count: int) -> Iterator[None]:
    """So many who hear all that is told there, from the first word on."""
    place = urlsplit(url)
    asked = f"GET {path} HTTP/1.1\r\nHost: {place.netloc}\r\nCookie: {cookie}\r\n\r\n".encode()
    ears, over, heard = selectors.DefaultSelector(), threading.Event(), [0]

    def listen() -> None:
        while not over.is_set():
            for key, _ in ears.select(0.1):
                assert isinstance(key.fileobj, socket.socket)
                told = key.fileobj.recv(65536)
                heard[0] += ANSWERED in told

    thread = threading.Thread(target=listen)
    for _ in range(count):
        ear = socket.create_connection((place.hostname or "", place.port or 0))
        ear.sendall(asked)
        ears.register(ear, selectors.EVENT_READ)
    thread.start()
    try:
        until(lambda: heard[0] == count)
        yield
    finally:
        over.set()
        thread.join()
        for key in list(ears.get_map().values()):
            assert isinstance(key.fileobj, socket.socket)
            key.fileobj.close()
        ears.close()
