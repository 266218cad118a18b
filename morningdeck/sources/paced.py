"""The way out for whoever asks many hosts in passing: a busy host is an error, not a wait."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import timedelta

from morningdeck.errors import HostBusyError
from morningdeck.model import Page, Validators
from morningdeck.ports import NO_VALIDATORS, Clock, Http, Pace


class PacedHttp:
    """The port `Http`, one request at a time and not too often for each host."""

    def __init__(self, http: Http, pace: Pace, clock: Clock, *, patience: timedelta) -> None:
        """`patience`: how long whoever asks would wait for a busy host."""
        self._http = http
        self._pace = pace
        self._clock = clock
        self._patience = patience

    def get(
        self,
        url: str,
        *,
        validators: Validators = NO_VALIDATORS,
        accept: str | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> Page:
        free_at = self._pace.enter(url, self._patience)
        if free_at is not None:
            wait = (free_at - self._clock()).total_seconds()
            raise HostBusyError("its server is busy with another request of ours", after=wait)
        try:
            return self._http.get(url, validators=validators, accept=accept, headers=headers)
        finally:
            self._pace.leave(url)
