"""Addresses of mail: one mailbox, as people write it and as mail servers want it."""

from __future__ import annotations

import re
from dataclasses import dataclass
from email.utils import getaddresses

from morningdeck.hosts import in_ascii

LONGEST_LOCAL, LONGEST_ADDRESS = 64, 254
"""Bytes, by RFC 5321."""
_ATOMS = re.compile(r"[^\s<>()\[\],;:\\\"@.]+(?:\.[^\s<>()\[\],;:\\\"@.]+)*")
_QUOTED = re.compile(r'"(?:[^"\\]|\\[ -~])*"')
_DOMAIN = re.compile(r"[A-Za-z0-9.-]+|\[[0-9A-Za-z.:]+\]")


@dataclass(frozen=True, slots=True)
class Mailbox:
    """The domain is in ASCII; what stands before it may be in any script."""

    name: str
    local: str
    domain: str

    @property
    def address(self) -> str:
        return f"{self.local}@{self.domain}"


def mailbox(text: str) -> Mailbox:
    """Of `ada@example.org` or `Ada <ada@example.org>`; ValueError for all that is not one mailbox.

    Nothing in it can begin a line or a command of its own.
    """
    found = getaddresses([text]) if text.isprintable() and "=?" not in text else []
    # it reads past what it does not understand
    if len(found) != 1 or found[0][1] not in text:
        raise ValueError("not a mailbox")
    ((name, address),) = found
    local, _, domain = address.rpartition("@")
    if not (_ATOMS.fullmatch(local) or _QUOTED.fullmatch(local)):
        raise ValueError("not a mailbox")
    one = Mailbox(name, local, in_ascii(domain))
    too_long = len(local.encode()) > LONGEST_LOCAL or len(one.address.encode()) > LONGEST_ADDRESS
    if too_long or not _DOMAIN.fullmatch(one.domain):
        raise ValueError("not a mailbox")
    return one
