"""The server: listens on loopback, answers on a few threads, drains when it is told to stop.

uvicorn runs on a thread of its own, as signals and the end of the process are for the main one.
"""

from __future__ import annotations

import asyncio
import ipaddress
import itertools
import logging
import math
import socket
import threading
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import anyio.to_thread
import uvicorn
from uvicorn.protocols.http.h11_impl import H11Protocol

from morningdeck import __version__, logs, memory
from morningdeck.daemon import LEAVING_SECONDS, Stop, leave
from morningdeck.errors import ConfigError, ConflictError, MorningDeckError
from morningdeck.logs import log
from morningdeck.web.application import make_application
from morningdeck.web.gate import SAFE_HEADERS
from morningdeck.web.problems import ProblemResponse

if TYPE_CHECKING:
    from morningdeck.app import App

MOST_CONNECTIONS = 512
"""More than may look on at the engine room; of a thousand files, the daemon has some open too."""
UNREAD_SECONDS = 60
"""How long a client may take no answer off."""
HEAD_SECONDS = 10.0
"""How long a client may take for the head of a request."""
SPARE_CONNECTIONS = 2
"""Of the database: for the heartbeat, and for whoever waits."""
BACKLOG = 128
UNUSED_SECONDS = 60
"""Parsers that nobody has used for so long are let go."""


class PatientProtocol(H11Protocol):
    """Closes a connection on which no whole head of a request comes in time. Where there are too
    many, whoever has waited longest without asking for anything goes.
    """

    _late: asyncio.TimerHandle | None = None
    _since = 0.0
    head_seconds = HEAD_SECONDS
    most_connections = MOST_CONNECTIONS

    def connection_made(self, transport: Any) -> None:
        super().connection_made(transport)
        self._expect()
        if len(self.connections) > self.most_connections:
            self._make_room()

    def _make_room(self) -> None:
        idle = [one for one in self.connections if isinstance(one, PatientProtocol) and one._waits]
        longest = min(idle, key=lambda one: one._since)
        longest.transport.abort()

    def send_400_response(self, msg: str) -> None:
        """Of what is no HTTP, so that no handler sees it."""
        problem = ProblemResponse(400, "this is no request that can be read")
        told = {**problem.headers, **SAFE_HEADERS, "Connection": "close"}
        lines = ["HTTP/1.1 400 Bad Request", *(f"{name}: {text}" for name, text in told.items())]
        self.transport.write("\r\n".join((*lines, "", "")).encode() + bytes(problem.body))
        self.transport.close()

    def data_received(self, data: bytes) -> None:
        if self._late is None and self._waits:
            self._expect()
        super().data_received(data)
        if not self._waits:
            self._cancel()

    def connection_lost(self, exc: Exception | None) -> None:
        self._cancel()
        super().connection_lost(exc)

    @property
    def _waits(self) -> bool:
        """No request is being answered."""
        return self.cycle is None or self.cycle.response_complete

    def _expect(self) -> None:
        self._since = self.loop.time()
        self._late = self.loop.call_later(self.head_seconds, self.timeout_keep_alive_handler)

    def _cancel(self) -> None:
        if self._late is not None:
            self._late.cancel()
            self._late = None


class WebServer:
    def __init__(
        self,
        application: Any,
        listener: socket.socket,
        *,
        threads: int,
        protocol: type[PatientProtocol] = PatientProtocol,
    ) -> None:
        self._application = application
        self._listener = listener
        self._threads = threads
        self._server = uvicorn.Server(
            uvicorn.Config(
                application,
                http=protocol,
                ws="none",
                lifespan="off",
                log_config=None,
                access_log=False,
                server_header=False,
                proxy_headers=False,
            )
        )
        # of requests our own log tells, and what clients do wrong is for nobody to look at
        for name in ("uvicorn.access", "uvicorn.error"):
            logging.getLogger(name).setLevel(logging.ERROR)
        self._thread = threading.Thread(target=self._run, name="web", daemon=True)

    @property
    def url(self) -> str:
        host, port, *_ = self._listener.getsockname()
        return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"

    @property
    def runs(self) -> bool:
        return self._thread.is_alive()

    def start(self) -> None:
        self._thread.start()

    def _run(self) -> None:
        with asyncio.Runner() as runner:
            runner.run(self._serve())

    async def _serve(self) -> None:
        anyio.to_thread.current_default_thread_limiter().total_tokens = self._threads
        await self._server.serve([self._listener])

    def close(self, seconds: float) -> None:
        """Take no new requests, finish those that are under way, for so long."""
        # uvicorn would answer what it cuts off with a 500, just as the process ends
        self._server.config.timeout_graceful_shutdown = math.ceil(seconds) + 1
        self._application.ends.set()
        self._server.should_exit = True

    def stop(self, seconds: float) -> bool:
        """The same, and wait for it; False if some were cut off."""
        self.close(seconds)
        self._thread.join(seconds)
        return not self.runs


def listen(
    host: str, port: int, *, may_be_public: bool = False, unread_seconds: float = UNREAD_SECONDS
) -> socket.socket:
    """On loopback alone, as long as anybody who comes could be the first."""
    try:
        family, kind, protocol, _, address = socket.getaddrinfo(
            host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
        )[0]
    except (OSError, UnicodeError) as error:
        raise ConfigError(f"web.host: {host!r} is no address of this machine") from error
    is_loopback = ipaddress.ip_address(str(address[0]).partition("%")[0]).is_loopback
    if not is_loopback and not may_be_public:
        raise ConfigError(
            f"web.host: {host!r} would be open to others, and nobody has claimed an account yet:"
            " set a password first (morningdeck user password me@localhost), or keep 127.0.0.1 and"
            " put a proxy with TLS before it"
        )
    # asyncio asks what is sent to leave at once only where the socket is said to be TCP
    listener = socket.socket(family, kind, protocol)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    if hasattr(socket, "TCP_USER_TIMEOUT"):  # else who takes no answer off keeps it in memory
        listener.setsockopt(
            socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, round(unread_seconds * 1000)
        )
    try:
        listener.bind(address)
        listener.listen(BACKLOG)
    except OSError as error:
        listener.close()
        raise ConflictError(
            f"cannot listen on {host}:{port} ({error.strerror}): stop what listens there, or set"
            " web.port"
        ) from error
    return listener


def open_port(app: App) -> socket.socket:
    """Where the settings say; a proxy that logs people in is as good as their passwords."""
    web = app.settings.web
    claimed = web.login_header is not None or app.store.accounts.any_claimed()
    return listen(web.host, web.port, may_be_public=claimed)


def tell_whose_it_is(app: App) -> None:
    """Once the log has a thread of its own: whoever starts a daemon may not read it."""
    if not app.store.accounts.any_claimed():
        log.info("nobody_has_claimed_it", advice="morningdeck user claim prints a one-time code")


def threads_for(pool_size: int) -> int:
    """So many requests are worked on at once, each with one connection; others wait in line."""
    return max(2, pool_size - SPARE_CONNECTIONS)


def serve_web(app: App) -> None:
    """Be the web until told to stop."""
    settings = app.settings
    listener = open_port(app)
    memory.keep_little()
    heartbeat = app.heartbeat()
    application = make_application(app, lambda: {"heartbeat": heartbeat.is_beating})
    server = WebServer(application, listener, threads=threads_for(settings.pool_size))
    stop = Stop(settings.shutdown_seconds + LEAVING_SECONDS)
    with stop.listening(), logs.gathering(), heartbeat.beating():
        app.join("web")
        server.start()
        memory.settle()
        log.info("started", kind="web", version=__version__, node=app.node.name, url=server.url)
        tell_whose_it_is(app)
        _until(stop.wait, server, app)
        log.info("stopping", patience_seconds=settings.shutdown_seconds)
        finished = server.stop(settings.shutdown_seconds)
        _say_goodbye(app)
        log.info("stopped", finished=finished)
        if not finished:
            leave(0)


def _until(told: Callable[[float], bool], server: WebServer, app: App) -> None:
    for second in itertools.count(1):
        if told(1.0):
            return
        if not server.runs:
            raise MorningDeckError("the web server has ended by itself: its log says why")
        if second % UNUSED_SECONDS == 0:
            app.adapters.end_idle(UNUSED_SECONDS)
            memory.give_back()


def _say_goodbye(app: App) -> None:
    try:
        app.store.incarnations.leave(app.node.incarnation, app.clock())
    except MorningDeckError as error:
        log.warning("leaving_failed", error=str(error))
