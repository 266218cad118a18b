"""The ways to the search server, one for each purpose, each with a key that is good for no more.

The key in the settings only makes them: one for searching, one for writing documents, which makes
no index by the way, one for building indexes. They are the same in all processes.
"""

from __future__ import annotations

from collections.abc import Mapping
from threading import Lock
from uuid import NAMESPACE_URL, uuid5

from morningdeck.model.asking import FailureKind
from morningdeck.search.wire import RejectedError, SearchTroubleError, Wire

SEARCH_SECONDS = 3.0
PURPOSES: Mapping[str, tuple[str, ...]] = {
    "searching": ("search",),
    "writing": (
        *("documents.add", "documents.get", "documents.delete"),
        *("indexes.get", "settings.get", "stats.get", "tasks.get"),
    ),
    "building": (
        *("indexes.create", "indexes.delete", "indexes.get", "indexes.swap"),
        *("settings.get", "settings.update", "tasks.get"),
    ),
}
UNKNOWN_KEY = "api_key_not_found"
MADE_MEANWHILE = "api_key_already_exists"


class KeptWays:
    """Made when they are first gone; safe to be used by many threads at once."""

    def __init__(
        self, url: str, key: str | None, indexes: tuple[str, ...], write_seconds: float
    ) -> None:
        self._url = url
        self._key = key
        self._indexes = indexes
        self._seconds = {"searching": SEARCH_SECONDS}
        self._write_seconds = write_seconds
        self._wires: dict[str, Wire] = {}
        self._lock = Lock()

    def wire(self, purpose: str) -> Wire:
        with self._lock:
            if purpose not in self._wires:
                seconds = self._seconds.get(purpose, self._write_seconds)
                self._wires[purpose] = Wire(self._url, self._scoped(purpose), seconds=seconds)
            return self._wires[purpose]

    def _scoped(self, purpose: str) -> str | None:
        """The key that was given where that may make none."""
        if self._key is None:
            return None
        wire = Wire(self._url, self._key, seconds=SEARCH_SECONDS)
        try:
            return self._made(wire, purpose)
        except SearchTroubleError as error:
            if error.kind is FailureKind.DENIED:
                return self._key
            raise
        finally:
            wire.close()

    def _made(self, wire: Wire, purpose: str) -> str:
        actions = PURPOSES[purpose]
        uid = str(uuid5(NAMESPACE_URL, f"morningdeck:{purpose}:{self._indexes}:{actions}"))
        try:
            return str(wire.get(f"keys/{uid}")["key"])
        except RejectedError as error:
            if error.code != UNKNOWN_KEY:
                raise
        scope = {"actions": actions, "indexes": self._indexes, "expiresAt": None}
        wanted = {"uid": uid, "name": f"Morning Deck, {purpose}", **scope}
        try:
            return str(wire.post("keys", wanted)["key"])
        except RejectedError as error:
            if error.code != MADE_MEANWHILE:
                raise
        return str(wire.get(f"keys/{uid}")["key"])

    def close(self) -> None:
        """Until somebody goes there again, with keys that are asked for anew."""
        with self._lock:
            for wire in self._wires.values():
                wire.close()
            self._wires.clear()
