"""How words are compared: the one place where texts and queries become words of an index.

A word of an index is letters, digits and marks alone, in lower case, without accents. Scripts
that are written without spaces are cut into pieces of two characters that overlap, so that any part
of two or more is found as pieces side by side; the last character stands alone once more, so that
every single one begins a piece. What has signs in it (C++, AT&T, .NET, #3, Node.js, don't) is
its parts, and as a whole one more word beside them (`joined_in`).
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

LONGEST_FORM = 64
"""Characters of a word that count, of a document and of a query."""
LONGEST_READ = 2 * LONGEST_FORM
"""More than these characters of a word nobody looks at: signs and accents may go."""
FORMS_REMEMBERED = 16_384
JOINED_REMEMBERED = 2_048
SIGN_NAMES = {"+": "plus", "#": "sharp", "&": "and"}
SIGNS_BEFORE = {"#": "hash", ".": "dot"}
STROKES = {"ł": "l", "ø": "o", "đ": "d", "ð": "d", "þ": "th", "æ": "ae", "œ": "oe", "ı": "i"}
"""What Unicode takes for letters of their own, and people who cannot type them do not."""


class Form(NamedTuple):  # made by the thousand, ten times as fast as a frozen dataclass
    """A word of an index, and where the text has it."""

    form: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Joined:
    """A word with signs in it, as one word; `strict` where its parts alone are another word."""

    form: str
    start: int
    end: int
    strict: bool


# ---- what a character is to a word

LETTER, SPACELESS, MARK, SYMBOL, NO_LETTER = "w", "j", "m", "e", " "
KEPT_SIGNS = "'.-&+#_"
_SAME_SIGN = {"’": "'", "‘": "'", "ʼ": "'", "＇": "'", "‐": "-", "‑": "-", "＋": "+", "＃": "#"}
_SAME_SIGN |= {"＆": "&", "．": ".", "－": "-", "♯": "#"}
_SPACELESS = (
    *((0x0E00, 0x0EFF), (0x1000, 0x109F), (0x1100, 0x11FF), (0x1780, 0x17FF), (0x3005, 0x3007)),
    *((0x3031, 0x3035), (0x303B, 0x303B), (0x3041, 0x31BF), (0x31F0, 0x31FF), (0x3400, 0x4DBF)),
    *((0x4E00, 0x9FFF), (0xA960, 0xA97F), (0xAC00, 0xD7FF), (0xF900, 0xFAFF), (0xFF66, 0xFFDC)),
    *((0x1B000, 0x1B16F), (0x20000, 0x3FFFF)),
)
"""Thai, Lao, Burmese, Hangul, Khmer, Kana, Han."""


class _Shapes(dict[int, str]):
    """What each character is; filled as they occur."""

    def __missing__(self, code: int) -> str:
        shape = self[code] = _shape(chr(code))
        return shape


def _shape(character: str) -> str:
    sign = _SAME_SIGN.get(character, character)
    if sign in KEPT_SIGNS:
        return sign
    category = unicodedata.category(character)
    if category[0] == "M" or category == "Cf" or character in "ﾞﾟ":
        return MARK
    if category[0] in "LN":
        return SPACELESS if _spaceless(ord(character)) else LETTER
    return SYMBOL if category == "So" and ord(character) >= 0x2600 else NO_LETTER


def _spaceless(code: int) -> bool:
    return any(first <= code <= last for first, last in _SPACELESS)


class _StandIns(dict[str, str]):
    """For each character beyond ASCII: itself where it is a letter, else one of ASCII of the same
    shape; nothing where there is none. Filled as they occur.
    """

    def __missing__(self, character: str) -> str:
        stands = self[character] = _stand_in(character)
        return stands


def _stand_in(character: str) -> str:
    shape = _shape(character)
    if shape == LETTER:
        return character if character.isalnum() else ""
    return shape if shape == NO_LETTER or shape in KEPT_SIGNS else ""


_SHAPES, _STAND_INS = _Shapes(), _StandIns()
_BEYOND_ASCII = re.compile(r"[^\x00-\x7f]")
MOST_BEYOND, MOST_REPLACED = 0.25, 24
"""With a larger share of characters beyond ASCII, or more different ones to replace, it is faster
to look all characters up.
"""
_LETTERS_OF_WORD = re.compile(r"[^\W_]+")
_RUNS = re.compile(r"w[wm]*|j[jm]*|e")
_INSIDE = r"(?:['.&+_-]w[wm]*)"
_BEHIND = r"(?:\+{1,2}|#(?!w))"
_JOINED = re.compile(
    rf"[#.]w[wm]*{_INSIDE}*{_BEHIND}?|(?<![wm])w[wm]*(?:{_INSIDE}+{_BEHIND}?|{_BEHIND})"
)
_SIGN_AT_WORD = re.compile(r"['.&+#_-](?:w|(?<=[wm][+#]))")
"""One is in whatever `_JOINED` finds, and it is found in a fifth of the time."""
_STRICT = re.compile(r"[&+#]|^\.")
"""Signs without which it is another word."""


def _shapes(text: str) -> str:
    """A text of the same length, a letter for each character."""
    if text.isascii():
        return text.translate(_SHAPES)
    simple = plain(text)
    if simple is None:
        return text.translate(_SHAPES)
    return _BEYOND_ASCII.sub(LETTER, simple).translate(_SHAPES)  # ASCII is translated fast


def plain(text: str) -> str | None:
    """A text of the same length, words and shapes with nothing beyond ASCII but a few letters; it
    is to be had of most texts of Latin script.
    """
    if text.isascii():
        return text
    beyond = _BEYOND_ASCII.findall(text)
    if len(beyond) > MOST_BEYOND * len(text):
        return None
    stands = {one: _STAND_INS[one] for one in set(beyond)}
    replaced = [(one, other) for one, other in stands.items() if other != one]
    if len(replaced) > MOST_REPLACED or "" in stands.values():
        return None
    for one, other in replaced:
        text = text.replace(one, other)
    return text


# ---- folding

_STRIPPED = (
    *((0x0300, 0x036F), (0x0483, 0x0489), (0x0591, 0x05C7), (0x0610, 0x061A), (0x064B, 0x065F)),
    *((0x0670, 0x0670), (0x06D6, 0x06ED), (0x1AB0, 0x1AFF), (0x1DC0, 0x1DFF), (0x20D0, 0x20FF)),
    *((0xFE00, 0xFE0F), (0xFE20, 0xFE2F), (0xE0100, 0xE01EF)),
)
"""Accents, and the vowel signs of Arabic and Hebrew; those of India and Thailand are letters."""


class _Folds(dict[int, str]):
    def __missing__(self, code: int) -> str:
        fold = self[code] = _folded(chr(code))
        return fold


def _folded(character: str) -> str:
    lower = character.casefold()
    parts = unicodedata.normalize("NFD", STROKES.get(lower, lower))
    kept = "".join(one for one in parts if not _stripped(one))
    return unicodedata.normalize("NFC", kept)


def _stripped(character: str) -> bool:
    """Whether a word is the same word without it."""
    code = ord(character)
    if any(first <= code <= last for first, last in _STRIPPED):
        return True
    return unicodedata.category(character)[0] not in "LNM" and not _emoji(character)


def _emoji(character: str) -> bool:
    return unicodedata.category(character) == "So"


class _Letters(dict[int, str]):
    """Of scripts without spaces, whose characters fold each by itself."""

    def __missing__(self, code: int) -> str:
        letter = self[code] = fold(chr(code))
        return letter


_FOLDS, _LETTERS = _Folds(), _Letters()
_COMPOSING = re.compile("[ﾞﾟ\u3099\u309a\u1100-\u11ff\ufe00-\ufe0f\u200b-\u200f]")


def fold(word: str) -> str:
    """In lower case, without accents, signs and other ways to write the same."""
    if word.isascii() and word.isalnum():  # done as fast as remembered, and takes no memory
        return word[:LONGEST_FORM].lower()
    return _fold(word[:LONGEST_READ])


@lru_cache(FORMS_REMEMBERED)
def _fold(word: str) -> str:
    composed = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", word).casefold())
    return composed.translate(_FOLDS)[:LONGEST_FORM]


# ---- words


def is_spaceless(form: str) -> bool:
    """Whether it is of a script that is written without spaces."""
    return form[:1] != "" and _spaceless(ord(form[0]))


def has_words(text: str) -> bool:
    """Some signs have the shape of a letter, and nothing is left of them."""
    return bool(forms_in(text))


def forms_in(text: str) -> list[Form]:
    """The words, in their order; what stands side by side in the text does so in the list."""
    found: list[Form] = []
    for run in _RUNS.finditer(_shapes(text)):
        start, end = run.span()
        if run[0][0] == SPACELESS:
            found += _pieces(text, start, end)
        elif form := fold(text[start:end]):
            found.append(Form(form, start, end))
    return found


def spelled_in(text: str) -> list[tuple[str, str]]:
    """As `forms_in`, each form with how the text spells it, which is nothing for mere pieces."""
    simple = plain(text)
    if simple is not None:
        words = _LETTERS_OF_WORD.findall(simple)
        return [(word, form) for word in words if (form := fold(word))]
    found: list[tuple[str, str]] = []
    for run in _RUNS.finditer(_shapes(text)):
        spelled = text[run.start() : run.end()]
        if run[0][0] == SPACELESS:
            found += [("", one.form) for one in _pieces(spelled, 0, len(spelled))]
        elif form := fold(spelled):
            found.append((spelled, form))
    return found


def _pieces(text: str, start: int, end: int) -> list[Form]:
    """Two characters each, overlapping, and the last one alone."""
    run = text[start:end]
    folded = run.translate(_LETTERS)
    if len(folded) == len(run) and not _COMPOSING.search(run):  # nearly always
        return [
            Form(folded[at : at + 2], start + at, min(start + at + 2, end))
            for at in range(end - start)
        ]
    letters = _letters(text, start, end)
    ends = [*letters[1:], Form("", end, end)]
    return [
        Form(one.form + next_.form, one.start, next_.end)
        for one, next_ in zip(letters, ends, strict=True)
    ]


def _letters(text: str, start: int, end: int) -> list[Form]:
    """The folded characters of a run; marks that are no letters go with what they mark."""
    found: list[Form] = []
    at = start
    while at < end:
        last = at + 1
        while last < end and _composes(text[last]):
            last += 1
        found += [Form(letter, at, last) for letter in fold(text[at:last])]
        at = last
    return found


def _composes(character: str) -> bool:
    return _COMPOSING.match(character) is not None or unicodedata.category(character) == "Cf"


def joined_in(text: str) -> list[Joined]:
    """The words that have signs in them."""
    shapes = _shapes(text)
    found = []
    for match in _joined(shapes):
        start, shape = match.start(), match[0]
        if shape[0] == "." and text[start + 1].isdigit():
            start, shape = start + 1, shape[1:]
        if form := _whole(text[start : start + len(shape)][:LONGEST_READ], shape[:LONGEST_READ]):
            found.append(Joined(form, start, match.end(), _STRICT.search(shape) is not None))
    return found


def _joined(shapes: str) -> Iterator[re.Match[str]]:
    looked_at = 0
    for sign in _SIGN_AT_WORD.finditer(shapes):
        if sign.start() < looked_at:
            continue
        begin = shapes.rfind(NO_LETTER, 0, sign.start()) + 1
        end = shapes.find(NO_LETTER, sign.end())
        looked_at = len(shapes) if end < 0 else end
        yield from _JOINED.finditer(shapes, begin, looked_at)


@lru_cache(JOINED_REMEMBERED)
def _whole(text: str, shape: str) -> str:
    """`cplusplus`, `atandt`, `dotnet`, `hash3`, `nodejs`; empty for numbers (1.25 is no 125)."""
    parts = []
    for number, part in enumerate(re.finditer(r"[wm]+|.", shape)):
        sign = part[0]
        if sign[0] in "wm":
            parts.append(fold(text[part.start() : part.end()]))
        elif number == 0:
            parts.append(SIGNS_BEFORE[sign])
        else:
            parts.append(SIGN_NAMES.get(sign, ""))
    whole = "".join(parts)
    return "" if whole.isdigit() else whole[:LONGEST_FORM]
