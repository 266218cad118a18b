"""How well articles meet readers' criteria: 0-100, with a reason in plain words.

At its arrival an article is scored by what the wishes mean as of the last lesson; a lesson
reads the articles of the window anew, learns what each wish means among them, and scores
them all again.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from functools import lru_cache, partial

import numpy as np

from morningdeck.enrichers import classification
from morningdeck.enrichers.boards import Board, board_of
from morningdeck.enrichers.calibration import calibrated
from morningdeck.enrichers.columns import TYPICAL_LENGTH, Floats, Ints, ProfileColumns, columns_of
from morningdeck.enrichers.document import read_article
from morningdeck.enrichers.learning import LearntWish, evidence_without_self, first_learnt, taught
from morningdeck.enrichers.profiles import make_profile, meaning_of
from morningdeck.enrichers.taste import Taste, taste_of
from morningdeck.enrichers.verdicts import Articles, BestVerdicts, Verdicts, verdicts
from morningdeck.enrichers.vocabulary import NOTHING_READ, Vocabulary, counted, vocabulary_of
from morningdeck.enrichers.why import WISHES_REMEMBERED
from morningdeck.enrichers.wishes import Wish, alternatives, wish_of
from morningdeck.model.making import Article, Criteria, Profile, Score
from morningdeck.model.refining import KeptProfile, RatedProfile, RefinedScore, WordCounts
from morningdeck.ports.verbs import Embedder

BY = "offline"
SHOWS = 5
"""A score that changes by less is not worth telling the search index."""
DIMENSIONS = 256

Stored = Sequence[tuple[int, int]]
Lesson = tuple[Criteria, Callable[[Stored], list[RefinedScore]]]
WishKey = tuple[str, int | None, tuple[tuple[int, int], ...], int]
"""Criteria with the same text, of the same reader with the same taste, mean the same; the last
says which of its wishes it is, 0 the whole.
"""


@dataclass(frozen=True, slots=True)
class Known:
    """What the last lesson has taught."""

    vocabulary: Vocabulary = NOTHING_READ
    typical_length: float = TYPICAL_LENGTH
    middles: Mapping[str, Floats] = field(default_factory=dict)
    """Of the meanings in each language."""
    tastes: Mapping[int, Taste] = field(default_factory=dict)
    """By briefing."""
    wishes: dict[WishKey, LearntWish] = field(default_factory=dict)
    boards: dict[tuple[str, tuple[WishKey, ...]], Board] = field(default_factory=dict)

    def keys(self, criteria: Criteria, wishes: int) -> tuple[WishKey, ...]:
        taste = self.tastes.get(criteria.briefing_id)
        ids = taste.ids if taste else ()
        return tuple((criteria.text, criteria.user_id, ids, number) for number in range(wishes))


class Relevance:
    """One for a process; safe from many threads."""

    def __init__(self, embedder: Embedder) -> None:
        self._embedder = embedder
        self._known = Known()
        self._board_making = threading.Lock()
        self._understood = lru_cache(WISHES_REMEMBERED)(self._understand)

    def anew(self) -> Relevance:
        """Another that may learn what it is told: what arrives is not scored by it."""
        return Relevance(self._embedder)

    def _understand(self, text: str) -> tuple[Wish, ...]:
        """The whole, and what it names besides that is a wish of its own."""
        whole = wish_of(text, self._embedder, DIMENSIONS)
        return whole, *alternatives(whole, self._embedder, DIMENSIONS)

    def _keys(self, known: Known, criteria: Criteria) -> tuple[WishKey, ...]:
        return known.keys(criteria, len(self._understood(criteria.text)))

    def _wish(self, key: WishKey) -> Wish:
        return self._understood(key[0])[key[-1]]

    def profile(self, article: Article) -> Profile:
        document = read_article(article)
        vector = article.vector
        if not vector:
            (vector,) = self._embedder.embed([f"{document.title}\n{document.lead}".strip()])
        subject = classification.subject_of(document, article.source_topics)
        return make_profile(document, subject, vector)

    # ---- at arrival

    def scores(self, profile: Profile, criteria: Sequence[Criteria]) -> tuple[Score, ...]:
        if not criteria:
            return ()
        known = self._known
        keys = tuple(dict.fromkeys(key for one in criteria for key in self._keys(known, one)))
        board = self._board(known, keys, profile.language)
        evidence = board.evidence(profile, known.typical_length)
        values = calibrated(evidence, board.belief)
        numbers = {key: number for number, key in enumerate(keys)}
        article = Articles.of_profile(profile, meaning_of(profile.meaning, DIMENSIONS))
        judged: dict[tuple[WishKey, str | None], tuple[int, str]] = {}
        found = []
        for one in criteria:
            mine = self._keys(known, one)
            if (mine[0], one.language) not in judged:
                taste = known.tastes.get(one.briefing_id)
                places = [(self._wish(key), numbers[key]) for key in mine]
                each = [
                    verdicts(wish, values[at : at + 1], evidence.of(at), article, taste)
                    for wish, at in places
                ]
                best = BestVerdicts(each)
                told = best.score(0), best.reason(0, profile, one.language)
                judged[mine[0], one.language] = told
            found.append(Score(one.briefing_id, one.version, *judged[mine[0], one.language], BY))
        return tuple(found)

    def _board(self, known: Known, keys: tuple[WishKey, ...], language: str) -> Board:
        """Made once for all articles in a language that serve the same briefings."""
        with self._board_making:
            board = known.boards.get((language, keys))
            if board is None:
                learnt = [self._learnt(known, key, language) for key in keys]
                middle = known.middles.get(language, np.zeros(DIMENSIONS, np.float32))
                board = board_of(learnt, language, middle)
                known.boards[language, keys] = board
            return board

    def _learnt(self, known: Known, key: WishKey, language: str) -> LearntWish:
        learnt = known.wishes.get(key)
        if learnt is None or not learnt.speaks(language):
            languages = [language] if learnt is None else [*learnt.parts[0].ideal, language]
            first = first_learnt(self._wish(key), languages, known.vocabulary)
            learnt = first if learnt is None else first.with_lesson_of(learnt)
            known.wishes[key] = learnt.to_keep()
        return learnt

    # ---- when more has been read

    def learn(
        self,
        kept: Sequence[KeptProfile],
        counts: Mapping[str, WordCounts],
        criteria: Sequence[Criteria],
        sources: Mapping[int | None, frozenset[int]],
        rated: Mapping[int, Sequence[RatedProfile]],
    ) -> Iterator[Lesson]:
        """For each of the criteria a function from the scores that there are to better ones."""
        columns = columns_of([one.profile for one in kept], dimensions=DIMENSIONS)
        tastes = {b: taste for b, those in rated.items() if (taste := taste_of(those, DIMENSIONS))}
        vocabulary = vocabulary_of(columns, counts)
        known = Known(vocabulary, columns.typical_length, columns.middles, tastes)
        lesson = LessonPlan(kept, columns, known, sources)
        judged: dict[WishKey, BestVerdicts] = {}
        for one in criteria:
            keys = self._keys(known, one)
            if keys[0] not in judged:
                each = [lesson.judged(self._wish(key), key, one) for key in keys]
                judged[keys[0]] = BestVerdicts(each)
            yield one, partial(lesson.better, one, judged[keys[0]])
        self._known = known

    def count(
        self, outdated: Sequence[KeptProfile], counts: Mapping[str, WordCounts], now: datetime
    ) -> tuple[WordCounts, ...]:
        return counted(outdated, counts, now)


class LessonPlan:
    """The articles of the window, and what is learnt from them."""

    def __init__(
        self,
        kept: Sequence[KeptProfile],
        columns: ProfileColumns,
        known: Known,
        sources: Mapping[int | None, frozenset[int]],
    ) -> None:
        self._kept = kept
        self._columns = columns
        self._known = known
        self._places = {one.item_id: place for place, one in enumerate(kept)}
        self._languages = sorted(set(columns.languages))
        self._articles = Articles.of_columns(columns)
        self._sources: Ints = np.array([one.source_id for one in kept], np.int64)
        self._pools: dict[int | None, Ints] = {
            reader: np.flatnonzero(np.isin(self._sources, list(those)))
            for reader, those in sources.items()
        }

    def judged(self, wish: Wish, key: WishKey, criteria: Criteria) -> Verdicts:
        """All articles by this wish, whose meaning among them is remembered.

        What the reader has liked teaches the whole only: it may be about one of its subjects.
        """
        known, columns = self._known, self._columns
        taste = known.tastes.get(criteria.briefing_id)
        liked = (
            [self._places[item] for item in taste.liked if item in self._places]
            if taste and key[-1] == 0
            else []
        )
        learnt = first_learnt(wish, self._languages, known.vocabulary)
        pool = self._pools.get(criteria.user_id, np.zeros(0, np.int64))
        learnt = taught(learnt, columns, pool, self._sources, liked)
        known.wishes[key] = learnt.to_keep()
        evidence = evidence_without_self(learnt, columns)
        return verdicts(wish, calibrated(evidence, learnt.belief), evidence, self._articles, taste)

    def better(
        self, criteria: Criteria, judged: BestVerdicts, stored: Stored
    ) -> list[RefinedScore]:
        """Those that differ from what is stored."""
        found = []
        for item_id, before in stored:
            place = self._places.get(item_id)
            if place is None or (value := judged.score(place)) == before:
                continue
            reason = judged.reason(place, self._kept[place].profile, criteria.language)
            shows = abs(value - before) >= SHOWS
            one = (criteria.briefing_id, item_id, criteria.version, value, reason, shows)
            found.append(RefinedScore(*one))
        return found
