"""Signed addresses: who holds one may do what it says, and can make no other.

A signature is bound to its purpose: one that unsubscribes opens no picture.
"""

from __future__ import annotations

import hmac
import json
from collections.abc import Callable
from functools import cached_property
from uuid import UUID

KEY_BYTES = 32
SIGNATURE_BYTES = 18
"""144 bits, in hexadecimal: what finds links in plain text may drop a last `-` or `_`."""


class Signer:
    """`key` is asked for at first use."""

    def __init__(self, key: Callable[[], bytes]) -> None:
        self._ask_key = key

    @cached_property
    def _key(self) -> bytes:
        return self._ask_key()

    def sign(self, purpose: str, *about: object) -> str:
        return self._digest(purpose, about)[:SIGNATURE_BYTES].hex()

    def signed(self, signature: str, purpose: str, *about: object) -> bool:
        """Whether this is the signature; it takes as long for every wrong one."""
        shown = signature.encode("utf-8", "replace")
        return hmac.compare_digest(shown, self.sign(purpose, *about).encode("ascii"))

    def name_of(self, kind: str, number: int) -> UUID:
        """Of something of this deck, the same for ever and wherever the deck is."""
        return UUID(bytes=self._digest(f"name of {kind}", (number,))[:16], version=5)

    def _digest(self, purpose: str, about: tuple[object, ...]) -> bytes:
        message = json.dumps([purpose, *map(str, about)]).encode()
        return hmac.digest(self._key, message, "sha256")
