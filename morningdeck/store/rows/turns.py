"""In which order sources come back that met a busy host: first come, first served.

Each process has its own lines. None blocks: every source has a time to come again, and the
first of a line is told a later one when the host is still kept by the one before.
"""

from __future__ import annotations

from datetime import datetime, timedelta
from itertools import islice
from threading import Lock

PATIENCE = timedelta(minutes=2)
"""What comes later than that after its turn has lost its place."""
LONGEST_LINE = 500
"""What stands behind so many comes back as if it were the next after them."""
MOST_LINES = 1000


class Turns:
    def __init__(self) -> None:
        self._lines: dict[str, dict[int, datetime]] = {}
        """By host, in the order of their coming: what waits, and its turn. Addresses are
        hashed, as they may be long.
        """
        self._lock = Lock()

    def __len__(self) -> int:
        """For how many hosts somebody waits."""
        return len(self._lines)

    def next(
        self,
        host: str,
        who: str,
        now: datetime,
        free_at: datetime,
        apart: timedelta,
        patience: timedelta | None = None,
    ) -> datetime:
        """When to come back, behind all who came before; without patience for that, no place."""
        with self._lock:
            line = self._lines.setdefault(host, {})
            _let_go(line, now)
            turn = free_at + _ahead(line, hash(who)) * apart
            if patience is None or turn - now <= patience:
                line[hash(who)] = turn
            else:
                self._leave(host, who)
            if len(self._lines) > MOST_LINES:
                self._tidy(now)
            return turn

    def taken(self, host: str, who: str) -> None:
        """It is being asked for: what is behind it moves up."""
        with self._lock:
            self._leave(host, who)

    def _leave(self, host: str, who: str) -> None:
        line = self._lines.get(host, {})
        line.pop(hash(who), None)
        if not line:
            self._lines.pop(host, None)

    def _tidy(self, now: datetime) -> None:
        for host, line in tuple(self._lines.items()):
            _let_go(line, now)
            if not line:
                del self._lines[host]


def _ahead(line: dict[int, datetime], who: int) -> int:
    if who not in line:
        return min(len(line), LONGEST_LINE)
    before = islice(line, LONGEST_LINE)
    return next((n for n, one in enumerate(before) if one == who), LONGEST_LINE)


def _let_go(line: dict[int, datetime], now: datetime) -> None:
    """Those at the front who never came back: somebody else has done their work, or nobody may."""
    late = []
    for who, turn in line.items():
        if turn >= now - PATIENCE:
            break
        late.append(who)
    for who in late:
        del line[who]
