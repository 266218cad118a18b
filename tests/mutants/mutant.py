"""One line changed in the protocol, and the test that must notice it."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Mutant:
    file: str
    old: str
    """Occurs there once."""
    new: str
    where: str
    test: str

    @property
    def killer(self) -> str:
        return f"{self.where}::{self.test}"
