"""The tasks that only one process may do at a time, each with its advisory lock's number."""

from __future__ import annotations

from enum import IntEnum, unique


@unique
class Lock(IntEnum):
    MIGRATION = 7_264_801
    STORIES = 7_264_802
    RETENTION = 7_264_803
    FIRST_USER = 7_264_804
