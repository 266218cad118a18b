"""How often a login may fail, without anybody being able to lock its owner out.

Whoever comes with a browser by which the account was opened before has attempts of its own. All
others share those of the account, and those of the address that they come from: whoever tries out
passwords uses up only these.
"""

from __future__ import annotations

import ipaddress
from collections.abc import Callable, Hashable, Sequence
from itertools import takewhile
from time import monotonic

from morningdeck.web.buckets import Buckets

FAILURES_AT_ONCE = 10
FAILURES_A_MINUTE = 1
"""A guess a minute: half a million in a year, against the words of one's own choice."""


class Attempts:
    def __init__(self, clock: Callable[[], float] = monotonic) -> None:
        self._buckets = Buckets(FAILURES_AT_ONCE, FAILURES_A_MINUTE, clock)

    def begin(self, address: str, email: str | None = None, browser: str | None = None) -> Attempt:
        """`browser` is the digest of a known one; a one-time code has no account yet."""
        if email is None:
            return Attempt(self._buckets, (("address", _network(address)),))
        account = email.strip().lower()[:200]
        if browser is not None:
            return Attempt(self._buckets, ((account, browser),))
        return Attempt(self._buckets, (("address", _network(address)), ("account", account)))


class Attempt:
    def __init__(self, buckets: Buckets, keys: Sequence[Hashable]) -> None:
        self._buckets = buckets
        # one after the other: whoever may try nothing is not counted for whom they name, or many
        # made-up names would push out what is counted of others
        self._taken = list(takewhile(buckets.take, keys))
        self.allowed = len(self._taken) == len(keys)
        waits = (buckets.seconds_until_one(key) for key in keys if key not in self._taken)
        self.wait_seconds = max(waits, default=0.0)
        if not self.allowed:
            self.did_not_fail()

    def did_not_fail(self) -> None:
        for key in self._taken:
            self._buckets.give_back(key)


def _network(address: str) -> str:
    """Whoever has one address of IPv6 has all 2^64 beside it."""
    try:
        known = ipaddress.ip_address(address)
    except ValueError:
        return address
    known = getattr(known, "ipv4_mapped", None) or known  # as a socket for both kinds tells it
    if known.version == 4:
        return str(known)
    return str(ipaddress.ip_network((known, 64), strict=False))
