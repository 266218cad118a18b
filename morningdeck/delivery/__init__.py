"""The ways to deliver a report: one file each, one line each in `CHANNELS`."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from morningdeck.delivery.folder import FolderChannel
from morningdeck.ports import Channel

CHANNELS: Mapping[str, Callable[..., Channel]] = {
    "folder": FolderChannel,
}
"""Each is built with the plain values of its own settings."""
