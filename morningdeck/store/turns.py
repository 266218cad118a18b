"""In which order those come back who met a busy host: first come, first served.

Each process knows its own line. Nobody stands in it: everybody has a time to come again,
and who is first then is told anew when the host has kept the one before him longer.
"""

from __future__ import annotations

from datetime import datetime, timedelta
from itertools import islice
from threading import Lock

PATIENCE = timedelta(minutes=2)
"""Who comes later than that after his turn has lost his place."""
LONGEST_LINE = 500
"""Who stands behind that many comes back as if he were the next after them."""
MOST_LINES = 1000


class Turns:
    def __init__(self) -> None:
        self._lines: dict[str, dict[int, datetime]] = {}
        """By host, in the order of their coming: who waits (an address, hashed, as it may be
        long), and his turn.
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
        """He is in: those behind him move up."""
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
