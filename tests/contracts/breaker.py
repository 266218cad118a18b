"""The port `Breaker`: who keeps away from an endpoint, and how long."""

from __future__ import annotations

from datetime import timedelta

import pytest

from morningdeck.errors import EndpointHeldError
from morningdeck.model.asking import FailureKind
from morningdeck.ports.asking import Breaker
from tests.conftest import NOW

ENDPOINT = "model.example/v1"


class BreakerContract:
    """Give it the fixture `breaker`, on a clock that stands still at `NOW`."""

    def test_an_endpoint_that_never_failed_may_be_asked(self, breaker: Breaker) -> None:
        for _ in range(3):
            breaker.succeeded(breaker.admit(ENDPOINT))

    def test_an_endpoint_is_left_alone_as_long_as_it_asks_for(self, breaker: Breaker) -> None:
        until = breaker.failed(breaker.admit(ENDPOINT), "20", FailureKind.LIMITED)

        with pytest.raises(EndpointHeldError) as caught:
            breaker.admit(ENDPOINT)
        assert until == caught.value.until == NOW + timedelta(seconds=20)

    def test_where_a_person_asks_one_may_look_at_once(self, breaker: Breaker) -> None:
        breaker.failed(breaker.admit(ENDPOINT), None, FailureKind.DENIED)

        breaker.look_again(ENDPOINT)

        breaker.succeeded(breaker.admit(ENDPOINT))
        breaker.succeeded(breaker.admit(ENDPOINT))

    def test_what_one_endpoint_does_concerns_no_other(self, breaker: Breaker) -> None:
        breaker.failed(breaker.admit(ENDPOINT), "20", FailureKind.LIMITED)

        breaker.succeeded(breaker.admit("other.example/v1"))

    def test_a_single_failure_holds_nobody_up(self, breaker: Breaker) -> None:
        assert breaker.failed(breaker.admit(ENDPOINT), None, FailureKind.SERVER) is None

        breaker.succeeded(breaker.admit(ENDPOINT))
