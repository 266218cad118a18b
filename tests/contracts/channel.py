"""The port `Channel`: what was sent has a receipt, and nothing leaves that may not."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress

from morningdeck.errors import DatabaseAwayError, MorningDeckError
from morningdeck.model.sending import Delivery
from morningdeck.ports.verbs import Channel

LETTER = Delivery(
    id=5,
    report_id=9,
    channel="any",
    address="jane@example.org",
    message_id="<9@deck.example>",
    content=b"Subject: Energy & grid\r\n\r\nGr=C3=B6=C3=9Fe",
    html="<h1>Gr\u00f6\u00dfe</h1>\n",
    file_stem="2026-11-18-energy-grid-9",
)
Arrived = Callable[[], int]
"""How many letters are where the channel brings them."""


class Question:
    """Whether the last step may be taken."""

    def __init__(self, answer: bool | Exception) -> None:
        self._answer = answer
        self.asked = 0

    def __call__(self) -> bool:
        self.asked += 1
        if isinstance(self._answer, Exception):
            raise self._answer
        return self._answer


class ChannelContract:
    """Give it the fixtures `channel` and `arrived`."""

    def test_a_letter_that_was_sent_is_there_and_has_a_receipt(
        self, channel: Channel, arrived: Arrived
    ) -> None:
        receipt = channel.send(LETTER, final=Question(True))

        assert receipt.reply
        assert arrived() == 1

    def test_it_asks_at_most_once_before_its_last_step(self, channel: Channel) -> None:
        question = Question(True)

        channel.send(LETTER, final=question)

        assert question.asked <= 1

    def test_what_it_is_forbidden_does_not_leave(self, channel: Channel, arrived: Arrived) -> None:
        question = Question(False)

        with suppress(MorningDeckError):
            channel.send(LETTER, final=question)

        assert arrived() == (0 if question.asked else 1)

    def test_without_a_last_step_to_ask_about_twice_is_as_good_as_once(
        self, channel: Channel, arrived: Arrived
    ) -> None:
        question = Question(True)

        for _ in range(2):
            channel.send(LETTER, final=question)

        assert arrived() == (2 if question.asked else 1)

    def test_without_an_answer_it_does_not_go_on(self, channel: Channel, arrived: Arrived) -> None:
        question = Question(DatabaseAwayError("database: away"))

        with suppress(DatabaseAwayError):
            channel.send(LETTER, final=question)

        assert arrived() == (0 if question.asked else 1)
