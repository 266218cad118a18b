"""The port `Pace`: who may ask a host now, and who is to come back when."""

from __future__ import annotations

from datetime import timedelta

import pytest

from morningdeck.errors import HostBusyError
from morningdeck.ports.verbs import Pace
from tests.conftest import NOW

HOST = "news.example"


class PaceContract:
    """Give it the fixture `pace`, on a clock that stands still at `NOW`."""

    def test_a_host_that_nobody_asks_is_free(self, pace: Pace) -> None:
        assert pace.enter(HOST, "a").host == HOST
        assert pace.enter("else.example", "a").host == "else.example"

    def test_nothing_is_apart_by_less_than_nothing(self, pace: Pace) -> None:
        assert pace.apart(HOST) >= timedelta(0)

    def test_who_meets_a_busy_host_is_told_when_to_come_back(self, pace: Pace) -> None:
        pace.enter(HOST, "a")

        if not pace.apart(HOST):
            pace.enter(HOST, "b")
            return
        with pytest.raises(HostBusyError) as caught:
            pace.enter(HOST, "b")
        assert caught.value.until > NOW

    def test_one_request_after_another_is_apart(self, pace: Pace) -> None:
        pace.leave(pace.enter(HOST, "a"))

        if not pace.apart(HOST):
            pace.enter(HOST, "b")
            return
        with pytest.raises(HostBusyError) as caught:
            pace.enter(HOST, "b")
        assert caught.value.until == NOW + pace.apart(HOST)
