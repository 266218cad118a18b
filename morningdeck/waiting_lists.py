"""The order in which visitors of a busy host come back: first come, first served.

Each process has its own lists. Nobody is blocked by one: a visitor is told a time to come
again, and the first of a list is told a later one if the host is still busy then. A newcomer
leaves a free host to those who are expected about now; who does not come is not waited for.
"""

from __future__ import annotations

from datetime import datetime, timedelta
from itertools import islice
from threading import Lock

GRACE = timedelta(minutes=2)
"""A visitor that is later than this is struck off."""
LATE = timedelta(seconds=5)
"""Nobody leaves the host to a visitor who is later than this, or than the time between two."""
MOST_COUNTED = 500
"""A visitor behind so many is told to come back as if right behind them."""
MOST_LISTS = 1000


class WaitingLists:
    """One list per host, of names; only their hashes are kept, as an address may be long."""

    def __init__(self) -> None:
        self._lists: dict[str, dict[int, datetime]] = {}
        """By host: when each is to come back, in the order in which they first came."""
        self._lock = Lock()

    def __len__(self) -> int:
        """For how many hosts somebody waits."""
        return len(self._lists)

    def put_down(
        self,
        host: str,
        who: str,
        now: datetime,
        free_at: datetime,
        apart: timedelta,
        patience: timedelta | None = None,
    ) -> datetime:
        """When to come back, behind all who came before; who has no such patience is not listed."""
        with self._lock:
            waiting = self._lists.setdefault(host, {})
            _strike_off_the_late(waiting, now)
            back_at = free_at + _ahead(waiting, hash(who)) * apart
            if patience is None or back_at - now <= patience:
                waiting[hash(who)] = back_at
            else:
                self._strike_off(host, who)
            if len(self._lists) > MOST_LISTS:
                self._tidy(now)
            return back_at

    def others_first(self, host: str, who: str, now: datetime, apart: timedelta) -> bool:
        """Would `who` take the turn of one who came before, and is expected about now?"""
        with self._lock:
            waiting = self._lists.get(host, {})
            told = waiting.get(hash(who))
            if told is not None and told <= now:
                return False
            missed, soon = now - max(LATE, apart), now + 2 * apart
            before = islice(waiting.items(), min(_ahead(waiting, hash(who)), MOST_COUNTED))
            return any(missed <= back_at < soon for _, back_at in before)

    def strike_off(self, host: str, who: str) -> None:
        """They wait no longer: those behind move up."""
        with self._lock:
            self._strike_off(host, who)

    def _strike_off(self, host: str, who: str) -> None:
        waiting = self._lists.get(host, {})
        waiting.pop(hash(who), None)
        if not waiting:
            self._lists.pop(host, None)

    def _tidy(self, now: datetime) -> None:
        for host, waiting in tuple(self._lists.items()):
            _strike_off_the_late(waiting, now)
            if not waiting:
                del self._lists[host]


def _ahead(waiting: dict[int, datetime], who: int) -> int:
    """How many are before them, counted up to `MOST_COUNTED`."""
    if who not in waiting:
        return min(len(waiting), MOST_COUNTED)
    first = islice(waiting, MOST_COUNTED)
    return next((number for number, one in enumerate(first) if one == who), MOST_COUNTED)


def _strike_off_the_late(waiting: dict[int, datetime], now: datetime) -> None:
    """Those in front who never came back: somebody else did their work, or nobody may."""
    late = []
    for who, back_at in waiting.items():
        if back_at >= now - GRACE:
            break
        late.append(who)
    for who in late:
        del waiting[who]
