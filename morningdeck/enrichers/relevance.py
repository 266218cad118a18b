"""How well an article meets a reader's criteria: 0-100, with a reason in plain words.

Words count most: a wanted phrase in the title more than one in the lead, that more than
one in the text. Closeness in meaning (embeddings) stands in where the words differ. What
the reader wants to be spared pulls the score down, however well the rest fits.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from morningdeck.enrichers.classification import CATEGORY_NAMES
from morningdeck.enrichers.criteria import CriteriaPhrases, Phrase, phrases_of
from morningdeck.enrichers.document import Document
from morningdeck.enrichers.words import stem, words_of
from morningdeck.model.making import Criteria, Score
from morningdeck.ports.verbs import Embedder

BY = "offline"
NO_SUBJECT = 50
ONLY_SPARED = 70
ON_TOPIC = 40
"""From here on, a reason says what matched; below, what was missing."""

IN_TITLE = 1.0
IN_LEAD = 0.8
IN_TEXT = 0.55
MENTIONED = 0.3
"""Once, somewhere in the text."""
OF_ITS_KIND = 0.5
"""The phrase is the article's subject: "sports" for a football match."""

COSINES = (-0.1, 0.1, 0.2, 0.35, 0.5)
CLOSENESS = (0.0, 0.1, 0.3, 0.85, 1.0)
"""Of English texts, 90 % of the unrelated stay below a cosine of 0.16, half below 0.05."""
FOREIGN_TRUST = 0.4
"""The vectors know English best; closeness in other languages is weaker evidence."""
SPARED = 0.5
"""From here on, an unwanted phrase counts as met."""
SPARED_CLOSE = 0.6
SPARED_KEEPS = 0.2
"""What is left of the score then."""


@dataclass(frozen=True, slots=True)
class Match:
    phrase: Phrase
    strength: float
    where: str

    @property
    def quoted(self) -> str:
        return f"'{' '.join(self.phrase)}'"


@dataclass(frozen=True, slots=True)
class _ArticleStems:
    """The stems of an article, spaced, so that phrases are found by searching text."""

    title: str
    lead: str
    text: str
    subject: str
    topics: str


@dataclass(frozen=True, slots=True)
class _CriteriaVectors:
    asked: CriteriaPhrases
    wanted: tuple[bytes, ...]
    unwanted: tuple[bytes, ...]


@dataclass(frozen=True, slots=True)
class _Closest:
    closeness: float
    """From 0 (means nothing of the kind) to 1 (means the same)."""
    clause: str


class Relevance:
    """Scores articles against criteria; remembers what the criteria meant."""

    def __init__(self, embedder: Embedder) -> None:
        self._embedder = embedder
        self._understood = lru_cache(maxsize=1_024)(self._understand)

    def scores(
        self,
        document: Document,
        criteria: Iterable[Criteria],
        *,
        subject: str,
        topics: tuple[str, ...],
        vector: bytes,
    ) -> tuple[Score, ...]:
        article = _article_stems(document, subject, topics)
        vector = vector or self._embedder.embed([f"{document.title}\n{document.lead}".strip()])[0]
        return tuple(self._score(one, article, document.language, vector) for one in criteria)

    def _understand(self, text: str) -> _CriteriaVectors:
        asked = phrases_of(text)
        return _CriteriaVectors(
            asked,
            self._embedder.embed(asked.wanted_clauses),
            self._embedder.embed(asked.unwanted_clauses),
        )

    def _score(
        self, criteria: Criteria, article: _ArticleStems, language: str | None, vector: bytes
    ) -> Score:
        understood = self._understood(criteria.text)
        asked = understood.asked
        trust = 1.0 if language in ("en", None) else FOREIGN_TRUST
        closest = _closest(asked.wanted_clauses, understood.wanted, vector, trust)
        met = _met(asked.wanted, article, language)
        unwanted = _closest(asked.unwanted_clauses, understood.unwanted, vector, trust)
        if asked.wanted:
            value = _value(met, closest.closeness)
            reason = _reason(met, closest, value)
        elif asked.unwanted:
            value = ONLY_SPARED - 20 * unwanted.closeness
            reason = "nothing you asked to be spared"
        else:
            value, reason = NO_SUBJECT, "your criteria name no subject"
        spared = _spared(_met(asked.unwanted, article, language), unwanted, closest)
        if spared is not None:
            value *= SPARED_KEEPS
            reason = f"you asked for nothing about {spared.quoted}"
        return Score(criteria.briefing_id, criteria.version, round(value), reason, BY)


def _article_stems(document: Document, subject: str, topics: tuple[str, ...]) -> _ArticleStems:
    language = document.language
    return _ArticleStems(
        title=_stems(document.title, language),
        lead=_stems(document.lead, language),
        text=_stems(" ".join(sentence.text for sentence in document.sentences[4:]), language),
        subject=subject,
        topics=_stems(" ".join(topics), language),
    )


def _stems(text: str, language: str | None) -> str:
    return f" {' '.join(stem(word, language) for word in words_of(text))} "


def _met(phrases: Iterable[Phrase], article: _ArticleStems, language: str | None) -> list[Match]:
    """How well each phrase is met, the best first."""
    matches = (_match(phrase, article, language) for phrase in phrases)
    return sorted(matches, key=lambda match: -match.strength)


def _match(phrase: Phrase, article: _ArticleStems, language: str | None) -> Match:
    stems = [stem(word, language) for word in phrase]
    strength, where = _whole(" ".join(stems), article)
    if len(stems) > 1:
        found = [_whole(one, article)[0] for one in stems]
        share = sum(one > 0 for one in found) / len(stems)
        # All of the words, but apart, are nearly the phrase; half of them are a hint.
        apart = sum(found) / len(found) * (0.85 if share == 1 else 0.4 * share)
        if apart > strength:
            return Match(phrase, apart, "in parts")
    if (
        strength < OF_ITS_KIND
        and len(phrase) == 1
        and CATEGORY_NAMES.get(phrase[0]) == article.subject
    ):
        return Match(phrase, OF_ITS_KIND, "by its kind")
    return Match(phrase, strength, where)


def _whole(stems: str, article: _ArticleStems) -> tuple[float, str]:
    wanted = f" {stems} "
    if wanted in article.title:
        return IN_TITLE, "in the title"
    if wanted in article.lead:
        return IN_LEAD, "in the lead"
    count = article.text.count(wanted)
    if count:
        return (IN_TEXT if count > 1 else MENTIONED), "in the text"
    return (MENTIONED, "in its topics") if wanted in article.topics else (0.0, "")


def _closest(
    clauses: tuple[str, ...], vectors: tuple[bytes, ...], vector: bytes, trust: float
) -> _Closest:
    if not vector:
        return _Closest(0.0, "")
    article = np.frombuffer(vector, dtype="<f4")
    cosines = (
        (float(np.frombuffer(one, dtype="<f4") @ article), clause)
        for one, clause in zip(vectors, clauses, strict=True)
        if one
    )
    cosine, clause = max(cosines, default=(-1.0, ""))
    return _Closest(trust * float(np.interp(cosine, COSINES, CLOSENESS)), clause)


def _spared(met: list[Match], unwanted: _Closest, wanted: _Closest) -> Match | None:
    """The unwanted thing that the article is about; a mention in passing is none."""
    if met and met[0].strength >= SPARED and met[0].where != "in the text":
        return met[0]
    if unwanted.closeness >= max(SPARED_CLOSE, wanted.closeness):
        return Match(tuple(unwanted.clause.split()), unwanted.closeness, "by its meaning")
    return None


def _value(met: list[Match], closeness: float) -> float:
    best = met[0].strength
    more = sum(match.strength for match in met[1:4]) / 3
    return 100 * (1 - (1 - 0.66 * best) * (1 - 0.3 * more) * (1 - 0.7 * closeness))


def _reason(met: list[Match], closest: _Closest, value: float) -> str:
    for where in ("in the title", "in the lead", "in the text"):
        matches = [match.quoted for match in met if match.where == where][:2]
        if matches and (value >= ON_TOPIC or where == "in the title"):
            verb = "matches" if where == "in the title" else "mentions"
            return f"{verb} {' and '.join(matches)} {where}"
    if value >= ON_TOPIC and closest.closeness >= met[0].strength:
        return f"close in meaning to '{_shortened(closest.clause)}'"
    if value >= ON_TOPIC / 2 and met[0].strength:
        return f"touches on {met[0].quoted}"
    if value >= ON_TOPIC / 2:
        return f"a little like '{_shortened(closest.clause)}'"
    return f"off topic: nothing about {' or '.join(match.quoted for match in met[:2])}"


def _shortened(clause: str) -> str:
    clause = clause.strip(" .,;:")
    return clause if len(clause) <= 60 else f"{clause[:59].rpartition(' ')[0]}…"
