"""The moment by which a request is over, whatever the other side does."""

from __future__ import annotations

from dataclasses import dataclass
from time import monotonic
from typing import Self


@dataclass(frozen=True, slots=True)
class Deadline:
    ends_at: float
    """On the monotonic clock."""

    @classmethod
    def after(cls, seconds: float) -> Self:
        return cls(monotonic() + seconds)

    def sooner(self, seconds: float) -> Deadline:
        """This deadline, or one that many seconds from now if that comes first."""
        return Deadline(min(self.ends_at, monotonic() + seconds))

    def remaining(self) -> float:
        """The seconds left, always positive; raises TimeoutError once there are none."""
        left = self.ends_at - monotonic()
        if left <= 0:
            raise TimeoutError("the deadline has passed")
        return left

    def leaves(self, seconds: float) -> bool:
        """Whether that many seconds can be spent before it."""
        return monotonic() + seconds < self.ends_at
