"""Passwords: what is kept of one, and whether somebody knows it.

By argon2id with 19 MiB and two rounds, as OWASP has it; no more than two are worked on at once, so
that many who try cost no more memory.
"""

from __future__ import annotations

import threading
from functools import cache
from typing import TYPE_CHECKING

from morningdeck.errors import ConfigError, TransientError

if TYPE_CHECKING:
    from argon2 import PasswordHasher

FEWEST_SIGNS, MOST_SIGNS = 10, 500
FEWEST_DIFFERENT = 5
HASHED_AT_ONCE = 2
HASHING_PATIENCE_SECONDS = 2.0
"""Whoever waits holds a thread that shows pages to others."""

_room = threading.BoundedSemaphore(HASHED_AT_ONCE)


@cache
def _hasher() -> PasswordHasher:
    from argon2 import PasswordHasher  # which most commands have no use for

    return PasswordHasher(time_cost=2, memory_cost=19_456, parallelism=1)


def hashed(password: str) -> str:
    with _Turn():
        return _hasher().hash(_as_bytes(password))


def fits(kept: str | None, password: str) -> bool:
    """Takes as long where nothing is kept: nobody learns by it who has an account."""
    from argon2.exceptions import InvalidHashError, VerificationError

    with _Turn():
        try:
            _hasher().verify(kept or _nobodys(), _as_bytes(password[:MOST_SIGNS]))
        except (VerificationError, InvalidHashError):
            return False
    return bool(kept)


def check_good(password: str, email: str = "") -> None:
    if len(password) < FEWEST_SIGNS:
        raise ConfigError(f"a password needs {FEWEST_SIGNS} characters: a few words are best")
    if len(password) > MOST_SIGNS:
        raise ConfigError(f"a password has at most {MOST_SIGNS} characters")
    if len(set(password)) < FEWEST_DIFFERENT or password.lower() == email.lower():
        raise ConfigError("this password is too easy to guess: take a few words")


def _as_bytes(password: str) -> bytes:
    return password.encode("utf-8", "surrogatepass")


@cache
def _nobodys() -> str:
    return _hasher().hash(b"nobody has this one")


class _Turn:
    def __enter__(self) -> None:
        if not _room.acquire(timeout=HASHING_PATIENCE_SECONDS):
            raise TransientError("too many log in just now", after=HASHING_PATIENCE_SECONDS)

    def __exit__(self, *_: object) -> None:
        _room.release()
