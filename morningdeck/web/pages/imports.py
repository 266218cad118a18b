"""Lists of feeds that are being read: on a thread each, so that nobody's browser waits for it.

Known to this process alone, and for a while: what a list has brought stands in the database.
"""

from __future__ import annotations

import itertools
import threading
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, field

from morningdeck.actions.opml import ImportTold
from morningdeck.errors import ConflictError, MorningDeckError, NotFoundError
from morningdeck.logs import log

MOST_LISTS_KNOWN = 50
Progress = Callable[[int, int], None]


@dataclass(slots=True)
class ListImport:
    """`told` or `wrong` once it has ended."""

    number: int
    user_id: int
    then: str
    done: int = 0
    of: int = 0
    told: ImportTold | None = None
    wrong: str | None = None
    ended: threading.Event = field(default_factory=threading.Event)

    def count(self, done: int, of: int) -> None:
        self.done, self.of = done, of


class Imports:
    def __init__(self) -> None:
        self._known: OrderedDict[int, ListImport] = OrderedDict()
        self._numbers = itertools.count(1)
        self._lock = threading.Lock()

    def begin(self, user_id: int, then: str, work: Callable[[Progress], ImportTold]) -> ListImport:
        """One list of a user at a time."""
        with self._lock:
            if any(one.user_id == user_id and not one.ended.is_set() for one in self._all()):
                raise ConflictError("another list of yours is being read: wait until it is done")
            made = ListImport(next(self._numbers), user_id, then)
            self._known[made.number] = made
            ended = [one.number for one in self._all() if one.ended.is_set()]
            for number in ended[: max(0, len(self._known) - MOST_LISTS_KNOWN)]:
                del self._known[number]
        threading.Thread(target=_run, args=(made, work), name="list-import", daemon=True).start()
        return made

    def of(self, user_id: int, number: int) -> ListImport:
        with self._lock:
            found = self._known.get(number)
        if found is None or found.user_id != user_id:
            raise NotFoundError("that list is not known any more: your sources say what it brought")
        return found

    def _all(self) -> tuple[ListImport, ...]:
        return tuple(self._known.values())


def _run(made: ListImport, work: Callable[[Progress], ImportTold]) -> None:
    try:
        made.told = work(made.count)
    except MorningDeckError as error:
        made.wrong = f"It was read in part: {error}. Choose the same list again."
    except BaseException:  # a panic of what is written in Rust, too: nobody else would tell
        log.exception("list_import_failed", user_id=made.user_id)
        made.wrong = "It was read in part, as something went wrong here: the log says what."
    finally:
        made.ended.set()
