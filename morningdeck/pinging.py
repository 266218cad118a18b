"""Tells those who watch from outside that a briefing has run: its ping address is asked.

As Healthchecks has it: the address itself for a success, `/fail` behind its path otherwise, and a
line for people as the body. Nothing waits for a ping. One that fails is told twice more, and then
forgotten: whoever watches notices that none came.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta
from urllib.parse import urlsplit, urlunsplit

from morningdeck.errors import DatabaseAwayError, MorningDeckError, TransientError
from morningdeck.logs import log
from morningdeck.model.pinged import Ping
from morningdeck.ports.engine import Clock
from morningdeck.ports.verbs import Poster

TRIES = 3
PING_AGAIN = timedelta(seconds=30)
HEADERS = {"Content-Type": "text/plain; charset=utf-8"}
_LATER = frozenset({408, 425, 429})


@dataclass(frozen=True, slots=True)
class Pinging:
    """`take`, `done` and `put_off` are those of the rows of pings."""

    take: Callable[[datetime], tuple[Ping, ...]]
    done: Callable[[Ping], None]
    put_off: Callable[[Ping, datetime], None]
    poster: Callable[[], Poster]
    clock: Clock

    def round(self) -> bool:
        """Tell what is owed now; whether there was anything."""
        owed = self.take(self.clock())
        for ping in owed:
            again = bool(ping.url) and not self._told(ping)
            if again and ping.attempts < TRIES:
                self.put_off(ping, self.clock() + ping.attempts * PING_AGAIN)
            else:
                self.done(ping)
        return bool(owed)

    def _told(self, ping: Ping) -> bool:
        """False where another try may help."""
        try:
            url = ping.url if ping.ok else failure_url(ping.url)
            answer = self.poster().post(url, ping.told.encode(), headers=HEADERS)
            status = 0 if answer is None else answer.status
            error = "" if 200 <= status < 300 else f"answered {status}"
            again = status in _LATER or status >= 500
        except DatabaseAwayError:
            raise
        except (MorningDeckError, ValueError) as trouble:
            error, again = str(trouble), isinstance(trouble, TransientError)
        if error:
            log.warning("ping_failed", report_id=ping.report_id, error=error, again=again)
        return not (error and again)


def failure_url(url: str) -> str:
    parts = urlsplit(url)
    return urlunsplit(parts._replace(path=f"{parts.path.rstrip('/')}/fail"))
