"""As much of a long text as a model can take: its head, and what is nearest to the wish."""

from __future__ import annotations

import re
from collections.abc import Iterator

from morningdeck.endpoint.tokens import close_up, estimate

LEFT_OUT = "[...]"
"""Stands where something was left out; the prompts say so."""
HEAD_SHARE = 0.6
PIECE_CHARACTERS = 500
"""Fewer where each is a token or more."""

_WORD = re.compile(r"[^\W\d_]{4,}|[\u2e80-\U0010ffff]{2}")
_STEM_LETTERS = 6
_SENTENCE_END = re.compile(r"(?<=[.!?。！？])\s+|\n+")


def excerpt(text: str, focus: str, room: int) -> str:
    """At most so many tokens of the text, in its own order."""
    text = close_up(text)
    if estimate(text) <= room:
        return text
    pieces = list(_pieces(text))
    costs = [estimate(piece) + 3 for piece in pieces]
    chosen: set[int] = set()
    left = room
    for index, cost in enumerate(costs):
        if cost > left - room * (1 - HEAD_SHARE):
            break
        chosen.add(index)
        left -= cost
    wanted = _stems(focus)
    rest = [index for index in range(len(pieces)) if index not in chosen]
    for index in sorted(rest, key=lambda one: (-len(wanted & _stems(pieces[one])), one)):
        if costs[index] <= left:
            chosen.add(index)
            left -= costs[index]
    return _joined(pieces, sorted(chosen)) or pieces[0][: room // 2]


def _pieces(text: str) -> Iterator[str]:
    """Some sentences each; what has no sentences is cut where it is."""
    longest = PIECE_CHARACTERS if estimate(text) < len(text) / 2 else PIECE_CHARACTERS // 5
    piece = ""
    for sentence in _SENTENCE_END.split(text):
        if piece and len(piece) + len(sentence) > longest:
            yield piece
            piece = ""
        piece = f"{piece} {sentence}".strip()
        while len(piece) > longest:
            yield piece[:longest]
            piece = piece[longest:]
    if piece:
        yield piece


def _stems(text: str) -> set[str]:
    return {word[:_STEM_LETTERS] for word in _WORD.findall(text.lower())}


def _joined(pieces: list[str], chosen: list[int]) -> str:
    told: list[str] = []
    before = -1
    for index in chosen:
        if index != before + 1:
            told.append(LEFT_OUT)
        told.append(pieces[index])
        before = index
    if chosen and before != len(pieces) - 1:
        told.append(LEFT_OUT)
    return "\n".join(told)
