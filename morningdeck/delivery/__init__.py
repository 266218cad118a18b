"""The ways to deliver a report: one file each, one line each in `CHANNELS`."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from morningdeck.delivery.folder import FolderChannel
from morningdeck.ports import Channel


@dataclass(frozen=True, slots=True)
class Means:
    """What channels are made of; each takes what it needs."""

    folder: Path


CHANNELS: dict[str, Callable[[Means], Channel]] = {
    "folder": lambda given: FolderChannel(given.folder),
}
