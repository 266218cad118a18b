"""Whether an article supports what a model says of it.

A sentence has to use the article's words, its numbers and its names, near each other, and must
not deny what the article affirms; addresses and markup are never supported.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import islice, pairwise

from morningdeck.enrichers.classification import NEGATIONS
from morningdeck.enrichers.document import terms
from morningdeck.enrichers.sentences import sentences
from morningdeck.enrichers.words import stem, stop_words, words_of
from morningdeck.plaintext import one_line

SHARE = 0.6
"""Of a sentence's telling words, that the article has to have."""
NEAR_SHARE = 0.34
"""That some place in the article has to have: its words alone do not make a claim."""
PLACE_SENTENCES = 3
DENIED_SHARE = 0.6
"""So like one of the article's sentences, it must not deny it, nor leave out that it denies."""
DENYING = NEGATIONS | {"cannot", "neither", "nor", "nothing", "nobody", "none", "nichts"}
SHOWS_NAMES = frozenset(
    {"en", "fr", "es", "it", "nl", "pt", "da", "sv", "no", "fi", "pl", "ca", "ro"}
)
"""Languages in which a capital letter inside a sentence is a name's."""

_NUMBER = re.compile(r"\d+(?:[.,'’\u00a0\u202f ]\d{3})+(?![\d])|\d+(?:[.,]\d+)?")
_GROUPED = re.compile(r"\d{1,3}(?:[.,'’\u00a0\u202f ]\d{3})+")
_WIDE = re.compile("[\u2e80-\U0010ffff\u0e00-\u0eff]")
_MARKS = re.compile(r"[.+&/'-]")
_CAPITAL = re.compile(r"[^\W\d_][\w’'&.-]*")
_NUMBER_WORDS = (
    ("one", "ein", "eins", "eine", "un", "une", "uno", "una", "um", "uma", "een"),
    ("two", "zwei", "deux", "dos", "due", "dois", "duas", "twee"),
    ("three", "drei", "trois", "tres", "tre", "três", "drie"),
    ("four", "vier", "quatre", "cuatro", "quattro", "quatro"),
    ("five", "fünf", "cinq", "cinco", "cinque", "vijf"),
    ("six", "sechs", "seis", "sei", "zes"),
    ("seven", "sieben", "sept", "siete", "sette", "sete", "zeven"),
    ("eight", "acht", "huit", "ocho", "otto", "oito"),
    ("nine", "neun", "neuf", "nueve", "nove", "negen"),
    ("ten", "zehn", "dix", "diez", "dieci", "dez", "tien"),
    ("eleven", "elf", "onze", "once", "undici"),
    ("twelve", "zwölf", "douze", "doce", "dodici", "doze", "twaalf"),
)
_DIGITS = {word: str(n) for n, words in enumerate(_NUMBER_WORDS, start=1) for word in words}
_TLDS = (
    "com|net|org|io|info|biz|xyz|co|dev|app|ai|me|tv|cc|ly|gg|shop|site|online|store|club|top|live|link"
    "|click|news|blog|tech|pro|ws|to|su|ru|cn|de|fr|es|it|nl|uk|eu|us|ch|at|be|pl|se|no|dk|fi|in|jp|br"
    "|example|test|invalid|onion"
)
_HARMFUL = re.compile(
    rf"""
    \w:// | \bwww\.\w | \b(?:javascript|data|mailto|vbscript):\S | [\w.+-]@[\w-]+\.\w
    | \b[a-z0-9][a-z0-9-]*(?:\.[a-z0-9-]+)*\.(?:{_TLDS})\b(?!\.\w)
    | </?[a-z!] | &(?:lt|gt|amp|quot|\#x?[0-9a-f]+); | !?\[[^\]]{{0,200}}\]\(
    | `` | \*\*\S | ^\#+\s | ^\|.*\|$ | \\[nrt"] | \{{\{{ | \$\{{
    """,
    re.VERBOSE | re.IGNORECASE | re.MULTILINE,
)


def is_harmful(text: str) -> bool:
    """Holds an address, or what some program may take for one or for markup."""
    return _HARMFUL.search(text) is not None


class Evidence:
    """The words, numbers and sentences of texts that statements are held against.

    Each is found when it is first asked for: most statements need few of them.
    """

    def __init__(
        self, texts: Iterable[str], language: str | None, beside: Evidence | None = None
    ) -> None:
        """`beside` is what is known already; nothing of it is read again."""
        self._texts = tuple(texts)
        self._language = language
        self._beside = beside

    @cached_property
    def _sentences(self) -> list[str]:
        return [one for text in self._texts for one in sentences(text)]

    @cached_property
    def _units(self) -> list[frozenset[str]]:
        return [units(one, self._language) for one in self._sentences]

    @cached_property
    def _own_words(self) -> frozenset[str]:
        return frozenset(words_of(" ".join(self._sentences)))

    @cached_property
    def stems(self) -> frozenset[str]:
        known = self._beside.stems if self._beside else frozenset()
        return known.union(*self._units)

    @cached_property
    def numbers(self) -> frozenset[str]:
        known = self._beside.numbers if self._beside else frozenset()
        in_words = {_DIGITS[word] for word in _DIGITS.keys() & self._own_words}
        return known | numbers(" ".join(self._sentences)) | in_words

    @cached_property
    def words(self) -> frozenset[str]:
        """All words, and the parts of those with marks inside."""
        known = self._beside.words if self._beside else frozenset()
        marked = (word for word in self._own_words if not word.isalnum())
        return known | self._own_words | {part for word in marked for part in _MARKS.split(word)}

    def supports(self, sentence: str) -> bool:
        return (
            not is_harmful(sentence)
            and self.has_numbers(sentence)
            and self.has_names(sentence)
            and self._says(sentence)
        )

    def has_numbers(self, text: str) -> bool:
        """Every number of the text is the article's, whatever way it is written."""
        return all(
            not variants.isdisjoint(self.numbers)
            for variants in map(_variants, _NUMBER.findall(text))
        )

    def has_names(self, text: str) -> bool:
        return all(self._knows(name) for name in names(text, self._language))

    def mentions(self, phrase: str) -> bool:
        """Each of its words, in some form; where words have no spaces, the phrase itself."""
        if _WIDE.search(phrase):
            return any(phrase in sentence for sentence in self._sentences)
        found = words_of(phrase)
        return bool(found) and all(self._knows(word) for word in found)

    def touches(self, phrase: str) -> bool:
        return not units(phrase, self._language).isdisjoint(self.stems)

    def adds_to(self, title: str, sentence: str) -> bool:
        """Has it a word that tells more than that?"""
        return not units(sentence, self._language) <= units(title, self._language)

    def _knows(self, word: str) -> bool:
        plain = words_of(word)
        return all(
            one in self.words or stem(one, self._language) in self.stems or one in self.numbers
            for one in plain
        )

    def _says(self, sentence: str) -> bool:
        said = units(sentence, self._language)
        if not said:
            return False
        if len(said & self.stems) < SHARE * len(said):
            return False
        near = max(
            len(said & frozenset().union(*self._units[at : at + PLACE_SENTENCES]))
            for at in range(len(self._units))
        )
        return near >= NEAR_SHARE * len(said) and not self._denies(sentence, said)

    def _denies(self, sentence: str, said: frozenset[str]) -> bool:
        """It says the opposite of the sentence that it is most like."""
        shared = [len(said & one) for one in self._units]
        best = max(range(len(shared)), key=shared.__getitem__)
        alike = shared[best] >= DENIED_SHARE * max(len(said), len(self._units[best]))
        return alike and negates(sentence) != negates(self._sentences[best])


@dataclass(frozen=True, slots=True)
class Grounded:
    text: str
    replaced: int


def grounded(
    summary: str,
    evidence: Evidence,
    spare: Callable[[], Sequence[str]],
    *,
    title: str,
    most: int,
    longest: int,
) -> Grounded:
    """The sentences that the evidence supports and that say more than the title, and spare ones in
    the place of others; only those without support are counted.
    """
    said = sentences(one_line(summary))[:most]
    supported = [evidence.supports(sentence) for sentence in said]
    replaced = supported.count(False)
    kept_as_said = [
        is_true and evidence.adds_to(title, sentence)
        for sentence, is_true in zip(said, supported, strict=True)
    ]
    left = (one for one in (() if all(kept_as_said) else spare()) if not is_harmful(one))
    told: list[str] = []
    for sentence, is_kept in zip(said, kept_as_said, strict=True):
        told += [sentence] if is_kept else islice(left, 1)
    kept: list[str] = []
    for sentence in dict.fromkeys(told):
        if sum(map(len, kept)) + len(sentence) <= longest:
            kept.append(sentence)
    return Grounded(" ".join(kept), replaced)


def units(text: str, language: str | None) -> frozenset[str]:
    """What two texts share when they speak of the same: stems, or pairs of wide characters."""
    wide = () if text.isascii() else _WIDE.findall(text)
    if len(wide) > len(text) / 4:
        return frozenset(one + other for one, other in pairwise(wide))
    return frozenset(terms(text, language))


def numbers(text: str) -> frozenset[str]:
    return frozenset().union(*map(_variants, _NUMBER.findall(text)))


def _variants(number: str) -> frozenset[str]:
    """`1.500` may be a thousand and a half, or one and a half."""
    found = set()
    if _GROUPED.fullmatch(number):
        found.add(re.sub(r"\D", "", number).lstrip("0") or "0")
    if re.fullmatch(r"\d+(?:[.,]\d+)?", number):
        whole, _, part = number.replace(",", ".").partition(".")
        part = part.rstrip("0")
        found.add((whole.lstrip("0") or "0") + (f".{part}" if part else ""))
    return frozenset(found)


def names(sentence: str, language: str | None) -> list[str]:
    """Words with a capital letter, where that tells a name; the first word if another follows."""
    if language not in SHOWS_NAMES:
        return [word for word in _CAPITAL.findall(sentence) if sum(map(str.isupper, word)) > 1]
    found = _CAPITAL.findall(sentence)
    inside = [word for word in found[1:] if word[0].isupper()]
    first = found[0] if found and len(found) > 1 and found[1][0].isupper() else ""
    idle = stop_words(language)
    return [word for word in (first, *inside) if word and word.lower() not in idle]


def negates(sentence: str) -> bool:
    return any(word in DENYING or word.endswith("n't") for word in words_of(sentence))
