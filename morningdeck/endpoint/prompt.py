"""A question as the messages of one request, no longer than the model's window."""

from __future__ import annotations

from dataclasses import dataclass

from morningdeck.endpoint.acquaintance import Acquaintance
from morningdeck.endpoint.dialect import Dialect, Manner, form_in_words
from morningdeck.endpoint.excerpt import excerpt
from morningdeck.endpoint.tokens import estimate
from morningdeck.errors import UnusableAnswerError
from morningdeck.model.asking import Question

FRAME = 60
"""Tokens that an endpoint adds to a prompt."""
FEWEST = 100
"""Of the text: with less there is nothing to be asked about."""
AGAIN = "\n\nYour last answer could not be read. Answer with the JSON object alone."


@dataclass(frozen=True, slots=True)
class Prompt:
    messages: list[dict[str, str]]
    estimated: int
    """Its tokens by our own count."""
    tokens_in: int
    """The most that the model will count."""
    tokens_out: int


def prompt(
    question: Question, dialect: Dialect, known: Acquaintance, *, again: bool, more: bool
) -> Prompt:
    """As much of the question's text as there is room for, beside all the rest of it.

    `again` after an answer of no use, with `more` room if it did not come to its end.
    """
    instructions = question.instructions
    if dialect.manner is not Manner.SCHEMA:
        instructions += form_in_words(question.schema)
    if again:
        instructions += AGAIN
    tokens_out = known.tokens_out(question.tokens_out, more=more)
    before, after = question.around
    form = form_in_words(question.schema) if dialect.manner is Manner.SCHEMA else ""
    fixed = estimate(instructions + before + after + form) + FRAME
    room = int((known.window - tokens_out) / known.ratio) - fixed
    if room < min(FEWEST, estimate(question.text)):
        raise UnusableAnswerError(f"{known.model}: its window is too small for this question")
    text = excerpt(question.text, question.focus, room)
    estimated = fixed + estimate(text)
    messages = [
        {"role": "system", "content": _sendable(instructions)},
        {"role": "user", "content": _sendable(before + text + after)},
    ]
    return Prompt(messages, estimated, int(estimated * known.ratio) + 1, tokens_out)


def _sendable(text: str) -> str:
    """Without halves of characters, which have no bytes."""
    return text.encode("utf-8", "replace").decode()
