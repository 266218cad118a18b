"""The ways to deliver a report: one file each, one line each in `CHANNELS`."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from morningdeck.delivery.folder import FolderChannel
from morningdeck.errors import ConfigError
from morningdeck.ports import Channel


@dataclass(frozen=True, slots=True)
class Means:
    """What channels are made of; each takes what it needs."""

    folder: Path


CHANNELS: dict[str, Callable[[Means], Channel]] = {
    "folder": lambda given: FolderChannel(given.folder),
}
"""Who is not set up raises ConfigError, which says what is missing."""


def channel(name: str, given: Means) -> Channel:
    if name not in CHANNELS:
        known = " or ".join(f"--channel {one}" for one in CHANNELS)
        raise ConfigError(f"channel {name!r}: this version cannot deliver by it yet, use {known}")
    return CHANNELS[name](given)
