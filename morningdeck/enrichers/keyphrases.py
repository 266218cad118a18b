"""What an article is about, in three to six short phrases that its text repeats."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator

from morningdeck.enrichers.document import Document, terms
from morningdeck.enrichers.stopwords import TOO_GENERAL
from morningdeck.enrichers.words import WORD_PATTERN, normalised, stem, telling

FEWEST_PHRASES = 3
MOST_PHRASES = 6
LONGEST_PHRASE = 3
TITLE_WEIGHT = 2

_GLUE = re.compile(r"^ ?$")
_NO_NOUN = {
    "en": re.compile(r"(?:ed|ing|ly|n't)$"),
    "de": re.compile(r"(?:ierte?n?|lich(?:e[nrs]?)?|ige[nrs]?|ische[nrs]?)$"),
    "es": re.compile(r"mente$"),
    "it": re.compile(r"mente$"),
    "fr": re.compile(r"(?:eusement|ivement|alement)$"),
}
_NOTHING = re.compile(r"(?!)")

Phrase = tuple[str, ...]


def key_phrases(
    document: Document, *, preferred: Collection[str], names: Collection[str]
) -> tuple[str, ...]:
    """The source's own topics first where they fit; never the names that have their own field."""
    fitting = [topic.lower() for topic in preferred if _fits(topic, document)]
    taken = {word for name in names for word in terms(name, document.language)}
    ranked = (*fitting[:2], *_ranked(document, taken))
    found = _without_parts(ranked, document.language)[:MOST_PHRASES]
    if len(found) < FEWEST_PHRASES:
        rest = [topic.lower() for topic in preferred if topic.lower() not in found]
        found += rest[: FEWEST_PHRASES - len(found)]
    return tuple(found)


def _fits(topic: str, document: Document) -> bool:
    needed = terms(topic, document.language)
    return bool(needed) and all(document.weights[term] > 0 for term in needed)


def _ranked(document: Document, taken: set[str]) -> list[str]:
    counts: Counter[Phrase] = Counter()
    shown: defaultdict[Phrase, Counter[str]] = defaultdict(Counter)
    for text, weight in (
        (document.title, TITLE_WEIGHT),
        *((one.text, 1) for one in document.sentences),
    ):
        for run in _runs(text, document.language):
            for phrase in _parts(run, _NO_NOUN.get(document.language or "", _NOTHING)):
                key = tuple(stem(word, document.language) for word in phrase)
                counts[key] += weight
                shown[key][" ".join(phrase)] += 1
    scored = {
        key: count * (1.0 + 0.6 * (len(key) - 1))
        for key, count in counts.items()
        if _worth_showing(key, count, document) and not taken.intersection(key)
    }
    best = sorted(scored, key=lambda key: -scored[key])[: 3 * MOST_PHRASES]
    if len(best) < FEWEST_PHRASES:
        best += _of_the_title(counts, document, taken)
    return [shown[key].most_common(1)[0][0] for key in best]


def _of_the_title(counts: Counter[Phrase], document: Document, taken: set[str]) -> list[Phrase]:
    """What is left to say of a text that repeats nothing: its title's words, longest first."""
    single: list[Phrase] = [
        key
        for key in counts
        if len(key) == 1 and key[0] in document.title_terms and key[0] not in taken
    ]
    return sorted(single, key=lambda key: (-counts[key], -len(key[0])))[:FEWEST_PHRASES]


def _worth_showing(key: Phrase, count: int, document: Document) -> bool:
    """Repeated by the text; of a headline alone, any phrase will do."""
    if not document.sentences:
        return len(key) > 1
    if len(key) > 1:
        return count > TITLE_WEIGHT
    in_text = count - (TITLE_WEIGHT if key[0] in document.title_terms else 0)
    return in_text >= 2 and count > TITLE_WEIGHT and len(key[0]) >= 3


def _runs(text: str, language: str | None) -> Iterator[list[str]]:
    """Telling words that stand side by side."""
    run: list[str] = []
    end = 0
    for match in WORD_PATTERN.finditer(text):
        word = normalised(match[0])
        if run and not _GLUE.match(text[end : match.start()]):
            yield run
            run = []
        if telling(word, language) and "." not in word:
            run.append(word)
        elif run:
            yield run
            run = []
        end = match.end()
    if run:
        yield run


def _parts(run: list[str], no_noun: re.Pattern[str]) -> Iterator[Phrase]:
    for start in range(len(run)):
        for end in range(start + 1, min(start + LONGEST_PHRASE, len(run)) + 1):
            phrase = tuple(run[start:end])
            if no_noun.search(phrase[-1]) or (len(phrase) == 1 and phrase[0] in TOO_GENERAL):
                continue
            yield phrase


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
