"""Pictures that go along with a mail."""

from __future__ import annotations

from base64 import b64decode
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Picture:
    """A small JPEG, which goes along with a mail."""

    in_base64: str
    width: int
    height: int

    @property
    def content(self) -> bytes:
        return b64decode(self.in_base64)

    @property
    def as_url(self) -> str:
        """For a page that stands alone."""
        return f"data:image/jpeg;base64,{self.in_base64}"
