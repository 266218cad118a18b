"""The category, the intent and the sentiment of an article, by the words in it."""

from __future__ import annotations

import math
import re
from collections import Counter
from functools import lru_cache

from morningdeck.enrichers.document import Document
from morningdeck.enrichers.word_list import word_lists
from morningdeck.enrichers.words import FALLBACK_LANGUAGE, stem, words_of

OTHER = "other"
ENOUGH = 4
"""Uses of its words, those in the title counting double, that put an article in a category."""
SHARE = 0.008
"""Of all telling words of a long one."""

_NONE: frozenset[str] = frozenset()
_WORDS = word_lists("categories")
SUBJECTS = tuple(dict.fromkeys(kind.partition(" ")[0] for kind in _WORDS))
_NAMES = word_lists("category_names")
CATEGORY_NAMES = {name: name for name in SUBJECTS} | {
    word: kind.partition(" ")[0] for kind, words in _NAMES.items() for word in words
}
"""The words by which readers name a whole category."""
NARROWER = _NAMES["sports narrower"]
"""Those of them that name a part only: most sports news is no football."""
SHOWN_AS = {"celebrity": "culture"}
"""Readers ask to be spared celebrities without meaning museums; as a category it is culture."""
_TONES = word_lists("sentiment")
NEGATIONS = _TONES["negations"]

_INTENTS = (
    (
        "how-to",
        r"^how (?:to|do|i|we)\b|\b(?:step[- ]by[- ]step|tutorial|beginner'?s guide)\b"
        r"|\b\d+ (?:tips|ways)\b"
        r"|^(?:a )?guide to\b|^wie (?:man|sie|du)\b|\banleitung\b|^comment (?!l'|le |la )\w+er\b"
        r"|^cómo \w+[aei]r\b|^come \w+[aei]re\b|^hoe (?:je|u)\b|\bstappenplan\b",
    ),
    (
        "review",
        r"\breview(?:ed)?\b(?! board| panel| process)|\bhands[- ]on\b|\bim test\b|\btestbericht\b"
        r"|\brezension\b|\bcritique de\b|\breseña\b|\brecensione\b|\brecensie\b",
    ),
    (
        "opinion",
        r"\b(?:opinion|op-ed|editorial|letters? to the editor|viewpoint|column|kommentar|meinung"
        r"|gastbeitrag|tribune|opinión|editoriale|opinie)\b|^why (?:i|we|you should)\b|^i \w+"
        r"|\bshould\b",
    ),
    (
        "analysis",
        r"\b(?:analysis|explained|explainer|in depth|deep dive|what (?:it|this) means|lessons from"
        r"|analyse|hintergrund|erklärt|décryptage|análisis|analisi|achtergrond)\b"
        r"|^(?:why|how|what)\b|^(?:warum|wieso|pourquoi|por qué|perché|waarom)\b",
    ),
    (
        "announcement",
        r"\b(?:announc\w+|launch\w*|introduc\w+|unveil\w*|releases?d?|now available|is out"
        r"|press release|kündigt an|stellt vor|veröffentlicht|pressemitteilung|lance|dévoile|lanza"
        r"|presenta|lancia|kondigt|lanceert)\b|\bv?\d+\.\d+(?:\.\d+)?$",
    ),
)
_INTENT_PATTERNS = tuple(
    (intent, re.compile(pattern, re.IGNORECASE)) for intent, pattern in _INTENTS
)


def category_of(subject: str) -> str:
    return SHOWN_AS.get(subject, subject)


def subject_of(document: Document, source_topics: tuple[str, ...] = ()) -> str:
    """The category with most of its words in the text, two different ones at least."""
    known = category_stems(document.language)
    votes: dict[str, float] = {}
    kinds: Counter[str] = Counter()
    for term, count in document.weights.items():
        names = known.get(term, ())
        for name in names:  # a season may be one of a league or of a series
            votes[name] = votes.get(name, 0.0) + min(count, 4) / len(names)
            kinds[name] += 1
    votes = {name: count for name, count in votes.items() if kinds[name] > 1}
    enough = max(ENOUGH, SHARE * document.weights.total())
    for topic in source_topics:
        named = CATEGORY_NAMES.get(topic.lower())
        stemmed = known.get(stem(topic.lower(), document.language), ())
        for name in stemmed if named is None else (named,):
            votes[name] = votes.get(name, 0.0) + math.ceil(enough)
    best, most = max(votes.items(), key=lambda vote: vote[1], default=(OTHER, 0.0))
    return best if most >= enough else OTHER


@lru_cache(maxsize=64)
def category_stems(language: str | None) -> dict[str, tuple[str, ...]]:
    found: dict[str, tuple[str, ...]] = {}
    for name in SUBJECTS:
        words = _WORDS.get(f"{name} {language}", _NONE)
        for term in {stem(word, language) for word in words}:
            found[term] = (*found.get(term, ()), name)
    return found


def intent_of(document: Document) -> str:
    """What the headline wants: news, unless it gives another intent away."""
    found = (name for name, pattern in _INTENT_PATTERNS if pattern.search(document.title))
    return next(found, "news")


def sentiment_of(document: Document) -> str:
    """The tone of title and lead: neutral, unless one side clearly outweighs the other."""
    language = document.language or FALLBACK_LANGUAGE
    positive, negative = (
        _TONES.get(f"{tone} {language}", _NONE) for tone in ("positive", "negative")
    )
    good = bad = 0
    previous = ""
    for word in words_of(f"{document.title}. {document.title}. {document.lead}"):
        turned = previous in NEGATIONS
        good += word in (negative if turned else positive)
        bad += word in (positive if turned else negative)
        previous = word
    if abs(good - bad) < 2 or abs(good - bad) < (good + bad) / 3:
        return "neutral"
    return "positive" if good > bad else "negative"
