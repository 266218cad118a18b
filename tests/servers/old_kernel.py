"""Runs a command as on a kernel that has neither Landlock nor seccomp.

`python -m tests.servers.old_kernel COMMAND...`; the filter that denies them is seccomp itself.
"""

from __future__ import annotations

import ctypes
import errno
import os
import platform
import struct
import sys

PRCTL = {"x86_64": 157, "aarch64": 167}
NO_NEW_PRIVILEGES, SET_SECCOMP, FILTER = 38, 22, 2
LANDLOCK = (444, 445, 446)


def step(code: int, value: int, if_so: int = 0, if_not: int = 0) -> bytes:
    return struct.pack("HBBI", code, if_so, if_not, value)


def forget() -> None:
    refuse = 0x00050000
    program = [step(0x20, 0)]
    for number in LANDLOCK:
        program += [step(0x15, number, 0, 1), step(0x06, refuse | errno.ENOSYS)]
    program += [step(0x15, PRCTL[platform.machine()], 0, 3), step(0x20, 16)]
    program += [step(0x15, SET_SECCOMP, 0, 1), step(0x06, refuse | errno.EINVAL)]
    program += [step(0x06, 0x7FFF0000)]
    steps = ctypes.create_string_buffer(b"".join(program))
    libc = ctypes.CDLL(None)
    libc.prctl(NO_NEW_PRIVILEGES, 1, 0, 0, 0)
    described = struct.pack("HP", len(program), ctypes.addressof(steps))
    assert libc.prctl(SET_SECCOMP, FILTER, described, 0, 0) == 0


if __name__ == "__main__":
    forget()
    os.execv(sys.argv[1], sys.argv[1:])
