"""The guarded client: one request, from a foreign address to a page or a clear error.

No proxies from the environment, no cookies, nothing kept but open connections.
"""

from __future__ import annotations

import ssl
from collections.abc import Callable, Iterable, Mapping
from datetime import timedelta
from http.client import BadStatusLine, HTTPException
from random import uniform
from threading import Event
from urllib.parse import urlencode

from morningdeck.errors import PermanentError
from morningdeck.model import Page, Validators
from morningdeck.net.addresses import may_visit, networks
from morningdeck.net.answers import Answer, Hiccup, refusal, trouble
from morningdeck.net.body import read_body
from morningdeck.net.connection import GuardedConnection, dial
from morningdeck.net.deadline import Deadline
from morningdeck.net.pool import Pool
from morningdeck.net.resolver import Lookup, Resolver
from morningdeck.net.response import NOT_MODIFIED, Response
from morningdeck.net.urls import Target, follow, parse
from morningdeck.ports import Clock

REDIRECTS = frozenset({301, 302, 303, 307, 308})
PERMANENT_REDIRECTS = frozenset({301, 308})
CONDITIONS = frozenset({"If-None-Match", "If-Modified-Since"})
SECRET_HEADERS = frozenset({"authorization", "cookie"})
RETRY_WINDOW_SECONDS = 10
LONGEST_MOVE = 2048
"""Characters: a longer address is followed but not kept, no index of a database takes it."""
NO_VALIDATORS = Validators()


class GuardedClient:
    """Thread safe; see `Http`. The deadline holds for one `get` with all its redirects and retries.

    `apart_of` tells how long after one request a host may be sent the next, if that be a retry.
    `resolver` replaces the system's name lookup. Without a `clock` a Retry-After that is a date
    goes unread.
    """

    def __init__(
        self,
        *,
        user_agent: str,
        timeout_seconds: float = 20,
        connect_seconds: float = 10,
        max_body_bytes: int = 15 * 2**20,
        max_redirects: int = 5,
        allow_networks: Iterable[str] = (),
        retry_delays: Iterable[float] = (1, 2, 4),
        apart_of: Callable[[str], timedelta] = lambda host: timedelta(0),
        resolver: Lookup | None = None,
        clock: Clock | None = None,
    ) -> None:
        self._user_agent = user_agent
        self._timeout_seconds = timeout_seconds
        self._connect_seconds = connect_seconds
        self._max_body_bytes = max_body_bytes
        self._max_redirects = max_redirects
        self._allowed = networks(allow_networks)
        self._retry_delays = tuple(retry_delays)
        self._apart_of = apart_of
        self._resolver = Resolver(resolver)
        self._clock = clock
        self._pool = Pool()
        self._closed = Event()
        # One for all: a new context costs 15 ms.
        self._tls = ssl.create_default_context()
        self._tls.set_alpn_protocols(["http/1.1"])
        # An end that nobody has signed may be anybody's.
        self._tls.options &= ~ssl.OP_IGNORE_UNEXPECTED_EOF

    def close(self) -> None:
        """Close idle connections and end the waits between retries."""
        self._closed.set()
        self._pool.close()

    def get(
        self,
        url: str,
        *,
        validators: Validators = NO_VALIDATORS,
        accept: str | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> Page:
        """The page, its `url` without password; `permanent_url` has it, to be stored."""
        target = parse(url)
        asked = self._headers(validators, accept, headers or {})
        deadline = Deadline.after(self._timeout_seconds)
        window = deadline.sooner(RETRY_WINDOW_SECONDS)
        apart = self._apart_of(target.origin.netloc).total_seconds()
        for delay in self._retry_delays:
            try:
                return self._follow(target, asked, deadline)
            except Hiccup:
                pause = max(delay * uniform(1, 1.25), apart)
                if not window.leaves(pause) or self._closed.wait(pause):
                    raise
        return self._follow(target, asked, deadline)

    def post_form(
        self, url: str, form: Mapping[str, str], *, headers: Mapping[str, str] | None = None
    ) -> Page:
        """Send a form, once: it is neither repeated nor sent on to where a redirect leads."""
        target = parse(url)
        kind = {"Content-Type": "application/x-www-form-urlencoded"}
        asked = self._headers(NO_VALIDATORS, None, {**kind, **(headers or {})})
        deadline = Deadline.after(self._timeout_seconds)
        answer = self._exchange(target, asked, deadline, urlencode(form).encode("ascii"))
        if not answer.is_page:
            raise refusal(target.host, answer, self._clock)
        return Page(target.url, answer.status, answer.headers, answer.body)

    def _headers(
        self, validators: Validators, accept: str | None, given: Mapping[str, str]
    ) -> dict[str, str]:
        headers = {"User-Agent": self._user_agent, "Accept": accept or "*/*", **given}
        known = validators.to_send
        if known.etag is not None:
            headers["If-None-Match"] = known.etag
        if known.last_modified is not None:
            headers["If-Modified-Since"] = known.last_modified
        return {**headers, "Accept-Encoding": "gzip"}

    def _follow(self, start: Target, headers: dict[str, str], deadline: Deadline) -> Page:
        target = permanent = start
        only_permanent = True
        for _ in range(self._max_redirects + 1):
            answer = self._exchange(target, headers, deadline)
            location = answer.headers.get("location")
            if answer.is_page:
                moved = permanent.full_url
                known = permanent == start or len(moved) > LONGEST_MOVE
                to = None if known else moved
                return Page(target.url, answer.status, answer.headers, answer.body, to)
            if answer.status not in REDIRECTS or not location:
                raise refusal(target.host, answer, self._clock)
            following = follow(target, location)
            if following.origin != target.origin:
                headers = {k: v for k, v in headers.items() if k.lower() not in SECRET_HEADERS}
            only_permanent = only_permanent and answer.status in PERMANENT_REDIRECTS
            permanent = following if only_permanent else permanent
            target = following
        raise PermanentError(f"{start.host}: more than {self._max_redirects} redirects")

    def _exchange(
        self,
        target: Target,
        headers: dict[str, str],
        deadline: Deadline,
        form: bytes | None = None,
    ) -> Answer:
        """One request and its answer; whatever the network does to it is a TransientError."""
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

    def _ask(
        self, target: Target, headers: dict[str, str], deadline: Deadline, form: bytes | None
    ) -> tuple[GuardedConnection, Response]:
        own = {"Host": target.origin.netloc}
        if target.authorization is not None:
            own["Authorization"] = target.authorization
        sent = {**own, **headers}
        # On a connection that may be dead, nobody knows whether a form has arrived.
        while form is None and (idle := self._pool.take(target.origin)) is not None:
            try:
                return idle, idle.ask(target.path, sent, deadline)
            except (ConnectionError, ssl.SSLError, BadStatusLine):
                continue  # Its server closed it while we asked: says nothing about a new one.
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
        """With the body of a page only; what else has a body costs its connection."""
        if response.status == NOT_MODIFIED and not asked.keys() & CONDITIONS:
            raise HTTPException("it has nothing new for one who knows nothing")
        body = b""
        if 200 <= response.status < 300:
            body = read_body(response, host, self._max_body_bytes)
        return Answer(response.status, response.fields, body)
