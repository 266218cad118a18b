"""The guarded client: one request to a checked address, and its answer or a clear error.

No proxies from the environment, no cookies, nothing kept but open connections. When to ask,
whom to ask next and how often is the polite client's to say.
"""

from __future__ import annotations

import ssl
from collections.abc import Callable, Iterable, Mapping
from contextlib import closing
from http.client import BadStatusLine, HTTPException

from morningdeck.errors import PermanentError
from morningdeck.net.answers import Answer, trouble
from morningdeck.net.connection import GuardedConnection, Pool, dial
from morningdeck.net.ip_ranges import may_visit, networks
from morningdeck.net.resolver import Lookup, Resolver
from morningdeck.net.response import NOT_MODIFIED, Response, read_body
from morningdeck.net.urls import Target
from morningdeck.sockets import Deadline

CONDITIONS = frozenset({"If-None-Match", "If-Modified-Since"})
MOST_SAID = 2000
"""Bytes of what a server says to something that was sent to it."""
SAYING_SECONDS = 2.0
"""How long those may take, once its status is known."""


class GuardedClient:
    """Thread safe. `resolver` replaces the system's name lookup."""

    def __init__(
        self,
        *,
        user_agent: str,
        connect_seconds: float = 10,
        max_body_bytes: int = 15 * 2**20,
        allow_networks: Iterable[str] = (),
        resolver: Lookup | None = None,
    ) -> None:
        self._user_agent = user_agent
        self._connect_seconds = connect_seconds
        self._max_body_bytes = max_body_bytes
        self._allowed = networks(allow_networks)
        self._resolver = Resolver(resolver)
        self._pool = Pool()
        # One for all: a new context costs 15 ms.
        self._tls = ssl.create_default_context()
        self._tls.set_alpn_protocols(["http/1.1"])
        # Without TLS's closing message, anybody may have cut the connection.
        self._tls.options &= ~ssl.OP_IGNORE_UNEXPECTED_EOF

    def close(self) -> None:
        """Close idle connections."""
        self._pool.close()

    def ask(
        self,
        target: Target,
        headers: Mapping[str, str],
        deadline: Deadline,
        form: bytes | None = None,
    ) -> Answer:
        """One request, a POST if there is a form; TransientError where the network fails."""
        try:
            connection, response = self._ask(target, headers, deadline, form)
            try:
                answer = self._read(response, target.host, headers)
            except BaseException:
                connection.close()
                raise
        except (OSError, HTTPException) as error:
            raise trouble(target.host, error) from error
        if response.whole and connection.is_open:
            self._pool.give(connection)
        else:
            connection.close()
        return answer

    def post(
        self,
        target: Target,
        headers: Mapping[str, str],
        body: bytes,
        deadline: Deadline,
        last_step: Callable[[], bool],
    ) -> Answer | None:
        """One request whose last byte goes only if `last_step` allows it: None where it does not.

        The answer is its status: of its body it has the beginning, if that comes soon. Errors are
        those of `ask`, and NotSentError where the last byte was allowed and has not arrived.
        """
        sent = {**self._said_of(target), **headers, "Connection": "close"}
        try:
            with closing(self._connect(target, deadline)) as connection:
                response = connection.post(target.path, sent, body, deadline, last_step)
                if response is None:
                    return None
                soon = deadline.sooner(SAYING_SECONDS)
                words = connection.beginning(response, MOST_SAID, soon)
                return Answer(response.status, response.fields, words)
        except (OSError, HTTPException) as error:
            raise trouble(target.host, error) from error

    def _said_of(self, target: Target) -> dict[str, str]:
        said = {"Host": target.origin.netloc, "User-Agent": self._user_agent}
        if target.authorization is not None:
            said["Authorization"] = target.authorization
        return said

    def _ask(
        self, target: Target, headers: Mapping[str, str], deadline: Deadline, form: bytes | None
    ) -> tuple[GuardedConnection, Response]:
        sent = {**self._said_of(target), **headers, "Accept-Encoding": "gzip"}
        # A form is sent on a new connection: on a kept one that dies it may have arrived or not.
        while form is None and (idle := self._pool.take(target.origin)) is not None:
            try:
                return idle, idle.ask(target.path, sent, deadline)
            except (ConnectionError, ssl.SSLError, BadStatusLine):
                continue  # Its server had closed it: the next one may do.
        connection = self._connect(target, deadline)
        return connection, connection.ask(target.path, sent, deadline, form)

    def _connect(self, target: Target, deadline: Deadline) -> GuardedConnection:
        limit = deadline.sooner(self._connect_seconds)
        try:
            addresses = self._resolver.addresses(target.host, limit)
            for address in addresses:
                if not may_visit(address, self._allowed):
                    raise PermanentError(
                        f"{target.host}: {address} is not a public address,"
                        " add it to http.allow_networks if it is yours"
                    )
            return dial(target.origin, addresses, self._tls, limit)
        except TimeoutError as error:
            raise ConnectionError(f"no connection within {self._connect_seconds:g} s") from error

    def _read(self, response: Response, host: str, asked: Mapping[str, str]) -> Answer:
        """The body is read of pages only; after any other body its connection is closed."""
        if response.status == NOT_MODIFIED and not asked.keys() & CONDITIONS:
            raise HTTPException("304 to a request without validators")
        body = b""
        if 200 <= response.status < 300:
            body = read_body(response, host, self._max_body_bytes)
        return Answer(response.status, response.fields, body)
