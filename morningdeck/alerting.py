"""Saved searches look at what is new, and tell what they find.

    marked items --the database says which match--> hits --briefing, or a mail of its own--> told

Any process may do it, several at once: what is looked at is decided by marks, what is told by rows.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from morningdeck.asked.parse import finished_query
from morningdeck.errors import DatabaseAwayError
from morningdeck.logs import log
from morningdeck.model.finding import SearchQuery
from morningdeck.schedule import zone_or_utc

if TYPE_CHECKING:
    from collections.abc import Collection
    from datetime import datetime

    from morningdeck.model.alerting import ChangedItem, SavedSearch
    from morningdeck.ports.engine import Clock

LOOKED_AT_ONCE = 200
OTHERS_LOOK_SECONDS, LOOK_AGAIN_SECONDS = 10.0, 0.05


class AlertRows(Protocol):
    def marked(self, limit: int) -> Sequence[ChangedItem]: ...
    def searches(self) -> Sequence[SavedSearch]: ...
    def save(self, looked_at: Sequence[ChangedItem], hits: Collection[tuple[int, int]]) -> int: ...
    def ask(self, now: datetime) -> int: ...
    def waits(self, now: datetime) -> bool: ...


@dataclass(frozen=True, slots=True)
class Alerting:
    """`matching` says which of these items a search finds; `on_request` is called when there
    is a mail to be written at once.
    """

    rows: AlertRows
    matching: Callable[[SearchQuery, Sequence[int]], Collection[int]]
    on_request: Callable[[], None]
    clock: Clock

    def waits(self) -> bool:
        return self.rows.waits(self.clock())

    def round(self) -> bool:
        """Look at one batch, and ask for the mails that are owed; whether there is more to do."""
        marked, done = self._look()
        if self.rows.ask(self.clock()):
            self.on_request()
        return done > 0 and marked == LOOKED_AT_ONCE

    def before_briefing(self) -> None:
        """Have everything looked at that is there now; what somebody else is at, is waited for a
        little, and no briefing is late for it.
        """
        patience = time.monotonic() + OTHERS_LOOK_SECONDS
        while True:
            marked, done = self._look()
            if done == marked < LOOKED_AT_ONCE:
                return
            if not done:
                if time.monotonic() > patience:
                    return
                time.sleep(LOOK_AGAIN_SECONDS)

    def _look(self) -> tuple[int, int]:
        """How many are marked, as far as one batch goes, and how many were looked at."""
        marked = self.rows.marked(LOOKED_AT_ONCE)
        if not marked:
            return 0, 0
        hits = set(self._hits(marked))
        done = self.rows.save(marked, hits)
        if hits:
            log.info("searches_matched", items=done, hits=len(hits))
        return len(marked), done

    def _hits(self, marked: Sequence[ChangedItem]) -> Iterator[tuple[int, int]]:
        for search in self.rows.searches():
            new = [one.id for one in marked if (one.searches_before or 0) >= search.id]
            if new:
                yield from ((search.id, item_id) for item_id in self._found(search, new))

    def _found(self, search: SavedSearch, new: Sequence[int]) -> Collection[int]:
        """One that cannot be asked holds up nobody else's."""
        try:
            return self.matching(_query_of(search, self.clock()), new)
        except DatabaseAwayError:
            raise
        except Exception:
            log.exception("search_not_asked", search_id=search.id)
            return ()


def _query_of(search: SavedSearch, now: datetime) -> SearchQuery:
    asked = finished_query(search.query, now=now, zone=zone_or_utc(search.timezone))
    return SearchQuery(search.user_id, asked)
