"""What each reader's news turns around: found by night, and after so many saved pages.

One reader at a time, by one process at a time. A theme that has much in common with one of the
time before continues it, under the same name while that is still a good one.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager
from dataclasses import replace
from datetime import date, datetime, timedelta
from typing import Protocol

from morningdeck.errors import ConflictError, TransientError
from morningdeck.logs import log
from morningdeck.model.themes import (
    FoundTheme,
    KnownTheme,
    NamedTheme,
    ThemeItem,
    ThemeLabel,
    ThemeReader,
    ThemeText,
)
from morningdeck.ports.engine import Clock
from morningdeck.schedule import zone_or_utc

A_WEEK = timedelta(days=7)
NIGHT = timedelta(hours=3)
"""At that hour, where the reader lives, a day begins."""
READ_LONG_ENOUGH = timedelta(days=10)
"""Who began later has no week before to compare with."""
FEWEST_ITEMS = 30
"""With less there is nothing to find at first."""
MOST_FOUND, MOST_KEPT = 80, 40
ITEMS_NAMED_BY, OTHERS_NAMED_BY = 80, 1_000
ITEMS_KEPT = 200
"""Of each theme, the newest."""
COMMON, FEWEST_COMMON = 0.3, 2
"""The share of a theme's known items that the one has which continues it, and how many at least."""
REST_SECONDS = 1.0
"""Between two readers, or while another process is at it."""

NO_ITEMS: tuple[tuple[int, int], ...] = ()


class ThemeRows(Protocol):
    """What the database keeps for it."""

    def alone(self) -> AbstractContextManager[bool]: ...
    def readers(self) -> Sequence[ThemeReader]: ...
    def has_read(self, user_id: int, count: int) -> bool: ...
    def has_read_before(self, user_id: int, day: datetime) -> bool: ...
    def slices(
        self, user_id: int, since: datetime, recent: datetime
    ) -> Iterator[Sequence[ThemeItem]]:
        """The newest first; no transaction is open in between."""

    def texts(self, user_id: int, item_ids: Sequence[int]) -> Sequence[ThemeText]: ...
    def before(self, user_id: int) -> Sequence[KnownTheme]: ...
    def save(
        self, user_id: int, themes: Sequence[NamedTheme], day: date, now: datetime
    ) -> None: ...


class Finder(Protocol):
    def look(self, those: Sequence[ThemeItem]) -> None: ...
    def themes(self, most: int) -> list[FoundTheme]: ...
    def parts(self, theme: FoundTheme) -> list[FoundTheme]:
        """What is closer to each other in it."""


class Labeller(Protocol):
    def label(self, texts: Sequence[ThemeText], before: str = "") -> ThemeLabel | None: ...


MakeLabeller = Callable[[Sequence[Sequence[ThemeText]], Sequence[ThemeText]], Labeller]


class Theming:
    """`saved` is after how many saved pages themes are found before their night; 0 is never."""

    def __init__(
        self,
        rows: ThemeRows,
        finder: Callable[[], Finder],
        labeller: MakeLabeller,
        *,
        saved: int,
        busy: Callable[[], bool],
        clock: Clock,
    ) -> None:
        self._rows = rows
        self._finder = finder
        self._labeller = labeller
        self._saved = saved
        self._busy = busy
        self._clock = clock
        self._failed: set[tuple[int, date]] = set()
        self._took = 0.0

    def waits(self) -> bool:
        return self._next() is not None

    def round(self) -> bool:
        """One reader's; True while others wait."""
        with self._rows.alone() as alone:
            reader = self._next() if alone else None
            if reader is not None:
                try:
                    self._find(reader)
                except TransientError:
                    raise
                except Exception:
                    self._failed.add((reader.user_id, self._day(reader)))  # or it would go on
                    raise
        return self.waits()

    def rest_seconds(self) -> float:
        """How long to leave the processor to others before the next reader."""
        return max(REST_SECONDS, self._took)

    def find(self, user_id: int) -> None:
        """One reader's, at once."""
        with self._rows.alone() as alone:
            if not alone:
                raise ConflictError("topics are being found just now, look again in a minute")
            for reader in self._rows.readers():
                if reader.user_id == user_id:
                    self._find(reader)

    def _next(self) -> ThemeReader | None:
        return next((one for one in self._rows.readers() if self._is_due(one)), None)

    def _is_due(self, reader: ThemeReader) -> bool:
        day = self._day(reader)
        if (reader.user_id, day) in self._failed:
            return False
        if reader.day is None:
            return self._rows.has_read(reader.user_id, FEWEST_ITEMS) and not self._busy()
        return day > reader.day or 0 < self._saved <= reader.saved

    def _day(self, reader: ThemeReader) -> date:
        return (self._clock().astimezone(zone_or_utc(reader.timezone)) - NIGHT).date()

    def _find(self, reader: ThemeReader) -> None:
        """What is found takes the place of what there was."""
        began = time.monotonic()
        user_id, now = reader.user_id, self._clock()
        finder, newest = self._finder(), NO_ITEMS
        for those in self._rows.slices(user_id, now - 2 * A_WEEK, now - A_WEEK):
            finder.look(those)
            newest = newest or tuple((one.item_id, one.story_id) for one in those)
        themes = self._named(user_id, finder, newest)
        if not self._rows.has_read_before(user_id, now - READ_LONG_ENOUGH):
            themes = [replace(one, week_before=None) for one in themes]
        self._rows.save(user_id, themes, self._day(reader), now)
        self._took = time.monotonic() - began
        took = round(1000 * self._took)
        log.info("themes_found", user_id=user_id, themes=len(themes), duration_ms=took)

    def _named(
        self, user_id: int, finder: Finder, newest: Sequence[tuple[int, int]]
    ) -> list[NamedTheme]:
        """What has no name may have parts that have one; what has the same name is one."""
        found = finder.themes(MOST_FOUND)
        inside = {item for theme in found for item, _ in theme.items}
        others = [item for item, _ in newest if item not in inside][:OTHERS_NAMED_BY]
        labeller = self._labeller(
            [self._texts(user_id, theme) for theme in found], self._rows.texts(user_id, others)
        )
        past = Past(self._rows.before(user_id))
        named: dict[tuple[str, ...], NamedTheme] = {}
        while found:
            theme = found.pop(0)
            before = past.continued_by(theme)
            label = labeller.label(self._texts(user_id, theme), before.label if before else "")
            if label is None:
                found = [*finder.parts(theme), *found]
                continue
            one = _with_name(label.text, theme, past.take(before))
            other = named.get(label.main)
            named[label.main] = one if other is None else _both(other, one)
        return sorted(named.values(), key=_order)[:MOST_KEPT]

    def _texts(self, user_id: int, theme: FoundTheme) -> Sequence[ThemeText]:
        return self._rows.texts(user_id, [item for item, _ in theme.items[:ITEMS_NAMED_BY]])


class Past:
    """The themes of the time before, each continued by one at most: the largest comes first."""

    def __init__(self, known: Sequence[KnownTheme]) -> None:
        self._left = {one.id: one for one in known}
        self._of_item = {item: one.id for one in known for item in one.items}

    def continued_by(self, theme: FoundTheme) -> KnownTheme | None:
        """The one with most in common, if that is a good part of it."""
        counts = Counter(self._of_item.get(item) for item, _ in theme.items)
        for known_id, count in counts.most_common():
            known = None if known_id is None else self._left.get(known_id)
            if known is not None and count >= max(FEWEST_COMMON, COMMON * len(known.items)):
                return known
        return None

    def take(self, known: KnownTheme | None) -> KnownTheme | None:
        if known is not None:
            del self._left[known.id]
        return known


def _with_name(label: str, theme: FoundTheme, continues: KnownTheme | None) -> NamedTheme:
    items = tuple(item for item, _ in theme.items[:ITEMS_KEPT])
    return NamedTheme(label, items, len(theme.items), theme.this_week, theme.week_before, continues)


def _both(one: NamedTheme, other: NamedTheme) -> NamedTheme:
    return replace(
        one,
        items=tuple(sorted({*one.items, *other.items}, reverse=True)[:ITEMS_KEPT]),
        size=one.size + other.size,
        this_week=one.this_week + other.this_week,
        week_before=(one.week_before or 0) + (other.week_before or 0),
        continues=one.continues or other.continues,
    )


def _order(theme: NamedTheme) -> tuple[int, int]:
    return -(theme.this_week + (theme.week_before or 0)), -theme.size
