"""Where a fault strikes: one database, its newsroom, and daemons with this test's folder."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from tests.faults.daemon import Daemon
from tests.faults.newsroom import Newsroom


@dataclass(frozen=True, slots=True)
class Scene:
    url: str
    folder: Path
    open_room: Callable[..., Newsroom]
    make_daemon: Callable[..., Daemon]

    def room(self, *, feeds: int) -> Newsroom:
        return self.open_room(self.url, feeds=feeds)

    def daemon(self, **settings: object) -> Daemon:
        return self.make_daemon(self.folder, self.url, **settings)
