"""What changes in the engine room, told to all who look by one look at the database.

    everybody who looks --wait--> Watch <--one look every other second-- the database

However many look, the database is asked once, and not at all while nobody does. A look that takes
long is followed by a longer rest, so that looking never takes more than a fiftieth of the time; so
is one that many have to be told of.
Nobody is sent what they missed: only how it is now.
"""

from __future__ import annotations

import asyncio
import hashlib
import json
import threading
import time
from collections.abc import AsyncGenerator, Callable, Iterable, Mapping
from typing import TYPE_CHECKING

from starlette.concurrency import run_in_threadpool

from morningdeck.errors import TransientError
from morningdeck.logs import log
from morningdeck.views import as_json

if TYPE_CHECKING:
    from morningdeck.app import App
    from morningdeck.store.store import Store
    from morningdeck.views.running import HoldView, ProcessView, QueueView

LOOK_AROUND_SECONDS = 2.0
REST_PER_LOOK = 50
REST_PER_LISTENER = 0.025
"""Seconds: a few see it every other second, two hundred every fifth."""
SLICE_SECONDS = 0.25
"""How soon the end of the server is heard."""
BEAT_SECONDS = 15.0
"""So often something is said at least, or proxies hang up."""
LONGEST_SECONDS = 300.0
"""Then a browser comes again, and is looked at anew: it may have been logged out."""
MOST_LISTENERS = 256
AWAY = b"event: away\ndata: {}\n\n"


class Watch:
    """Lives in the event loop of the web, the looks on its threads."""

    def __init__(
        self,
        look: Callable[[], bytes],
        ends: threading.Event,
        *,
        look_seconds: float = LOOK_AROUND_SECONDS,
        longest_seconds: float = LONGEST_SECONDS,
        rest_per_listener: float = REST_PER_LISTENER,
    ) -> None:
        self._look = look
        self._ends = ends
        self._look_seconds = look_seconds
        self._longest_seconds = longest_seconds
        self._rest_per_listener = rest_per_listener
        self._listeners = 0
        self._told = b""
        self._changed = asyncio.Event()
        self._task: asyncio.Task[None] | None = None
        self.looks = 0

    @property
    def is_full(self) -> bool:
        return self._listeners >= MOST_LISTENERS

    async def listen(self) -> AsyncGenerator[bytes, None]:
        """How it is, whenever that has changed, until the listener or the server goes."""
        self._listeners += 1
        if self._task is None:
            self._told = b""
            self._task = asyncio.create_task(self._watch())
        until = time.monotonic() + self._longest_seconds
        try:
            yield b"retry: 3000\n\n"
            heard = b""
            while time.monotonic() < until and not self._ends.is_set():
                changed = self._changed
                if self._told != heard:
                    heard = self._told
                    yield heard
                    continue
                try:
                    await asyncio.wait_for(changed.wait(), BEAT_SECONDS)
                except TimeoutError:
                    yield b":\n\n"
        finally:
            self._listeners -= 1

    async def _watch(self) -> None:
        try:
            while self._listeners and not self._ends.is_set():
                began = time.monotonic()
                self._tell(await run_in_threadpool(self._look_once))
                took = time.monotonic() - began
                crowd = self._listeners * self._rest_per_listener
                await self._rest(max(self._look_seconds, took * REST_PER_LOOK, crowd))
        finally:
            self._task = None
            self._wake()

    def _look_once(self) -> bytes:
        self.looks += 1
        try:
            return self._look()
        except TransientError:  # who looks is told, and it is tried again
            return AWAY
        except BaseException:  # a panic of what is written in Rust, too
            log.exception("watch_bug")
            return AWAY

    def _tell(self, told: bytes) -> None:
        if told != self._told:
            self._told = told
            self._wake()

    def _wake(self) -> None:
        changed, self._changed = self._changed, asyncio.Event()
        changed.set()

    async def _rest(self, seconds: float) -> None:
        until = time.monotonic() + seconds
        while self._listeners and not self._ends.is_set() and time.monotonic() < until:
            await asyncio.sleep(SLICE_SECONDS)


# ---- what is told


def numbers_now(app: App) -> Mapping[str, object]:
    """What the page shows at a glance, by the names of its places; `shape` is another one when the
    page has to be loaded anew.
    """
    now, store = app.clock(), app.store
    numbers: dict[str, str] = {}
    looks = {
        stage: store.overview.queue(stage, now, capacity=of.capacity, workers=of.workers)
        for stage, of in app.lanes.items()
    }
    for stage, look in looks.items():
        for name in ("waiting", "queued", "running"):
            numbers[f"{stage.value}.{name}"] = f"{getattr(look, name):,}"
    states = store.overview.deliveries()
    numbers["deliveries.waiting"] = f"{states['PENDING'] + states['RETRY']:,}"
    numbers["deliveries.sending"] = f"{states['SENDING']:,}"
    if app.adapters.searching.backend != store.search_index.name:
        numbers["search.waiting"] = f"{store.overview.search_waiting(now)[0]:,}"
    spent = store.spending.state(now, None)
    numbers["model.cost"] = f"{spent.cost_today_usd:.2f}"
    known, holds = store.incarnations.known(now), store.engine_room.holds(now)
    return {"numbers": numbers, "shape": shape_of(store, looks.values(), states, known, holds)}


def shape_of(
    store: Store,
    looks: Iterable[QueueView],
    states: Mapping[str, int],
    known: Iterable[ProcessView],
    holds: Iterable[HoldView],
) -> str:
    dead = sum(look.failed for look in looks)
    failed = states["RETRY"], states["REFUSED"], states["UNKNOWN"]
    there = [(one.node, one.started_at, one.lives) for one in known]
    held = [hold.endpoint for hold in holds]
    shape = as_json([dead, failed, there, held, store.engine_room.notices_open()])
    return hashlib.sha256(json.dumps(shape).encode()).hexdigest()[:16]


def as_event(told: Mapping[str, object]) -> bytes:
    return f"data: {json.dumps(told, separators=(',', ':'))}\n\n".encode()
