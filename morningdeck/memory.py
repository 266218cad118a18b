"""Memory of a process that runs for long: what is free goes back, what stays is left in peace.

glibc learns from every large block that goes, and soon keeps tens of megabytes at the end of
each thread's heap. Other C libraries are left alone.
"""

from __future__ import annotations

import ctypes
import gc

LARGE_BYTES = 1 << 20
"""What is larger is a mapping of its own, gone as soon as it is free."""
HEAPS = 2
"""Python's threads take turns anyway; by default there would be eight for each core."""
FOR_CHILDREN = {"MALLOC_MMAP_THRESHOLD_": str(LARGE_BYTES)}
"""The same for a child, in its environment."""

_M_MMAP_THRESHOLD, _M_ARENA_MAX = -3, -8


def keep_little() -> None:
    """For this process, from here on."""
    library = ctypes.CDLL(None)
    if hasattr(library, "gnu_get_libc_version"):
        library.mallopt(_M_MMAP_THRESHOLD, LARGE_BYTES)
        library.mallopt(_M_ARENA_MAX, HEAPS)


def settle() -> None:
    """What is there now is there to stay: garbage is looked for in what comes after it.

    Looking through all that a daemon has imported takes 0.1 s, and every thread waits for it.
    """
    gc.collect()
    gc.freeze()


def give_back() -> None:
    """What is free at this moment, wherever in the heaps it lies."""
    library = ctypes.CDLL(None)
    if hasattr(library, "malloc_trim"):
        library.malloc_trim(0)
