"""Trouble of an endpoint: it is left alone, and whoever asks does without."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import timedelta
from email.utils import format_datetime
from threading import Thread

import pytest

from morningdeck.errors import EndpointHeldError, EndpointTroubleError
from tests.asking import Models
from tests.conftest import NOW, ManualClock
from tests.contracts.model import QUESTION
from tests.endpoint.questions import other
from tests.servers import endpoint as play
from tests.servers.endpoint import ModelServer


@pytest.mark.parametrize(
    ("reply", "seconds"),
    [
        (play.refused(429, retry_after="120"), 120),
        (play.refused(429, retry_after=format_datetime(NOW + timedelta(seconds=90))), 90),
        (play.refused(503, retry_after="30"), 30),
        (play.refused(401), 24 * 3600),
    ],
    ids=["seconds", "date", "503", "401"],
)
def test_nobody_asks_a_held_endpoint_before_its_time(
    models: Models, clock: ManualClock, reply: play.Reply, seconds: int
) -> None:
    models.endpoint.will(reply, play.good)

    with pytest.raises(EndpointTroubleError) as caught:
        models.make().ask(QUESTION)
    assert caught.value.until == NOW + timedelta(seconds=seconds)
    clock.pass_(seconds=seconds - 1)
    with pytest.raises(EndpointHeldError):
        models.make().ask(QUESTION)
    assert len(models.endpoint.asked) == 1

    clock.pass_(seconds=2)
    assert models.make().ask(QUESTION).value


@pytest.mark.parametrize(
    "reply", [play.refused(500), play.cut, play.reset], ids=["500", "cut", "reset"]
)
def test_an_endpoint_that_keeps_failing_is_held(
    models: Models, endpoint: ModelServer, reply: play.Reply
) -> None:
    endpoint.will(reply)
    model = models.make()
    for _ in range(5):
        with pytest.raises(EndpointHeldError) as caught:
            model.ask(QUESTION)

    assert caught.value.until > NOW
    assert len(endpoint.asked) == 3


@pytest.mark.parametrize("reply", ["slow", "dripping", "dripping headers"])
def test_no_answer_takes_longer_than_its_deadline(
    models: Models, endpoint: ModelServer, reply: str
) -> None:
    drips = play.dripping if reply == "dripping" else play.dripping_headers
    endpoint.will(play.slow(1.5) if reply == "slow" else drips(endpoint.server))

    with pytest.raises(EndpointTroubleError, match="in time"):
        models.make(timeout_seconds=0.5).ask(QUESTION)


def test_an_endpoint_that_is_not_there_is_trouble(models: Models) -> None:
    with pytest.raises(EndpointTroubleError, match="connection failed"):
        models.make(base_url="http://127.0.0.1:9/v1").ask(QUESTION)


def test_no_more_ask_at_the_same_time_than_may(models: Models) -> None:
    at_once: list[int] = []
    here: list[int] = []

    def watching(asked: play.Asked) -> Iterable[bytes]:
        here.append(1)
        at_once.append(len(here))
        yield from play.slow(0.05)(asked)
        here.pop()

    models.endpoint.will(watching)
    model = models.make(max_concurrency=2)
    threads = [Thread(target=model.ask, args=(other(n),)) for n in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert len(at_once) == 8
    assert max(at_once) == 2
