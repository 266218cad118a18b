"""A broker hears nothing before its certificate is known to be its own."""

from __future__ import annotations

import gc
import socket
import ssl
import threading
import warnings
from collections.abc import Iterator
from contextlib import suppress

import pytest
from kombu import Connection

from morningdeck.engine.celery_app import make_celery_app
from morningdeck.engine.celery_queue import connecting
from tests.servers.web import CERTIFICATE
from tests.waiting import LIMIT_SECONDS

SCHEMES = ("rediss", "amqps")


class Listener(threading.Thread):
    """A server with the certificate of 127.0.0.1, and the first that it hears."""

    def __init__(self) -> None:
        super().__init__(daemon=True)
        self._context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        self._context.load_cert_chain(CERTIFICATE)
        self._socket = socket.create_server(("127.0.0.1", 0))
        self.port = self._socket.getsockname()[1]
        self.heard = b""

    def run(self) -> None:
        with suppress(OSError), self._socket, self._socket.accept()[0] as accepted:
            accepted.settimeout(LIMIT_SECONDS)
            with self._context.wrap_socket(accepted, server_side=True) as caller:
                self.heard = caller.recv(100)


@pytest.fixture
def listener() -> Iterator[Listener]:
    made = Listener()
    made.start()
    yield made
    made.join(LIMIT_SECONDS)


@pytest.fixture
def trusted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SSL_CERT_FILE", str(CERTIFICATE))


def celerys(url: str) -> Connection:
    app = make_celery_app(
        url, begin=lambda stages: {}, end=lambda: None, set_up_logging=lambda: None
    )
    return app.connection_for_read()


def heard(listener: Listener, url: str, *, by_celery: bool = False) -> bytes:
    connection = celerys(url) if by_celery else connecting(url)()
    with warnings.catch_warnings():
        # after a handshake that failed the libraries leave the socket to the collector
        warnings.simplefilter("ignore", ResourceWarning)
        with suppress(Exception):
            connection.ensure_connection(max_retries=1, interval_start=0, interval_step=0)
        with suppress(Exception):
            connection.collect(socket_timeout=0.1)
        gc.collect()
    listener.join(LIMIT_SECONDS)
    return listener.heard


@pytest.mark.parametrize("by_celery", [False, True], ids=["ours", "celery"])
@pytest.mark.parametrize("scheme", SCHEMES)
@pytest.mark.usefixtures("trusted")
def test_a_broker_that_is_trusted_is_spoken_to(
    listener: Listener, scheme: str, by_celery: bool
) -> None:
    url = f"{scheme}://deck:secret@127.0.0.1:{listener.port}/0"
    assert heard(listener, url, by_celery=by_celery)


@pytest.mark.parametrize("by_celery", [False, True], ids=["ours", "celery"])
@pytest.mark.parametrize("scheme", SCHEMES)
@pytest.mark.usefixtures("trusted")
def test_the_certificate_of_another_host_is_not_enough(
    listener: Listener, scheme: str, by_celery: bool
) -> None:
    url = f"{scheme}://deck:secret@localhost:{listener.port}/0"
    assert heard(listener, url, by_celery=by_celery) == b""


@pytest.mark.parametrize("scheme", SCHEMES)
def test_a_certificate_that_nobody_knows_is_none(listener: Listener, scheme: str) -> None:
    assert heard(listener, f"{scheme}://deck:secret@127.0.0.1:{listener.port}/0") == b""


def test_whoever_wants_it_may_trust_anybody(listener: Listener) -> None:
    url = f"rediss://:secret@127.0.0.1:{listener.port}/0?ssl_cert_reqs=none"
    assert heard(listener, url)
