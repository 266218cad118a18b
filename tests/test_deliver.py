"""The delivering verb: one envelope through its channel, the last step only if allowed."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import timedelta

import pytest

from morningdeck.deliver import deliver
from morningdeck.errors import (
    DatabaseAwayError,
    EndpointHeldError,
    NotSentError,
    PermanentError,
    TransientError,
)
from morningdeck.model.sending import Delivery, Receipt
from morningdeck.ports.verbs import Channel
from morningdeck.work import Done, Ended, Failed, Job, Outcome, Postponed, Stage
from tests.conftest import NOW
from tests.fakes import Letterbox

JOB = Job(Stage.DELIVERY, 3, 2)
LETTER = Delivery(3, 77, "folder", "folder", "<1@x>", b"bytes")


class Broken:
    """Goes wrong before it asks for its last step, or after."""

    def __init__(self, error: Exception, *, asks: bool = False) -> None:
        self._error = error
        self._asks = asks

    def send(self, delivery: Delivery, *, final: Callable[[], bool]) -> Receipt:
        if self._asks:
            final()
        raise self._error


@dataclass
class Row:
    """Where the last step is written down."""

    allowed: bool = True
    away: bool = False
    final: bool | None = None

    def take(self, job: Job) -> bool:
        if self.away:
            raise DatabaseAwayError("database: away")
        self.final = self.allowed
        return self.allowed

    def take_back(self, job: Job) -> None:
        self.final = False


def outcome(
    channel: Channel | None = None, delivery: Delivery | None = LETTER, row: Row | None = None
) -> Outcome:
    row = row or Row()
    return deliver(
        JOB,
        load=lambda _: delivery,
        channels={"folder": channel or Letterbox()},
        final=row.take,
        not_final=row.take_back,
        clock=lambda: NOW,
    )


def test_the_channel_asks_before_its_last_step() -> None:
    assert outcome() == Done(Receipt("allowed"))


def test_who_may_not_take_the_last_step_has_not_sent_it() -> None:
    ended = outcome(row=Row(allowed=False))

    assert isinstance(ended, Postponed)
    assert "lease was lost" in ended.reason


def test_without_its_bytes_a_delivery_ends() -> None:
    assert outcome(delivery=None) == Ended("REFUSED", "its content is no longer kept")


def test_nothing_more_goes_to_who_has_left_since_it_was_written() -> None:
    letterbox = Letterbox()
    letter = replace(LETTER, ended="asked by mail for no more")

    assert outcome(letterbox, letter) == Ended(
        "REFUSED", "nothing goes there any more: asked by mail for no more"
    )
    assert letterbox.letters == []


def test_a_letter_waits_for_a_channel_that_is_not_set_up_and_says_where_to_look() -> None:
    letter = Delivery(3, 77, "smtp", "ada@example.org", "<1@x>", b"bytes")
    why = "channel 'smtp' is not set up: see the settings"

    assert outcome(delivery=letter) == Postponed(NOW + timedelta(minutes=15), why)
    late = replace(letter, give_up_at=NOW + timedelta(minutes=14))
    assert outcome(delivery=late) == Failed(why, permanent=True)


def test_the_channels_trouble_is_tried_again_as_long_as_it_matters() -> None:
    until = NOW + timedelta(hours=12)
    letter = replace(LETTER, give_up_at=until)

    assert outcome(Broken(TransientError("no room", after=60)), letter) == Failed(
        "no room", not_before=NOW + timedelta(seconds=60), give_up_at=until
    )


@pytest.mark.parametrize(("held", "looks"), [(timedelta(minutes=5), 5), (timedelta(hours=1), 15)])
def test_a_letter_waits_for_a_held_server_and_looks_again_in_time(
    held: timedelta, looks: int
) -> None:
    letter = replace(LETTER, give_up_at=NOW + timedelta(hours=12))

    waits = outcome(Broken(EndpointHeldError("mail", NOW + held)), letter)

    assert isinstance(waits, Postponed)
    assert waits.due_at == NOW + timedelta(minutes=looks)


def test_a_letter_waits_for_no_server_beyond_its_time() -> None:
    letter = replace(LETTER, give_up_at=NOW + timedelta(minutes=4))

    ended = outcome(Broken(EndpointHeldError("mail", NOW + timedelta(minutes=5))), letter)

    assert ended == Failed("mail: not to be asked for now", permanent=True)


def test_a_bug_of_the_channels_is_tried_again_no_longer_than_its_trouble() -> None:
    letter = replace(LETTER, give_up_at=NOW)

    assert outcome(Broken(KeyError("x")), letter) == Failed(
        "unexpected KeyError, see the log", give_up_at=NOW
    )


@pytest.mark.parametrize(
    "error", [ConnectionResetError(), TransientError("lost"), PermanentError("550"), KeyError()]
)
def test_after_the_last_step_nothing_but_the_channels_word_is_certain(error: Exception) -> None:
    row = Row()

    ended = outcome(Broken(error, asks=True), row=row)

    assert isinstance(ended, Ended)
    assert (ended.status, row.final) == ("UNKNOWN", True)


@pytest.mark.parametrize("permanent", [False, True])
def test_the_channels_word_takes_the_last_step_back(permanent: bool) -> None:
    row, error = Row(), NotSentError("452 no room", permanent=permanent, after=60)

    ended = outcome(Broken(error, asks=True), row=row)

    assert ended == Failed("452 no room", permanent, not_before=NOW + timedelta(seconds=60))
    assert row.final is False


def test_a_last_step_that_could_not_be_committed_was_not_taken() -> None:
    row = Row(away=True)

    with pytest.raises(DatabaseAwayError):
        outcome(Letterbox(), row=row)

    assert row.final is False
