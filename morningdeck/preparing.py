"""What a briefing will show in another language, translated before its time comes.

A briefing leaves at its slot, and a model takes its seconds. So minutes before, it is drawn up as
for a preview and translated. The translations are kept: at the slot only what has come in between
is asked for. Nothing else is stored, so nothing is lost where nobody prepares.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from datetime import datetime, timedelta
from typing import Protocol

from morningdeck.edition import draw_up
from morningdeck.model.sending import Report
from morningdeck.ports.engine import Clock
from morningdeck.ports.verbs import BriefingRows

BEFORE_ITS_SLOT = timedelta(minutes=3)
AGAIN_AFTER = timedelta(seconds=40)
"""What came in between may be new on it."""


class ComingBriefings(BriefingRows, Protocol):
    """Rows that also know which briefings come soon."""

    def coming(self, after: datetime, until: datetime) -> Sequence[int]:
        """The ids of those that are to be written then, the next one first."""

    def prepared_alone(self) -> AbstractContextManager[bool]:
        """Yields whether no other process is at it."""


class Preparing:
    def __init__(
        self, rows: ComingBriefings, translate: Callable[[Report], Report], clock: Clock
    ) -> None:
        self._rows = rows
        self._translate = translate
        self._clock = clock
        self._done: dict[int, datetime] = {}
        """By briefing: when it was looked at last."""

    def round(self) -> bool:
        """Each briefing some times before its slot; False, as nothing is ever left to do."""
        now = self._clock()
        coming = self._rows.coming(now, now + BEFORE_ITS_SLOT)
        self._done = {one: at for one, at in self._done.items() if now - at < AGAIN_AFTER}
        new = [one for one in coming if one not in self._done]
        if not new:
            return False
        with self._rows.prepared_alone() as alone:
            for briefing_id in new if alone else ():
                self._done[briefing_id] = now
                self._prepare(briefing_id)
        return False

    def _prepare(self, briefing_id: int) -> None:
        briefing = self._rows.load(briefing_id)
        if briefing is not None:
            self._translate(draw_up(0, "preview", briefing, self._rows, self._clock()).report)
