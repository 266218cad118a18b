"""Keeps an index beside the database true to it.

    item changes --its mark grows--> batch --put, awaited--> the marks that it was made for end
                                       ^
    index missing, or not as wanted ---+--> a new one beside it, filled in the order of ids --> swap
                                       |
    by night, or when the server has --+--> digests of all documents --> what differs is marked
    more or fewer than there are items

Who fills the index is alone (a lock), and a document is read and put under it, so a later one
is never overwritten by an earlier one. A crash anywhere leaves marks, or a new index that is half
full: the next round goes on with either. While a new index is filled, what changes goes into both;
into the new one only as far as that is filled, as the rest is still to come.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import AbstractContextManager
from datetime import date, datetime, timedelta
from itertools import takewhile
from typing import Protocol, TypeVar

from morningdeck.errors import TransientError
from morningdeck.logs import log
from morningdeck.model.finding import SearchDocument
from morningdeck.model.indexing import IndexState, Refusal
from morningdeck.ports.engine import Clock

_Done = TypeVar("_Done")
MOST_PUT = 5000
MOST_TEXT = 10_000_000
FEWEST_PUT = 1000
"""So many documents of 10,000 characters are a batch."""
READ_TOGETHER = 200
"""Documents that are read together: a thousand of 10,000 characters take 10 MB."""
COMPARED = 500
_LOOK_AGAIN, _COUNT_AGAIN = timedelta(seconds=50), timedelta(minutes=5)
_LOOK_SECONDS = 0.1
NIGHT_HOURS = range(3, 7)
"""UTC."""


class IndexedRows(Protocol):
    """What the database has for the index."""

    def alone(self) -> AbstractContextManager[bool]: ...
    def alone_comparing(self) -> AbstractContextManager[bool]: ...
    def was_compared(self, day: date) -> bool: ...
    def has_compared(self, day: date) -> None: ...
    def waits(self) -> bool: ...
    def gone(self, limit: int) -> Sequence[int]: ...
    def documents(self, limit: int, after: int = 0) -> Sequence[SearchDocument]: ...
    def after(self, item_id: int, limit: int) -> Sequence[SearchDocument]: ...
    def between(self, first: int, last: int) -> Sequence[SearchDocument]: ...
    def highest(self) -> int: ...
    def count(self) -> int: ...
    def clear(self, documents: Sequence[SearchDocument], gone: Sequence[int] = ()) -> None: ...
    def mark(self, item_ids: Sequence[int]) -> None: ...
    def forget(self, item_ids: Sequence[int]) -> None: ...
    def tell(self, refused: Iterable[Refusal], taken: Iterable[int], now: datetime) -> None: ...


class SearchServer(Protocol):
    """An index beside the database, and a new one that is built beside that."""

    def asked(self) -> AbstractContextManager[None]:
        """Around all that is asked: EndpointHeldError where the server is to be left alone, and
        what it does wrong becomes a TransientError.
        """

    def state(self) -> IndexState: ...
    def begin(self) -> None: ...
    def swap(self) -> None: ...
    def reached(self) -> int: ...
    def put(
        self, documents: Sequence[SearchDocument], gone: Sequence[int] = (), *, new: bool = False
    ) -> Sequence[Refusal]:
        """Returns when they can be found, with those that the server does not take."""

    def highest(self) -> int: ...
    def count(self) -> int: ...
    def digests(self, first: int, last: int) -> Mapping[int, str]: ...
    def digest(self, document: SearchDocument) -> str: ...


class Indexing:
    """One at a time, in this process and in all; `server` is made at first use."""

    def __init__(
        self,
        rows: IndexedRows,
        server: Callable[[], SearchServer],
        clock: Clock,
        pause: Callable[[float], None] = time.sleep,
        most: int = MOST_PUT,
    ) -> None:
        """`most` documents are put at once."""
        self._rows = rows
        self._server = server
        self._clock = clock
        self._pause = pause
        self._most = most
        self._away = False
        self._more = True
        self._looked_at: datetime | None = None
        self._begun_at = ""
        self._filled = 0
        """Up to this id the new index has all that it will take."""
        self._counted_at: datetime | None = None
        self._more_there = 0
        """How many more documents the index had than there are items, when that was looked into."""
        self._compare_from: int | None = None
        """From this id on a comparison is still to be done; None without one."""

    # ---- as things change

    def waits(self) -> bool:
        """Not while the server is away: nobody should wait for that."""
        return not self._away and (self._more or self._rows.waits())

    def round(self) -> bool:
        """One batch; True when there may be more. TransientError while the server is away."""
        if not self._is_due():
            return False
        with self._rows.alone() as alone:
            if not alone:
                self._more = False
                return False
            try:
                with self._server().asked():
                    self._more = self._batch() or self._compared_on()
            except TransientError:
                self._away = True
                raise
        self._away = False
        self._looked_at = self._clock()
        return self._more

    def _is_due(self) -> bool:
        """Where nothing waits, the server is looked at now and then: somebody may have deleted
        the index.
        """
        if self._more or self._away or self._looked_at is None or self._rows.waits():
            return True
        return self._clock() - self._looked_at >= _LOOK_AGAIN

    def _batch(self) -> bool:
        state = self._building_if_needed()
        if not state.building:
            return self._push()
        more = self._push(also_new=True) if state.there else False
        return self._fill(clears=not state.there) or more

    def _building_if_needed(self, *, anew: bool = False) -> IndexState:
        """`anew`: also where the index is as it should be."""
        state = self._server().state()
        if not state.building and (anew or not state.live):
            self._server().begin()
            state = self._server().state()
        return self._known(state)

    def _known(self, state: IndexState) -> IndexState:
        """Of another new index nothing is known."""
        if state.begun_at != self._begun_at:
            self._begun_at, self._filled = state.begun_at, 0
        return state

    def _push(self, *, also_new: bool = False) -> bool:
        server, rows = self._server(), self._rows
        gone = rows.gone(self._most)  # first: an item that goes meanwhile is in the next batch
        documents = self._gathered(rows.documents)
        if not documents and not gone:
            return False
        refused = server.put(documents, gone)
        if also_new:
            reached = self._reached()
            done = tuple(takewhile(lambda one: one.id <= reached, documents))
            server.put(done, gone, new=True)
        self._settle(documents, gone, refused)
        return True

    def _settle(
        self,
        documents: Sequence[SearchDocument],
        gone: Sequence[int],
        refused: Sequence[Refusal],
    ) -> None:
        """What the server refuses is told, and not tried again until it changes."""
        names = {one.id for one in refused}
        taken = [one.id for one in documents if one.id not in names]
        self._rows.tell(refused, taken, self._clock())
        self._rows.clear(documents, gone)
        log.info("indexed", documents=len(taken), gone=len(gone), refused=len(refused))

    def _gathered(
        self, read: Callable[[int, int], Sequence[SearchDocument]]
    ) -> tuple[SearchDocument, ...]:
        """A batch: as many as it may have, or as much as it may hold; `read` takes how many, and
        from above which id.
        """
        found: list[SearchDocument] = []
        characters = 0
        while len(found) < self._most and characters < MOST_TEXT:
            limit = min(READ_TOGETHER, self._most - len(found))
            more = read(limit, found[-1].id if found else 0)
            found += more
            characters += sum(len(one.content) for one in more)
            if len(more) < limit:
                break
        return tuple(found)

    def _compared_on(self) -> bool:
        """A slice of a comparison, if one is due; True when there was one."""
        if self._compare_from is None:
            if not self._miscounts():
                return False
            self._compare_from = 1
        _, self._compare_from = self._compare_slice(self._compare_from)
        if self._compare_from is None:
            self._counted_at = None  # the next round counts what is left, to know it next time
        return True

    def _miscounts(self) -> bool:
        """Somebody has taken documents out, or put some in. Not looked into again while it stays as
        it is, as it does where the server refuses some.
        """
        server, rows, now = self._server(), self._rows, self._clock()
        if self._counted_at is not None and now - self._counted_at < _COUNT_AGAIN:
            return False
        self._counted_at = now
        more = server.count() - rows.count()
        if more == self._more_there or rows.waits() or not server.state().live:
            return False
        self._more_there = more
        if more:
            log.warning("index_has_others", documents=more)
        return more != 0

    # ---- anew

    def _reached(self) -> int:
        """The process that began may be gone; what was refused is in no index."""
        self._filled = max(self._filled, self._server().reached())
        return self._filled

    def _fill(self, *, clears: bool) -> bool:
        """The next documents of the new index, or its end; marks are cleared where no other index
        waits for them.
        """
        server, rows = self._server(), self._rows
        reached = self._reached()
        documents = self._gathered(lambda limit, after: rows.after(max(after, reached), limit))
        if not documents:
            server.swap()
            log.info("index_is_new")
            return True
        gone = rows.gone(self._most) if clears else ()
        refused = server.put(documents, gone, new=True)
        self._filled = documents[-1].id
        if clears:
            self._settle(documents, gone, refused)
        return True

    def rebuild(self, progress: Callable[[int, int], None] = lambda done, of: None) -> int:
        """A new index beside the live one, then swapped; goes on with one that is half full.
        Returns how many documents there are. What changes meanwhile is in it.
        """
        of = self._rows.highest()
        self._when_alone(lambda: self._building_if_needed(anew=True))
        while self._when_alone(self._go_on):
            progress(min(self._filled, of), of)
        count = self._rows.count()
        for _ in range(count // min(self._most, FEWEST_PUT) + 1):
            if not self.round():  # where things change all the time, it would never end
                break
        return count

    def _go_on(self) -> bool:
        """One batch of the new index; False when it is the live one, whoever has filled it."""
        state = self._known(self._server().state())
        if not state.building:
            return False
        if state.there:
            self._push(also_new=True)
        return self._fill(clears=not state.there)

    def _when_alone(self, work: Callable[[], _Done]) -> _Done:
        while True:
            with self._rows.alone() as alone:
                if alone:
                    with self._server().asked():
                        return work()
            self._pause(_LOOK_SECONDS)

    # ---- whether it is true

    def reconcile_by_night(self) -> None:
        """Once a night, whoever does it; called every hour. Rounds go on meanwhile."""
        now = self._clock()
        if now.hour not in NIGHT_HOURS:
            return
        with self._rows.alone_comparing() as alone:
            if not alone or self._rows.was_compared(now.date()):
                return
            try:
                self.reconcile()
            except TransientError as error:
                log.warning("index_not_compared", error=str(error))
            else:
                self._rows.has_compared(now.date())

    def reconcile(self) -> int:
        """Compare all documents with those of the index, mark what differs; returns how many."""
        differing = 0
        with self._server().asked():
            # where it is not, a round will build it
            first = 1 if self._server().state().live else None
            while first is not None:
                more, first = self._compare_slice(first)
                differing += more
        if differing:
            log.warning("index_differed", documents=differing)
        return differing

    def _compare_slice(self, first: int) -> tuple[int, int | None]:
        """How many differ among those from `first` on, and where the next slice begins."""
        last = self._rows.highest()
        if first <= last:
            return self._compare(first, min(first + COMPARED - 1, last)), first + COMPARED
        # at once: a single document of somebody else's may have a number of sixteen digits
        return self._compare(last + 1, max(self._server().highest(), last + 1)), None

    def _compare(self, first: int, last: int) -> int:
        """What waits is told anyway."""
        server, rows = self._server(), self._rows
        wanted = {one.id: one for one in rows.between(first, last)}
        there = server.digests(first, last)
        differ = [
            one.id
            for one in wanted.values()
            if one.mark <= 0 and there.get(one.id) != server.digest(one)
        ]
        extra = [item_id for item_id in there if item_id not in wanted]
        rows.mark(differ)
        rows.forget(extra)
        return len(differ) + len(extra)
