"""What stories are found by: fingerprints of a text that survive small changes."""

from __future__ import annotations

import re
from hashlib import blake2b

import numpy as np

from morningdeck.model.making import Likeness

LONGEST_COMPARED = 20_000
"""Characters."""
FEWEST_WORDS = 40
"""Below that, equal words may be a feed's filler ("Comments"), and a SimHash is chance."""
SHINGLE = 3
NO_SIMHASH = 0

_WORD = re.compile(r"\w+")


def likeness(title: str, text: str, canonical_url: str | None, vector: bytes) -> Likeness:
    words = _WORD.findall(text[:LONGEST_COMPARED].casefold())
    whole = words if len(words) >= FEWEST_WORDS else [*_WORD.findall(title.casefold()), "|", *words]
    return Likeness(
        canonical_url=canonical_url,
        title=title,
        text_hash=_digest(" ".join(whole)).hex() if words else "",
        simhash=simhash(words) if len(words) >= FEWEST_WORDS else NO_SIMHASH,
        vector=vector,
    )


def simhash(words: list[str]) -> int:
    """64 bits, signed to fit a BIGINT; few differ between texts that share most word triples."""
    shingles = {" ".join(words[at : at + SHINGLE]) for at in range(len(words) - SHINGLE + 1)}
    digests = b"".join(map(_digest, shingles))
    bits = np.unpackbits(np.frombuffer(digests, dtype=np.uint8).reshape(-1, 8), axis=1)
    majority = bits.sum(axis=0, dtype=np.int64) * 2 > len(shingles)
    return int.from_bytes(np.packbits(majority).tobytes(), "big", signed=True)


def _digest(text: str) -> bytes:
    return blake2b(text.encode("utf-8", "replace"), digest_size=8).digest()
