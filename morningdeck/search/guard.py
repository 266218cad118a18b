"""Keeps everybody from a search server that is away: what it does wrong is told to the breaker."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import timedelta

from morningdeck.errors import EndpointTroubleError, TransientError
from morningdeck.model.asking import FailureKind
from morningdeck.ports.asking import Breaker
from morningdeck.ports.engine import Clock
from morningdeck.search.wire import RejectedError, SearchTroubleError

_AGAIN = timedelta(seconds=1)


class IndexChangedError(TransientError):
    """The index is gone, or not as we made it: whoever fills it builds it anew."""


class Guard:
    def __init__(
        self, breaker: Breaker, host: str, clock: Clock, forget_keys: Callable[[], None]
    ) -> None:
        self.host = host
        self._breaker = breaker
        self._endpoint = f"search server {host}"
        self._clock = clock
        self._forget_keys = forget_keys

    @contextmanager
    def asked(self) -> Iterator[None]:
        """EndpointHeldError where the server is to be left alone now."""
        admission = self._breaker.admit(self._endpoint)
        try:
            yield
        except SearchTroubleError as error:
            kind = error.kind
            if kind is FailureKind.DENIED:
                self._forget_keys()
                if not admission.failures and admission.probe is None:
                    kind = FailureKind.SERVER  # somebody may have deleted those that we made
            until = self._breaker.failed(admission, error.retry_after, kind, error.what)
            until = until or self._clock() + _AGAIN
            raise EndpointTroubleError(self._endpoint, until, error.what) from None
        except RejectedError as error:
            self._breaker.succeeded(admission)
            raise IndexChangedError(str(error)) from error
        self._breaker.succeeded(admission)
