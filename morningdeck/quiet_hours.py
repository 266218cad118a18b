"""The hours in which mails carry no notices: briefings come all the same."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import datetime, time

from morningdeck.schedule import zone_or_utc

_HOURS = re.compile(r"([01]?\d|2[0-3]):([0-5]\d)\s*-\s*([01]?\d|2[0-3]):([0-5]\d)")


@dataclass(frozen=True, slots=True)
class QuietHours:
    """From one time of day up to another, which may be the next morning's."""

    begin: time
    end: time

    @classmethod
    def parse(cls, text: str) -> QuietHours:
        """Of `22:00-07:00`; ValueError for anything else."""
        found = _HOURS.fullmatch(text.strip())
        if found is None:
            raise ValueError(f"must be hours like 22:00-07:00, got {text!r}")
        first, second, third, fourth = map(int, found.groups())
        return cls(time(first, second), time(third, fourth))

    def cover(self, at: datetime, timezone: str) -> bool:
        local = at.astimezone(zone_or_utc(timezone)).time()
        if self.begin <= self.end:
            return self.begin <= local < self.end
        return local >= self.begin or local < self.end
