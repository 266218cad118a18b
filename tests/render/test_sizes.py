"""How long texts are on their way: as long as the bytes that a mail is made of."""

from __future__ import annotations

from email.message import EmailMessage
from email.policy import SMTP

import pytest
from hypothesis import given
from hypothesis import strategies as st

from morningdeck.render.sizes import BASE64, QUOTED, body_bytes, encoded_bytes, encoding_of

TEXTS = (
    "Skerry Bank sends first power ashore.\n" * 20,
    "Übergrößenträger für Straßen und Brücken. " * 30 + "\n",
    "スケリーバンク洋上風力発電所が送電を開始した。\n" * 20,
    "=" * 500 + "\n",
    "From here on: .\n.\n",
)


def on_the_wire(text: str) -> int:
    message = EmailMessage(policy=SMTP)
    message.set_content(text, cte=encoding_of(text))
    return len(message.as_bytes().partition(b"\r\n\r\n")[2])


@pytest.mark.parametrize("text", TEXTS)
def test_a_text_is_as_long_as_it_will_be(text: str) -> None:
    assert abs(body_bytes(text) - on_the_wire(text)) <= 8


@given(st.text(st.characters(codec="utf-8", exclude_categories=("Cs", "Cc")), max_size=400))
def test_no_text_is_much_longer_than_was_thought(text: str) -> None:
    assert on_the_wire(text + "\n") <= body_bytes(text + "\n") * 1.05 + 8


def test_what_takes_less_is_taken_but_not_for_a_few_bytes() -> None:
    assert [encoding_of(text) for text in TEXTS] == [QUOTED, QUOTED, BASE64, BASE64, QUOTED]


def test_an_attachment_is_as_long_as_it_will_be() -> None:
    for size in (0, 1, 56, 57, 58, 40_000):
        message = EmailMessage(policy=SMTP)
        message.set_content(b"x" * size, "image", "jpeg")
        body = message.as_bytes().partition(b"\r\n\r\n")[2]
        assert abs(len(body) - encoded_bytes(size)) <= 2
