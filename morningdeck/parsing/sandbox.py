"""What a parser's process may not do, whatever its document makes it do.

    Landlock    opens no file but the libraries it has yet to import (Linux 5.13)
    seccomp     no sockets, no processes, no looking into or signalling others; no rights,
                owners or times of files, which Landlock leaves alone
    limits      hard, so that nobody lifts them again; as root, no capabilities

Each holds for good once it is there. What the kernel does not have is left out, and
`missing` names it, so that somebody can be told.
"""

from __future__ import annotations

import ctypes
import errno
import os
import platform
import resource
import struct
import sys
import sysconfig
from collections.abc import Iterator
from pathlib import Path

FILES_OPEN = 64
SYSTEM_LIBRARIES = (
    *("/lib", "/lib64", "/usr/lib", "/usr/lib64", "/usr/local/lib", "/etc/ld.so.cache"),
    *("/nix/store", "/etc/localtime", "/usr/share/zoneinfo"),
)
"""Where an import finds what a module is linked to, and the time zones."""

_CREATE_RULESET, _ADD_RULE, _RESTRICT_SELF = 444, 445, 446
_ASK_VERSION, _PATH_BENEATH = 1, 1
_READ_FILE, _READ_DIR = 1 << 2, 1 << 3
_FILE_RIGHTS = {1: 13, 2: 14, 3: 15, 5: 16}
"""By the first version that knows them: how many rights over files there are."""
_NETWORK_SINCE, _NETWORK_RIGHTS = 4, 0b11
_SCOPES_SINCE, _SCOPES = 6, 0b11

_SET_NO_NEW_PRIVILEGES, _SET_SECCOMP, _FILTER = 38, 22, 2
_CAPABILITIES_VERSION = 0x20080522
_CAN_READ_ALL = 1 << 2
"""CAP_DAC_READ_SEARCH: root's modules may lie in another user's folder."""

_MACHINES = {"x86_64": (0xC000003E, 1, 302), "aarch64": (0xC00000B7, 2, 261)}
"""How seccomp calls the machine, its column in the file, and its prlimit64, which a process may
use on itself alone."""
_CALLS = Path(__file__).with_name("forbidden_calls.txt")
_OTHER_ABI = 0x40000000
"""On x86-64, the same calls once more under other numbers."""
_LOAD, _IF_EQUAL, _IF_FROM, _RETURN = 0x20, 0x15, 0x35, 0x06
_NUMBER_AT, _MACHINE_AT, _FIRST_ARGUMENT_AT = 0, 4, 16
_ALLOW, _DENY = 0x7FFF0000, 0x00050000 | errno.EPERM

_libc = ctypes.CDLL(None, use_errno=True)


def missing() -> tuple[str, ...]:
    """What this kernel cannot keep a parser from."""
    kept = {
        "files (Landlock)": _landlock_version() > 0,
        "network and processes (seccomp)": _has_seccomp(),
    }
    return tuple(name for name, there in kept.items() if not there)


def close(*, memory_bytes: int, cpu_seconds: int) -> None:
    """Lock this process in, for good; these are the most that it may ever use."""
    for limit, most in (
        (resource.RLIMIT_AS, memory_bytes),
        (resource.RLIMIT_CPU, cpu_seconds),
        (resource.RLIMIT_NOFILE, FILES_OPEN),
        (resource.RLIMIT_NPROC, 0),
        (resource.RLIMIT_FSIZE, 0),
        (resource.RLIMIT_CORE, 0),
    ):
        _, hard = resource.getrlimit(limit)
        most = most if hard == resource.RLIM_INFINITY else min(most, hard)
        resource.setrlimit(limit, (most, most))
    if sys.platform != "linux":
        return
    _done(_libc.prctl(_SET_NO_NEW_PRIVILEGES, 1, 0, 0, 0))
    if os.geteuid() == 0:
        header = struct.pack("Ii", _CAPABILITIES_VERSION, 0)
        keep = _CAN_READ_ALL
        _done(_libc.capset(header, struct.pack("6I", keep, keep, 0, 0, 0, 0)))
    if (version := _landlock_version()) > 0:
        _forbid_files(version)
    if _has_seccomp():
        _forbid_calls()


def _done(answer: int) -> int:
    if answer < 0:
        raise OSError(ctypes.get_errno(), "the sandbox could not be closed")
    return answer


# ---- Landlock


def _landlock_version() -> int:
    if sys.platform != "linux":
        return 0
    return int(_libc.syscall(_CREATE_RULESET, None, ctypes.c_size_t(0), _ASK_VERSION))


def _forbid_files(version: int) -> None:
    rights = (1 << _FILE_RIGHTS[max(known for known in _FILE_RIGHTS if known <= version)]) - 1
    network = _NETWORK_RIGHTS if version >= _NETWORK_SINCE else 0
    scopes = _SCOPES if version >= _SCOPES_SINCE else 0
    # older versions take what they know, as long as the rest is zero
    rules = struct.pack("QQQ", rights, network, scopes)
    ruleset = _done(_libc.syscall(_CREATE_RULESET, rules, ctypes.c_size_t(len(rules)), 0))
    for path in _readable():
        try:
            folder = os.open(path, os.O_PATH | os.O_CLOEXEC)
        except OSError:
            continue
        allowed = _READ_FILE | (_READ_DIR if path.is_dir() else 0)
        rule = struct.pack("=Qi", allowed, folder)
        _done(_libc.syscall(_ADD_RULE, ruleset, _PATH_BENEATH, rule, 0))
        os.close(folder)
    _done(_libc.syscall(_RESTRICT_SELF, ruleset, 0))
    os.close(ruleset)


def _readable() -> Iterator[Path]:
    """Libraries and our own code; not a checkout as a whole, which may hold the data folder."""
    yield from map(Path, SYSTEM_LIBRARIES)
    yield Path(__file__).parents[1]
    yield Path(sys.base_prefix, "lib")
    standard = {sysconfig.get_path("stdlib"), sysconfig.get_path("platstdlib")}
    yield from (Path(path) for path in standard)
    for path in map(Path, sys.path):
        if path.name.endswith("-packages") or next(path.glob("*.dist-info"), None) is not None:
            yield path


# ---- seccomp


def _has_seccomp() -> bool:
    """Given no filter, a kernel that knows filters says EFAULT, others EINVAL."""
    if sys.platform != "linux" or platform.machine() not in _MACHINES:
        return False
    _libc.prctl(_SET_SECCOMP, _FILTER, None, 0, 0)
    return ctypes.get_errno() == errno.EFAULT


def _forbid_calls() -> None:
    machine, column, set_limit = _MACHINES[platform.machine()]
    rows = [line.split() for line in _CALLS.read_text(encoding="ascii").splitlines()]
    program = [
        *(_step(_LOAD, _MACHINE_AT), _step(_IF_EQUAL, machine, 1, 0), _step(_RETURN, _DENY)),
        _step(_LOAD, _NUMBER_AT),
        *(_step(_IF_FROM, _OTHER_ABI, 0, 1), _step(_RETURN, _DENY)),
    ]
    for row in rows:
        if row[0] != "#" and row[column] != "-":
            program += [_step(_IF_EQUAL, int(row[column]), 0, 1), _step(_RETURN, _DENY)]
    program += [
        *(_step(_IF_EQUAL, set_limit, 0, 3), _step(_LOAD, _FIRST_ARGUMENT_AT)),
        *(_step(_IF_EQUAL, 0, 1, 0), _step(_RETURN, _DENY)),
        _step(_RETURN, _ALLOW),
    ]
    steps = ctypes.create_string_buffer(b"".join(program))
    described = struct.pack("HP", len(program), ctypes.addressof(steps))
    _done(_libc.prctl(_SET_SECCOMP, _FILTER, described, 0, 0))


def _step(code: int, value: int, if_so: int = 0, if_not: int = 0) -> bytes:
    return struct.pack("HBBI", code, if_so, if_not, value)
