"""The delivering verb: one envelope through its channel, the last step only if allowed."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta

import pytest

from morningdeck.deliver import deliver
from morningdeck.errors import PermanentError, TransientError
from morningdeck.model import Delivery, Receipt
from morningdeck.work import Done, Ended, Failed, Job, Outcome, Stage
from tests.conftest import NOW

JOB = Job(Stage.DELIVERY, 3, 2)
LETTER = Delivery(3, 77, "folder", "folder", "<1@x>", b"bytes")


class Letterbox:
    """The port `Channel`; says whether it was allowed to take the last step."""

    def send(self, delivery: Delivery, *, final: Callable[[], bool]) -> Receipt:
        return Receipt("allowed" if final() else "forbidden")


class Broken:
    def send(self, delivery: Delivery, *, final: Callable[[], bool]) -> Receipt:
        raise TransientError("no room", after=60)


def outcome(delivery: Delivery | None = LETTER, *, allowed: bool = True) -> Outcome:
    return deliver(
        JOB,
        load=lambda _: delivery,
        channels={"folder": Letterbox(), "broken": Broken()},
        final=lambda job: allowed and job is JOB,
        clock=lambda: NOW,
    )


@pytest.mark.parametrize(("allowed", "reply"), [(True, "allowed"), (False, "forbidden")])
def test_the_channel_asks_before_its_last_step(allowed: bool, reply: str) -> None:
    assert outcome(allowed=allowed) == Done(Receipt(reply))


def test_without_its_bytes_a_delivery_ends() -> None:
    assert outcome(None) == Ended("REFUSED", "its content is no longer kept")


def test_a_channel_that_is_not_set_up_says_where_to_look() -> None:
    letter = Delivery(3, 77, "smtp", "ada@example.org", "<1@x>", b"bytes")

    with pytest.raises(PermanentError, match="channel 'smtp' is not set up: see the settings"):
        outcome(letter)


def test_the_channels_trouble_is_tried_again_as_long_as_it_matters() -> None:
    until = NOW + timedelta(hours=12)
    letter = Delivery(3, 77, "broken", "x", "<1@x>", b"bytes", give_up_at=until)

    assert outcome(letter) == Failed(
        "no room", not_before=NOW + timedelta(seconds=60), give_up_at=until
    )
