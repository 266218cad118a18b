"""A client that may only be used with money set aside, and while its endpoint may be asked."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import timedelta
from threading import BoundedSemaphore, Lock
from typing import Any

from morningdeck.endpoint.chat import (
    CallFailedError,
    Chat,
    ChatAnswer,
    NoAnswerError,
    RequestRefusedError,
)
from morningdeck.errors import EndpointHeldError, EndpointTroubleError
from morningdeck.model.asking import CallUsage, ModelCall, Reservation
from morningdeck.ports.asking import Breaker, Ledger
from morningdeck.ports.engine import Clock

AGAIN = timedelta(seconds=5)
"""When to come back where nobody has said more."""


class PayingClient:
    """At most so many calls at the same time, whatever asks; the client is made for the first."""

    def __init__(
        self,
        make: Callable[[], Chat],
        *,
        ledger: Ledger,
        breaker: Breaker,
        clock: Clock,
        most_at_once: int,
        patience_seconds: float,
    ) -> None:
        self._make = make
        self._made: Chat | None = None
        self._making = Lock()
        self._ledger = ledger
        self._breaker = breaker
        self._clock = clock
        self._places = BoundedSemaphore(most_at_once)
        self._patience_seconds = patience_seconds

    def chat(
        self, call: ModelCall, messages: list[dict[str, str]], said: dict[str, Any]
    ) -> ChatAnswer:
        """The answer, EndpointHeldError, BudgetSpentError, or what the client says of the request.

        What is no answer of a model at all is an empty one.
        """
        client = self._client()
        with self._place(call.endpoint):
            reservation = self._ledger.reserve(call)
            try:
                admission = self._breaker.admit(call.endpoint)
            except BaseException:
                self._ledger.release(reservation)
                raise
            with self._settled(reservation) as took:
                try:
                    answer = client.chat(call.model, messages, said)
                except CallFailedError as error:
                    took.append(_usage(error, nothing_paid=error.unpaid))
                    until = self._breaker.failed(admission, error.retry_after, error.kind)
                    until = until or self._clock() + AGAIN
                    raise EndpointTroubleError(call.endpoint, until, str(error)) from None
                except RequestRefusedError as error:
                    took.append(_usage(error, nothing_paid=True))
                    self._breaker.succeeded(admission)
                    raise
                except NoAnswerError as error:
                    took.append(_usage(error, nothing_paid=False))
                    self._breaker.succeeded(admission)
                    return ChatAnswer("")
                took.append(CallUsage(answer.tokens_in, answer.tokens_out))
                self._breaker.succeeded(admission)
                return answer

    def close(self) -> None:
        if self._made is not None:
            self._made.close()

    def _client(self) -> Chat:
        with self._making:
            if self._made is None:
                self._made = self._make()
            return self._made

    @contextmanager
    def _place(self, endpoint: str) -> Iterator[None]:
        if not self._places.acquire(timeout=self._patience_seconds):
            raise EndpointHeldError(endpoint, self._clock() + AGAIN)
        try:
            yield
        finally:
            self._places.release()

    @contextmanager
    def _settled(self, reservation: Reservation) -> Iterator[list[CallUsage]]:
        """The money is counted however it ends: in full where nobody says what it cost."""
        began = time.monotonic()
        took: list[CallUsage] = []
        try:
            yield took
        finally:
            usage = took[0] if took else CallUsage(error="interrupted")
            duration = timedelta(seconds=time.monotonic() - began)
            counted = CallUsage(usage.tokens_in, usage.tokens_out, duration, usage.error)
            self._ledger.settle(reservation, counted)


def _usage(error: Exception, *, nothing_paid: bool) -> CallUsage:
    tokens = 0 if nothing_paid else None
    return CallUsage(tokens, tokens, error=str(error))
