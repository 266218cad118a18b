"""What stories are found by: the telling words of an item, and fingerprints of its text."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache
from hashlib import blake2b
from importlib.resources import files
from zlib import crc32

import numpy as np

from morningdeck.model.making import Likeness

LONGEST_TITLE = 300
LONGEST_LEAD = 2_500
LONGEST_COMPARED = 20_000
"""Characters."""
MOST_TITLE_WORDS = 20
MOST_LEAD_WORDS = 300
FEWEST_WORDS = 40
"""Below that, equal words may be a feed's filler ("Comments"), and a SimHash is chance."""
LONGEST_CODED, MOST_CODED = 24, 16_384
"""Letters of words whose codes are remembered, and how many words."""
SHINGLE = 3
NO_SIMHASH = 0
STEM = 6
"""Letters that stand for a word: enough to join `approves` and `approved` in any language."""
SHORTEST_WORD = 2
CODE_BYTES = 4
SCALE = 254
"""Of a vector's numbers as whole ones: a hundredth of the cosine is lost, and 3 bytes of 4."""
BEGINNING = 4
SPOKEN = 1 / 3
A_NUMBER, A_NAME = 1, 2
"""The lowest bits of a word: it counts or dates; it has a capital that no sentence begins with."""
MARKS = A_NUMBER | A_NAME

_NO_DATES = {"may", "march", "mars", "mai"}
"""Words of other meanings as well."""
_DATES = set(files("morningdeck.stories").joinpath("dates.txt").read_text("utf-8").split())
_DATES -= _NO_DATES
"""Reports of each day or month tell them apart as others do numbers."""

_WORD = re.compile(r"\w+(?:[.,'’]\w+)*")
_POSSESSIVE = re.compile(r"['’]s$")
_WITHOUT_SPACES = re.compile(r"[\u0e00-\u0eff\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")
"""Scripts in which a run of letters is a clause: two letters stand for a word there."""


def likeness(title: str, text: str, canonical_url: str | None, vector: bytes) -> Likeness:
    """A text that does not speak of its title may be any page of its host: it proves nothing, and
    has no fingerprints. What it names may still show that two items are not one.
    """
    lead = _lead_words(text[:LONGEST_LEAD])
    words = _words(text[:LONGEST_COMPARED]) if speaks_of(text, title) else []
    return Likeness(
        canonical_url=canonical_url,
        title=title,
        text_hash=_text_hash(title, words),
        simhash=simhash(words) if len(words) >= FEWEST_WORDS else NO_SIMHASH,
        vector=in_bytes(vector),
        title_words=_marked(title_words(title), lead),
        lead_words=lead,
    )


def speaks_of(text: str, title: str) -> bool:
    """Are a good part of the title's words in the text, beside the lines that only repeat them?"""
    wanted = beginnings(title[:LONGEST_TITLE])
    said: set[str] = set()
    for line in text[:LONGEST_COMPARED].splitlines():
        if len(said) >= SPOKEN * len(wanted):
            return True
        words = beginnings(line)
        if not words <= wanted:
            said |= words & wanted
    return len(said) >= SPOKEN * len(wanted)


def beginnings(text: str) -> set[str]:
    """Enough of each word to know `ships` by `ship`; a short word may be in any text."""
    pieces = (piece for word in _words(text) for piece in _pieces(word))
    return {piece[:BEGINNING] for piece in pieces if len(piece) >= BEGINNING or not piece.isascii()}


def title_words(title: str) -> bytes:
    """Each once, as a number of 32 bits; the same word always has the same, but for its marks."""
    codes = (code for word in _words(title[:LONGEST_TITLE]) for code in _codes(word))
    return _packed(codes, MOST_TITLE_WORDS)


def _marked(words: bytes, lead: bytes) -> bytes:
    """The same words, with the marks that they have in the lead."""
    marks = {code & ~MARKS: code for code in np.frombuffer(lead, "<u4").tolist()}
    codes = np.frombuffer(words, "<u4").tolist()
    marked = [code | marks.get(code & ~MARKS, code) for code in codes]
    return np.array(marked, dtype="<u4").tobytes()


def _lead_words(text: str) -> bytes:
    codes = (
        code | (A_NAME if _is_name(text, found.start()) else 0)
        for found in _WORD.finditer(text)
        for code in _codes(found[0].casefold())
    )
    return _packed(codes, MOST_LEAD_WORDS)


def _is_name(text: str, at: int) -> bool:
    return text[at].isupper() and text[max(0, at - 2) : at].strip()[-1:] not in ("", *'.!?:"“')


def in_bytes(vector: bytes) -> bytes:
    """A vector of float32 and unit length with a byte for each number."""
    numbers = np.frombuffer(vector, dtype="<f4") * SCALE
    rounded: bytes = np.clip(np.rint(numbers), -127, 127).astype(np.int8).tobytes()
    return rounded


def in_whole_numbers(stored: bytes, dimensions: int) -> bytes:
    """A vector as it was stored, by an earlier version too; zeros if it is none."""
    if len(stored) == 4 * dimensions:
        return in_bytes(stored)
    return stored if len(stored) == dimensions else bytes(dimensions)


def whole_words(stored: bytes) -> bytes:
    """Words as they were stored, without a last one that is cut off."""
    return stored[: len(stored) // CODE_BYTES * CODE_BYTES]


def simhash(words: list[str]) -> int:
    """64 bits, signed to fit a BIGINT; few differ between texts that share most word triples."""
    shingles = {" ".join(words[at : at + SHINGLE]) for at in range(len(words) - SHINGLE + 1)}
    digests = b"".join(map(_digest, shingles))
    bits = np.unpackbits(np.frombuffer(digests, dtype=np.uint8).reshape(-1, 8), axis=1)
    majority = bits.sum(axis=0, dtype=np.int64) * 2 > len(shingles)
    return int.from_bytes(np.packbits(majority).tobytes(), "big", signed=True)


def _text_hash(title: str, words: list[str]) -> str:
    if not words:
        return ""
    whole = words if len(words) >= FEWEST_WORDS else [*_words(title), "|", *words]
    return _digest(" ".join(whole)).hex()


def _words(text: str) -> list[str]:
    return _WORD.findall(text.casefold())


def _packed(codes: Iterable[int], most: int) -> bytes:
    once: dict[int, int] = {}
    for code in codes:
        word = code & ~MARKS
        once[word] = once.get(word, word) | code
    return np.array(list(once.values())[:most], dtype="<u4").tobytes()


def _pieces(word: str) -> Iterator[str]:
    word = _POSSESSIVE.sub("", word)
    if len(word) < SHORTEST_WORD and not word.isdigit():
        return
    if word in _DATES:
        yield word
    elif _WITHOUT_SPACES.search(word):
        yield from (word[at : at + 2] for at in range(len(word) - 1))
    else:
        yield word[:STEM] if word.isalpha() else word


def _codes(word: str) -> tuple[int, ...]:
    """Most words of a text are in those before it as well."""
    return _known_codes(word) if len(word) <= LONGEST_CODED else _made_codes(word)


def _made_codes(word: str) -> tuple[int, ...]:
    return tuple(_coded(piece) for piece in _pieces(word))


_known_codes = lru_cache(MOST_CODED)(_made_codes)


def _coded(word: str) -> int:
    code = crc32(word.encode("utf-8", "replace")) & ~MARKS
    return code | A_NUMBER if word in _DATES or any(map(str.isdigit, word)) else code


def _digest(text: str) -> bytes:
    return blake2b(text.encode("utf-8", "replace"), digest_size=8).digest()
