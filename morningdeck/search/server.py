"""The search server as whoever fills it sees it: indexes, documents, what has become of tasks.

An answer of 202 is a promise: each task is awaited, and what it says is looked at.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

from meilisearch.client import Client
from meilisearch.index import Index

from morningdeck.model.asking import FailureKind
from morningdeck.model.indexing import IndexState, PackedDocument, Refusal
from morningdeck.search.index_settings import KEY, SETTINGS
from morningdeck.search.ways import KeptWays
from morningdeck.search.wire import RejectedError, SearchTroubleError, Wire

_WRITE_SECONDS = 30.0
TASK_SECONDS = 600.0
"""The longest that a task may take, with those before it."""
LARGEST_BODY = 4 << 20
FIRST_LOOK_SECONDS, LONGEST_GLANCE_SECONDS = 0.005, 0.25
NO_ROOM = "no_space_left_on_device"
"""Of the disk, or of the queue of tasks."""
MISSING = "index_not_found"
_TOO_LARGE = "payload_too_large"
UNHEARD = 64 << 10
"""Bytes of a body that is read to its end before it is refused."""
CUT_SHORT = (FailureKind.CONNECTION, FailureKind.TIMEOUT)
FAULTS_OF_DOCUMENTS = frozenset(
    {
        _TOO_LARGE,
        "malformed_payload",
        "bad_request",
        "document_fields_limit_reached",
        "max_fields_limit_exceeded",
        "missing_document_id",
    }
)


class MeilisearchServer:
    """The port `SearchServer`. A new index is built under a second name, and then swapped in."""

    def __init__(
        self,
        url: str,
        api_key: str | None,
        index: str,
        *,
        pause: Callable[[float], None] = time.sleep,
        write_seconds: float = _WRITE_SECONDS,
        task_seconds: float = TASK_SECONDS,
        largest_body: int = LARGEST_BODY,
    ) -> None:
        self.live, self.new = index, f"{index}_new"
        self._ways = KeptWays(url, api_key, (self.live, self.new), write_seconds)
        self._pause = pause
        self._task_seconds = task_seconds
        self._largest_body = largest_body

    # ---- the way there

    @property
    def searching(self) -> Wire:
        return self._ways.wire("searching")

    @property
    def _writing(self) -> Wire:
        return self._ways.wire("writing")

    @property
    def _building(self) -> Wire:
        return self._ways.wire("building")

    def forget_keys(self) -> None:
        """The server refuses them: somebody has deleted them."""
        self._ways.close()

    def index(self, wire: Wire, uid: str) -> Index:
        """The client's, over a connection that is kept."""
        index = Index(wire.config, uid)
        index.http = wire
        return index

    # ---- indexes

    def state(self) -> IndexState:
        """What is there. An index that is older than the other is what a swap has left behind."""
        made = self._made()
        live, new = made.get(self.live), made.get(self.new)
        building = new is not None and (live is None or live < new)
        return IndexState(
            there=live is not None,
            live=live is not None and self._is_ours(self.live),
            building=building and self._is_ours(self.new),
            begun_at=new or "",
        )

    def _is_ours(self, uid: str) -> bool:
        found = self._writing.get(f"indexes/{uid}/settings")
        return all(_holds(found.get(name), value) for name, value in SETTINGS.items())

    def begin(self) -> None:
        """Have an empty index beside the live one, whatever was left there."""
        index = self.index(self._building, self.new)
        client = self._client(self._building)
        self._await(client.delete_index(self.new).task_uid, but=MISSING)
        made = self._building.post("indexes", {"uid": self.new, "primaryKey": KEY})
        self._await(made["taskUid"])
        self._await(index.update_settings(SETTINGS).task_uid)

    def swap(self) -> None:
        """The new one is the live one from now on."""
        made = self._made()
        names = [self.new, self.live]
        both = self.live in made
        self._building.post("swap-indexes", [{"indexes": names, "rename": not both}])
        # a key for two indexes does not see the task, which is no index's
        self._until(lambda: self._made().get(self.live) == made[self.new])
        self._await(self._client(self._building).delete_index(self.new).task_uid, but=MISSING)

    def _made(self) -> Mapping[str, str]:
        """When each index was made."""
        found = {uid: self._made_at(uid) for uid in (self.live, self.new)}
        return {uid: at for uid, at in found.items() if at}

    def _made_at(self, uid: str) -> str:
        """Empty where there is none. A list of all indexes would be cut."""
        try:
            return str(self._writing.get(f"indexes/{uid}")["createdAt"])
        except RejectedError as error:
            if error.code != MISSING:
                raise
        return ""

    def _client(self, wire: Wire) -> Client:
        client = Client(wire.config.url, None)
        client.http = wire
        return client

    # ---- documents

    def put(
        self, documents: Sequence[PackedDocument], gone: Sequence[int] = (), *, new: bool = False
    ) -> tuple[Refusal, ...]:
        """Add or replace documents and remove those gone, in the new index or the live one; returns
        when they can be found, with what the server would not take.
        """
        index = self.index(self._writing, self.new if new else self.live)
        self._settle_earlier()
        if not self._made_at(index.uid):
            raise RejectedError(self._writing.host, MISSING)  # a document would make it
        if gone:
            path = f"indexes/{index.uid}/documents/delete-batch"
            self._await(self._writing.post(path, [str(each) for each in gone])["taskUid"])
        refused: list[Refusal] = []
        for part, code in self._try_all(index, _in_bodies(documents, self._largest_body)):
            if code is not None:
                refused += self._put_part(index, part, code)
        return tuple(refused)

    def _try_all(
        self, index: Index, parts: Iterable[Sequence[PackedDocument]]
    ) -> Iterator[tuple[Sequence[PackedDocument], str | None]]:
        """All are sent before the first is awaited: the server does those that wait together."""
        sent = [(part, self._send(index, part)) for part in parts]
        for part, task in sent:
            yield part, (task if isinstance(task, str) else self._ended(task))

    def _put_part(
        self, index: Index, part: Sequence[PackedDocument], code: str, *, works: bool = False
    ) -> list[Refusal]:
        """What was refused as a whole, in halves down to the single document that is to blame. That
        the server `works`, something that it took has proved.
        """
        if not works and not _is_fault_of_document(code):
            ends = (part[:1], part[-1:]) if len(part) > 1 else ()
            if all(self._try(index, one) is not None for one in ends):
                raise SearchTroubleError(self._writing.host, code, FailureKind.SERVER)
            works = True
        if len(part) == 1:
            return [Refusal(part[0].id, code)]
        middle = len(part) // 2
        refused = []
        for half in (part[:middle], part[middle:]):
            if (again := self._try(index, half)) is not None:
                refused += self._put_part(index, half, again, works=works)
        return refused

    def _try(self, index: Index, part: Sequence[PackedDocument]) -> str | None:
        """What was wrong, if something was."""
        task = self._send(index, part)
        return task if isinstance(task, str) else self._ended(task)

    def _ended(self, task: int) -> str | None:
        try:
            self._await(task)
        except RejectedError as error:
            if error.code == MISSING:
                raise
            return error.code
        return None

    def _send(self, index: Index, part: Sequence[PackedDocument]) -> int | str:
        """The task that it has become, or what was wrong."""
        body = b"\n".join(one.line for one in part)
        path = f"indexes/{index.uid}/documents?primaryKey={KEY}"
        try:
            return int(self._writing.post(path, body, "application/x-ndjson")["taskUid"])
        except RejectedError as error:
            if error.code == MISSING:
                raise
            too_large, code = error.code == _TOO_LARGE, error.code
        except SearchTroubleError as error:
            if len(body) <= UNHEARD or error.kind not in CUT_SHORT or not self._answers():
                raise
            too_large, code = True, _TOO_LARGE
        if too_large:
            self._largest_body = max(UNHEARD, len(body) // 2)
        return code

    def _answers(self) -> bool:
        """Where one hangs up on a large body, or reads no more of it, that was too large."""
        try:
            self._settle_earlier()
        except SearchTroubleError:
            return False
        return True

    def reached(self) -> int:
        """The highest id in the new index."""
        asked = {"sort": [f"{KEY}:desc"], "limit": 1, "fields": [KEY]}
        found = self._writing.post(f"indexes/{self.new}/documents/fetch", asked)["results"]
        return int(found[0][KEY]) if found else 0

    def digests(self, first: int, last: int) -> Mapping[int, str]:
        """Of the documents with ids from first to last in the live index."""
        asked = {
            "filter": f"{KEY} >= {first} AND {KEY} <= {last}",
            "limit": last - first + 1,
            "fields": [KEY, "digest"],
        }
        found = self._writing.post(f"indexes/{self.live}/documents/fetch", asked)["results"]
        return {int(each[KEY]): str(each.get("digest") or "") for each in found}

    def highest(self) -> int:
        """The highest id in the live index."""
        asked = {"sort": [f"{KEY}:desc"], "limit": 1, "fields": [KEY]}
        found = self._writing.post(f"indexes/{self.live}/documents/fetch", asked)["results"]
        return int(found[0][KEY]) if found else 0

    def count(self) -> int:
        return int(self._writing.get(f"indexes/{self.live}/stats")["numberOfDocuments"])

    # ---- tasks

    def _settle_earlier(self) -> None:
        """Those of a process that has been killed come first, or their queue would only grow."""
        names = f"{self.live},{self.new}"
        asked = f"tasks?indexUids={names}&statuses=enqueued,processing&limit=1"
        if found := self._writing.get(asked)["results"]:
            self._watch(int(found[0]["uid"]))

    def _await(self, uid: int, *, but: str = "") -> None:
        """Until it has succeeded; RejectedError says what it failed by."""
        found = self._watch(uid)
        code = str((found.get("error") or {}).get("code") or "")
        if found["status"] == "succeeded" or (but and code == but):
            return
        if found["status"] != "failed" or code == NO_ROOM or not code:
            what = code or f"a task was {found['status']}"
            raise SearchTroubleError(self._writing.host, what, FailureKind.SERVER)
        raise RejectedError(self._writing.host, code)

    def _watch(self, uid: int) -> dict[str, Any]:
        """The task, when it has ended."""
        found: dict[str, Any] = {}

        def ended() -> bool:
            found.update(self._writing.get(f"tasks/{uid}"))
            return found["status"] not in ("enqueued", "processing")

        self._until(ended)
        return found

    def _until(self, is_so: Callable[[], bool]) -> None:
        until = time.monotonic() + self._task_seconds
        look = FIRST_LOOK_SECONDS
        while not is_so():
            if time.monotonic() > until:
                what = "a task has not ended in time"
                raise SearchTroubleError(self._writing.host, what, FailureKind.TIMEOUT)
            self._pause(look)
            look = min(look * 1.5, LONGEST_GLANCE_SECONDS)

    def close(self) -> None:
        self._ways.close()


def _is_fault_of_document(code: str) -> bool:
    return code in FAULTS_OF_DOCUMENTS or code.startswith("invalid_document")


def _in_bodies(
    documents: Sequence[PackedDocument], largest: int
) -> Iterable[Sequence[PackedDocument]]:
    """As many at once as a body may hold, one at least."""
    part: list[PackedDocument] = []
    size = 0
    for one in documents:
        if part and size + len(one.line) > largest:
            yield part
            part, size = [], 0
        part.append(one)
        size += len(one.line) + 1
    if part:
        yield part


def _holds(found: Any, wanted: Any) -> bool:
    """The server adds to what it was told."""
    if isinstance(wanted, dict):
        return isinstance(found, dict) and all(
            _holds(found.get(name), value) for name, value in wanted.items()
        )
    if isinstance(wanted, list) and isinstance(found, list):
        return sorted(map(str, found)) == sorted(map(str, wanted))
    return bool(found == wanted)
