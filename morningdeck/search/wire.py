"""Requests to the search server: the `meilisearch` client's, over connections that are kept.

The client opens a connection for each request, shares its headers between threads and goes by the
environment's proxies. On a connection that is kept its answers take 44 ms, as they are compressed
in pieces, and 1 ms when they are asked for as they are.

Nothing that a server says is quoted but the code of its error: it may repeat what was asked.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any
from urllib.parse import urlsplit

import urllib3
from meilisearch._httprequests import HttpRequests
from meilisearch.config import Config
from urllib3.exceptions import HTTPError, NewConnectionError, ProtocolError
from urllib3.exceptions import TimeoutError as NoAnswerError

from morningdeck.errors import MorningDeckError, TransientError
from morningdeck.model.asking import FailureKind

_CONNECT_SECONDS = 2.0
_KEPT = 8
_LARGEST = 64 << 20
_SMALL = 32 << 10
"""A larger body goes on a connection of its own: one that is refused is not read to its end, and
what is asked next on that connection would be taken for the rest of it.
"""
_TIMEOUTS = (408, 504)
_DENIALS = (401, 403)
_LIMITED = 429
NOT_ITS_ANSWER = "no answer of Meilisearch's"


class SearchTroubleError(TransientError):
    """The search server does not answer, or refuses everything: nobody's question is to blame."""

    def __init__(
        self, host: str, what: str, kind: FailureKind, retry_after: str | None = None
    ) -> None:
        super().__init__(f"search server {host}: {what}")
        self.what = what
        self.kind = kind
        self.retry_after = retry_after


class RejectedError(MorningDeckError):
    """What the server says of this one request; `code` is its word for it."""

    def __init__(self, host: str, code: str, status: int = 400) -> None:
        super().__init__(f"search server {host}: {code or status}")
        self.code = code
        self.status = status


@contextmanager
def making_sense(host: str) -> Iterator[None]:
    """Around what reads answers: JSON of something else is the server's trouble."""
    try:
        yield
    except (LookupError, TypeError, ValueError, AttributeError, OverflowError):
        raise SearchTroubleError(host, NOT_ITS_ANSWER, FailureKind.SERVER) from None


class Wire(HttpRequests):
    """Safe to be used by many threads at once."""

    def __init__(self, url: str, key: str | None, *, seconds: float) -> None:
        """An answer that is not there after so many seconds is none."""
        super().__init__(Config(url, key))
        self.host = urlsplit(url).netloc.rpartition("@")[2]
        self._headers = {"Accept-Encoding": "identity", "Content-Type": "application/json"}
        if key is not None:
            self._headers["Authorization"] = f"Bearer {key}"
        self._path = urlsplit(url).path.rstrip("/")
        self._pools = urllib3.PoolManager(
            num_pools=1,
            maxsize=_KEPT,
            timeout=urllib3.Timeout(connect=_CONNECT_SECONDS, read=seconds),
            retries=False,
        )

    def send_request(
        self,
        http_method: Callable[..., Any],
        path: str,
        body: Any = None,
        content_type: str | None = None,
        *,
        serializer: type[json.JSONEncoder] | None = None,
    ) -> Any:
        data = body if body is None or isinstance(body, bytes) else json.dumps(body).encode()
        headers = {**self._headers}
        if content_type is not None:
            headers["Content-Type"] = content_type
        if data is not None and len(data) > _SMALL:
            headers["Connection"] = "close"
        try:
            answer = self._ask(http_method.__name__.upper(), f"/{path}", data, headers)
            found = answer.read(_LARGEST, decode_content=False)
            answer.release_conn()
        except HTTPError as error:
            raise self._unanswered(error) from None
        return self._read(answer.status, found, answer.headers.get("Retry-After"))

    def _unanswered(self, error: HTTPError) -> SearchTroubleError:
        """To urllib3 a connection that was refused is a time-out as well."""
        if isinstance(error, NoAnswerError) and not isinstance(error, NewConnectionError):
            return self._trouble("no answer in time", FailureKind.TIMEOUT)
        why = getattr(error.__cause__, "strerror", None) or type(error).__name__
        return self._trouble(f"cannot be reached ({why})", FailureKind.CONNECTION)

    def _ask(
        self, method: str, path: str, body: bytes | None, headers: dict[str, str]
    ) -> urllib3.BaseHTTPResponse:
        """Once more where a kept connection turns out to be closed: all that is asked of the
        server may be asked twice.
        """
        more: dict[str, Any] = {"redirect": False, "preload_content": False}
        try:
            return self._pool().urlopen(method, self._path + path, body, headers, **more)
        except ProtocolError:
            return self._pool().urlopen(method, self._path + path, body, headers, **more)

    def _pool(self) -> urllib3.HTTPConnectionPool:
        """A new one where another thread has closed this: it has seen the key refused."""
        return self._pools.connection_from_url(self.config.url)

    def _read(self, status: int, found: bytes, retry_after: str | None) -> Any:
        try:
            value = json.loads(found) if found else None
        except (ValueError, RecursionError):
            value = None
        if status < 300:
            if not isinstance(value, dict):
                raise self._trouble(NOT_ITS_ANSWER, FailureKind.SERVER)
            return value
        code = str(value.get("code") or "") if isinstance(value, dict) else ""
        if status in _DENIALS:
            raise self._trouble(
                f"it refuses the key ({code or status}), check search.api_key", FailureKind.DENIED
            )
        if status == _LIMITED or code == "no_space_left_on_device":
            raise self._trouble(code or str(status), FailureKind.SERVER, retry_after)
        if status >= 500 or status in _TIMEOUTS or not code:
            raise self._trouble(str(code or status), FailureKind.SERVER, retry_after)
        raise RejectedError(self.host, code, status)

    def _trouble(
        self, what: str, kind: FailureKind, retry_after: str | None = None
    ) -> SearchTroubleError:
        return SearchTroubleError(self.host, what, kind, retry_after)

    def close(self) -> None:
        self._pools.clear()
