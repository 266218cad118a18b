"""What an article is about, in up to six words or short phrases that a reader would recognise.

    runs of telling words -> phrases of up to three -> those repeated, or named by the title
        -> names and nouns before all else -> none that says what another said

A language whose filler words are not known gets none of its own: its commonest words are filler.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from typing import NamedTuple

from morningdeck.enrichers.classification import category_stems
from morningdeck.enrichers.document import Document, term_of, terms
from morningdeck.enrichers.stopwords import STOP_WORDS, TOO_GENERAL
from morningdeck.enrichers.words import WORD_PATTERN, WORDS_REMEMBERED, normalised, stem

MOST_PHRASES = 6
LONGEST_PHRASE = 3
TITLE_WEIGHT = 2
NAME_WEIGHT = 1.5
WORD_WEIGHT = 0.6
"""What each further word adds to a phrase."""
OFTEN = 3
CONSIDERED = 80
"""Sentences; a long text repeats what it is about soon enough."""

_GLUE = ("", " ")
_NO_NOUN = {
    "en": re.compile(
        r"(?:ed|ing|ly|n't|est)$|^(?:grew|fell|rose|won|lost|held|led|paid|sold|bought|sent|spent"
        r"|built|broke|spoke|wrote|began|kept|met|felt|brought|thought|caught|stood|drew|ran|sat"
        r"|told|says?|goes|gets|makes?|takes?|gives?|wants?|needs?|helps?|shows?|adds?|lets?)$"
    ),
    "es": re.compile(r"(?:mente|ando|iendo|aron|ieron|ó|[ai]d[oa]s?)$"),
    "it": re.compile(r"(?:mente|ando|endo|at[aei]|ut[aei])$"),
    "pt": re.compile(r"(?:mente|ando|endo|indo|aram|eram|[ai]d[oa]s?)$"),
    "fr": re.compile(r"(?:eusement|ivement|alement|aient|ait|ées?)$"),
    "nl": re.compile(r"lijke?$"),
    "ru": re.compile(r"(?:[иаяеу]л[оаи]|(?<![сф])ть|ся|[аяу]ет|[аяу]ют)$"),
}
_GERMAN_ADJECTIVE = re.compile(r".{3}e[nrsm]?$")
CAPITALS = "de"
"""The language that writes all its nouns with a capital."""

Phrase = tuple[str, ...]


class _Word(NamedTuple):
    plain: str
    term: str
    capital: bool
    starts: bool
    """It is the first of its sentence, which has a capital anyway."""


@dataclass(slots=True)
class _Uses:
    """How one phrase is used."""

    in_text: int = 0
    in_title: int = 0
    capital: int = 0
    """Of its uses in the midst of a sentence, those that begin with a capital."""
    small: int = 0
    shown: dict[str, int] = field(default_factory=dict)

    @property
    def form(self) -> str:
        """The commonest of its forms."""
        return max(self.shown, key=lambda form: self.shown[form])


def key_phrases(
    document: Document, *, preferred: Collection[str], names: Collection[str]
) -> tuple[str, ...]:
    """The source's own topics first where they fit; never the names that have their own field."""
    fitting = [topic.lower() for topic in preferred if _fits(topic, document)]
    taken = {word for name in names for word in terms(name, document.language)}
    found = _without_parts((*fitting[:2], *_ranked(document, taken)), document.language)
    return tuple(found[:MOST_PHRASES])


def _fits(topic: str, document: Document) -> bool:
    needed = terms(topic, document.language)
    return bool(needed) and all(document.weights[term] > 0 for term in needed)


def _ranked(document: Document, taken: set[str]) -> list[str]:
    found = _uses(document)
    worths = {
        key: _worth(key, uses, document)
        for key, uses in found.items()
        if not taken.intersection(key) and not _tells(uses, document)
    }
    best = sorted(worths, key=lambda key: -worths[key])[: 3 * MOST_PHRASES]
    return [found[key].form for key in best if worths[key]]


def _tells(uses: _Uses, document: Document) -> bool:
    """Whether it is who tells the article."""
    return any(shown in document.tellers for shown in uses.shown)


def _worth(key: Phrase, uses: _Uses, document: Document) -> float:
    named = uses.capital > 2 * uses.small and document.language != CAPITALS
    known = len(key) == 1 and key[0] in category_stems(document.language)
    used = uses.in_text + uses.in_title
    if not document.prose:
        enough = named or known
    elif len(key) > 1 or known or (named and uses.in_title):
        enough = used > 1
    elif uses.in_title or named:
        enough = uses.in_text > 1
    else:
        enough = uses.in_text > OFTEN
    if not enough:
        return 0.0
    worth = uses.in_text + TITLE_WEIGHT * uses.in_title
    return worth * (1 + WORD_WEIGHT * (len(key) - 1)) * (NAME_WEIGHT if named else 1)


def _uses(document: Document) -> dict[Phrase, _Uses]:
    found: defaultdict[Phrase, _Uses] = defaultdict(_Uses)
    if document.language not in STOP_WORDS:
        return found
    for sentence in document.prose[:CONSIDERED]:
        _read(sentence.text, document, found, titled=False)
    _read(document.title, document, found, titled=bool(document.prose))
    return found


def _read(
    text: str, document: Document, found: defaultdict[Phrase, _Uses], *, titled: bool
) -> None:
    for run in _runs(text, document):
        for phrase in _parts(run, document.language):
            uses = found[tuple(word.term for word in phrase)]
            form = " ".join(word.plain for word in phrase)
            uses.shown[form] = uses.shown.get(form, 0) + 1
            if titled:
                uses.in_title += 1
                continue
            uses.in_text += 1
            if not phrase[0].starts:
                capital = all(word.capital for word in phrase)
                uses.capital += capital
                uses.small += not capital


def _runs(text: str, document: Document) -> Iterator[list[_Word]]:
    """Telling words that stand side by side, none of which is used only once."""
    language, weights = document.language, document.weights
    run: list[_Word] = []
    end = 0
    for match in WORD_PATTERN.finditer(text):
        word = match[0]
        term = term_of(word, language)
        if weights.get(term, 0) < 2 or "." in word:
            if run:
                yield run
                run = []
            continue
        start = match.start()
        if run and text[end:start] not in _GLUE:
            yield run
            run = []
        run.append(_Word(normalised(word), term, word[0].isupper(), start == 0))
        end = match.end()
    if run:
        yield run


def _parts(run: list[_Word], language: str | None) -> Iterator[list[_Word]]:
    for start in range(len(run)):
        for end in range(start + 1, min(start + LONGEST_PHRASE, len(run)) + 1):
            phrase = run[start:end]
            if _is_nominal(phrase, language) and not TOO_GENERAL.issuperset(
                word.plain for word in phrase
            ):
                yield phrase


def _is_nominal(phrase: list[_Word], language: str | None) -> bool:
    """Whether it can be a noun with what describes it, as far as its looks tell."""
    *before, last = phrase
    if language == CAPITALS:
        return last.capital and all(
            word.capital or _GERMAN_ADJECTIVE.search(word.plain) for word in before
        )
    if language not in _NO_NOUN:
        return True
    if language != "en" and any(_is_no_noun(word.plain, language) for word in before):
        return False
    return last.capital or not _is_no_noun(last.plain, language)


@lru_cache(WORDS_REMEMBERED)
def _is_no_noun(word: str, language: str) -> bool:
    return _NO_NOUN[language].search(word) is not None


def _without_parts(phrases: Iterable[str], language: str | None) -> list[str]:
    """The phrases in their order, without those whose words another has shown already."""
    kept: list[str] = []
    seen: set[str] = set()
    for phrase in phrases:
        stems = {stem(word, language) for word in phrase.split()}
        if stems & seen:
            continue
        seen |= stems
        kept.append(phrase)
    return kept
