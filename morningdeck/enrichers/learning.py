"""What a wish means among all that was read: its words by their rarity, and what its best share.

own        its own words, each as rare as it is in the articles' language, those that belong
           together more than those that say how or what else
more       words that the articles share which meet it best (feedback that nobody gave)
near       the direction in which those articles lie, seen from the middle of their language
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from morningdeck.enrichers.calibration import Belief, Evidence
from morningdeck.enrichers.classification import NARROWER
from morningdeck.enrichers.columns import MENTIONED, Floats, Ints, ProfileColumns
from morningdeck.enrichers.styles import SourceStyles
from morningdeck.enrichers.vocabulary import Vocabulary
from morningdeck.enrichers.wishes import Wish, WishPart, keys_for

IDEAL = 1.75
"""So much BM25 makes of a word in an article that is all about it."""
UNKNOWN = 0.5
"""A word that nobody has used yet tells no article from another: it asks for less."""
KIND, KIND_OF_NARROWER = 0.5, 0.3
"""What an article of the kind that a wish names has of that word, where the word is not in it; the
second where the word names a part of that kind.
"""
TORN = 0.4
"""What is left of the words of a phrase where the others are not there."""
FEWEST_ARTICLES = 30
"""With less nobody knows yet what the best share."""
BEST, FEWEST_BEST, MOST_BEST = 0.3, 3, 20
"""What has so much of the ideal is among the best; so many of them are looked at."""
ROUNDS = 2
"""What the first best share finds better ones."""
MEANING_FIRST = 0.5
MEANING, MORE, NEAR = 0.3, 0.7, 0.7
"""What counts how much beside the own words when the best are chosen, by its spread."""
MOST_WORDS = 40
SURE = 0.02
"""No word is in all of the best, nor in none of the others, for sure."""
FEW_BEST = 6
"""Of so few each is asked what the others share, or it would be like itself."""


@dataclass(frozen=True, slots=True)
class LearntPart:
    """A wish as a whole, or one of its sentences, any of which will do."""

    meaning: Floats
    words: Mapping[int, float]
    ideal: Mapping[str, float]
    """What an article in that language would get that is all about it."""
    usual: Mapping[str, float]
    """The same of the sentences of its wish on average."""
    is_word: bool = False
    """It says no more than a single word."""
    phrase: tuple[tuple[int, ...], ...] = ()
    """The words of what says no more than one phrase: of each what stands for it anywhere."""

    def scale(self, language: str) -> float:
        """What it counts: a sentence that says less than the others is no subject of its own."""
        return min(1.0, self.ideal[language] / max(self.usual[language], 1e-3))


@dataclass(frozen=True, slots=True)
class LearntWish:
    wish: Wish
    parts: tuple[LearntPart, ...]
    more: Mapping[int, float] = field(default_factory=dict)
    near: Floats | None = None
    best: tuple[int, ...] = ()
    belief: Belief = field(default_factory=Belief)
    told: Floats | None = None
    """What each of the best means, without the style of its source."""
    styles: SourceStyles | None = None

    def to_keep(self) -> LearntWish:
        """Without what is of no use when the lesson is over."""
        return replace(self, told=None, styles=None)

    def speaks(self, language: str) -> bool:
        return language in self.parts[0].ideal

    def with_lesson_of(self, other: LearntWish) -> LearntWish:
        """This one knows another language, the other has learnt."""
        return replace(self, more=other.more, near=other.near, belief=other.belief)


def first_learnt(wish: Wish, languages: Sequence[str], vocabulary: Vocabulary) -> LearntWish:
    """By its own words alone."""
    parts = [_part(part, languages, vocabulary) for part in wish.parts]
    usual = {
        language: sum(part.ideal[language] for part in parts[1:]) / max(len(parts) - 1, 1)
        for language in languages
    }
    return LearntWish(wish, (parts[0], *(replace(part, usual=usual) for part in parts[1:])))


def _part(part: WishPart, languages: Sequence[str], vocabulary: Vocabulary) -> LearntPart:
    words: dict[int, float] = {}
    ideal = dict.fromkeys(languages, 0.0)
    spoken = {*languages, *vocabulary.articles}
    alone = len(part.weights) == 1
    each: list[set[int]] = []
    for word, weight in part.weights.items():
        keys = {language: keys_for(word, language) for language in spoken}
        counts = {
            language: max((vocabulary.count(key) for key in those), default=0.0)
            for language, those in keys.items()
        }
        known, read = any(counts.values()), sum(vocabulary.articles.values()) > FEWEST_ARTICLES
        if known or not read:  # what nobody has used can be missing
            each.append({key for those in keys.values() for key in those})
        for language in languages:
            those = keys[language]
            worth = weight * vocabulary.rarity(counts, language) if those else 0.0
            ideal[language] += IDEAL * worth * (1.0 if known or not read else UNKNOWN)
            words.update({key: max(words.get(key, 0.0), worth / len(those)) for key in those})
            if (kind := part.kinds.get(word)) is not None:
                words[kind] = max(words.get(kind, 0.0), _kind_share(word, alone=alone) * worth)
    phrase = tuple(tuple(those) for those in each) if part.is_phrase and len(each) > 1 else ()
    return LearntPart(part.meaning, words, ideal, ideal, is_word=alone, phrase=phrase)


def _kind_share(word: str, *, alone: bool) -> float:
    """The kind stands nowhere in an article, which must not count against a word that is alone."""
    share = KIND_OF_NARROWER if word in NARROWER else KIND
    return share / MENTIONED if alone else share


def evidence_of(learnt: LearntWish, columns: ProfileColumns) -> Evidence:
    own = meaning = np.full(columns.size, -1.0, np.float32)
    for part in learnt.parts:
        scale = columns.by_language(part.scale)
        ideal = np.maximum(columns.by_language(part.ideal.__getitem__), 1e-3)
        found = columns.weigh(part.words, alone=part.is_word)
        own = np.maximum(own, scale * found * _together(part, columns) / ideal)
        meaning = np.maximum(meaning, scale * columns.trusted * (columns.meanings @ part.meaning))
    if learnt.near is None:
        return Evidence(own, np.zeros_like(own), meaning, np.zeros_like(own))
    return Evidence(own, columns.weigh(learnt.more), meaning, columns.towards(learnt.near))


def _together(part: LearntPart, columns: ProfileColumns) -> Floats | float:
    """How far the words of a phrase can be believed: "federal" is not the Federal Reserve."""
    if not part.phrase:
        return 1.0
    whole = np.logical_and.reduce([columns.uses_of(keys) > 0 for keys in part.phrase])
    believed: Floats = np.where(whole, np.float32(1.0), np.float32(TORN))
    return believed


def taught(
    learnt: LearntWish,
    columns: ProfileColumns,
    pool: Ints,
    sources: Ints,
    liked: Sequence[int] = (),
) -> LearntWish:
    """By the best of the articles in the pool, and by those that the reader has liked; `sources`
    has the source of each article.
    """
    if columns.size <= FEWEST_ARTICLES or not len(pool):
        return learnt
    evidence = evidence_of(learnt, columns)
    # one with none of its words teaches what it takes for the same, most of all across languages
    speaking = pool[evidence.own[pool] > 0]
    order = _spread(evidence.own) + MEANING_FIRST * _spread(evidence.meaning)
    styles = SourceStyles.of(columns, sources, pool, order[pool])
    pool = speaking if len(speaking) else pool
    good = int((evidence.own[pool] > BEST).sum())
    count = min(max(good, FEWEST_BEST), MOST_BEST, len(pool))
    best: Ints = pool[:0]
    for _ in range(ROUNDS):
        chosen = pool[np.argsort(-order[pool], kind="stable")[:count]]
        best = np.union1d(chosen, np.array(liked, np.int64))
        told = columns.apart(best) - styles.meanings(best)
        learnt = replace(
            learnt,
            more=_shared_words(columns, best, styles),
            near=_towards(told.sum(axis=0)),
            best=tuple(best.tolist()),
            told=told,
            styles=styles,
        )
        evidence = evidence_without_self(learnt, columns)
        order = _spread(evidence.own) + MEANING * _spread(evidence.meaning)
        order += MORE * _spread(evidence.more) + NEAR * _spread(evidence.near)
    own = float(evidence.own[best].mean())
    middle, head = float(evidence.more.mean()), float(evidence.more[best].mean())
    return replace(learnt, belief=Belief.taught(own, good + len(liked), middle, head))


def evidence_without_self(learnt: LearntWish, columns: ProfileColumns) -> Evidence:
    """As for articles that come: one of the best is held against what the others share."""
    evidence = evidence_of(learnt, columns)
    if learnt.told is None or learnt.styles is None:
        return evidence
    best, told = np.array(learnt.best, np.int64), learnt.told
    others = told.sum(axis=0) - told
    lengths = np.maximum(np.linalg.norm(others, axis=1), 1e-6)
    evidence.near[best] = (columns.apart(best) * others).sum(axis=1) / lengths
    if 1 < len(best) <= FEW_BEST:
        for one in learnt.best:
            shared = _shared_words(columns, best[best != one], learnt.styles)
            evidence.more[one] = columns.weigh_one(one, shared)
    return evidence


def _shared_words(columns: ProfileColumns, best: Ints, styles: SourceStyles) -> dict[int, float]:
    """The words that tell the best from the rest, each by how surely it does and how often."""
    words = np.concatenate([columns.words_of_article(one) for one in best])
    places, users = np.unique(words, return_counts=True)
    among = np.clip(users / (len(best) + SURE), SURE / 2, 1 - SURE / 2)
    elsewhere = (columns.users()[places] + 1) / (columns.size + 2)
    often = users >= min(2, len(best))
    elsewhere[often] += styles.words(best, places[often])
    odds = np.log(among / (1 - among) * (1 - elsewhere) / elsewhere)
    worth = np.where(often, np.maximum(odds, 0.0) * users / len(best), 0.0)
    first = np.argsort(-worth, kind="stable")[:MOST_WORDS]
    keys = columns.words[places]
    return {int(keys[at]): float(worth[at]) for at in first if worth[at] > 0}


def _spread(values: Floats) -> Floats:
    """How far each is from the middle, by how far they usually are."""
    found: Floats = (values - values.mean()) / max(float(values.std()), 1e-6)
    return found


def _towards(direction: Floats) -> Floats:
    unit: Floats = direction / max(float(np.linalg.norm(direction)), 1e-6)
    return unit
