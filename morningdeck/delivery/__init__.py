"""The ways to deliver a report: one file each, one line each in `CHANNELS`."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from morningdeck.errors import ConfigError

if TYPE_CHECKING:
    from morningdeck.ports.verbs import Channel


@dataclass(frozen=True, slots=True)
class ChannelMeans:
    """What channels are made of; each takes what it needs."""

    folder: Path


@dataclass(frozen=True, slots=True)
class ChannelKind:
    """`open` raises ConfigError, which says what is missing, where a channel is not set up.

    One that is not `addressed` gets one copy, whose address is its own name; the others get
    one for each recipient.
    """

    open: Callable[[ChannelMeans], Channel]
    addressed: bool = True


def _folder(means: ChannelMeans) -> Channel:
    from morningdeck.delivery.folder import FolderChannel  # the names of channels cost nothing

    return FolderChannel(means.folder)


CHANNELS = {
    "folder": ChannelKind(_folder, addressed=False),
}


def open_channel(name: str, means: ChannelMeans) -> Channel:
    if name not in CHANNELS:
        known = " or ".join(f"--channel {one}" for one in CHANNELS)
        raise ConfigError(f"channel {name!r}: this version cannot deliver by it yet, use {known}")
    return CHANNELS[name].open(means)


def addressed(name: str) -> bool:
    """One that is not there any more is taken for one that was."""
    return name not in CHANNELS or CHANNELS[name].addressed
