"""A name lookup that a test fills."""

from __future__ import annotations

from collections.abc import Sequence


class Directory:
    """A lookup that gives out its answers in turn and counts the questions."""

    def __init__(self, *answers: Sequence[str]) -> None:
        self._answers = list(answers)
        self.asked: list[str] = []

    def __call__(self, host: str) -> Sequence[str]:
        self.asked.append(host)
        return self._answers.pop(0)
