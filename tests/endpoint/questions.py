"""Questions beside that of the contract."""

from __future__ import annotations

from dataclasses import replace

from morningdeck.model.asking import Question
from tests.contracts.model import QUESTION

LONG = replace(
    QUESTION, text=" ".join(f"Ship {n} came into the port at last." for n in range(2000))
)


def other(number: int) -> Question:
    return replace(QUESTION, text=f"{QUESTION.text} It was ship {number}.")
