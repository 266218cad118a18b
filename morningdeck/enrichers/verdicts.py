"""From evidence to a score: the reader's taste, what is to be spared, and the reason for it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from morningdeck.enrichers.calibration import Evidence
from morningdeck.enrichers.columns import Floats, Ints, ProfileColumns, trust
from morningdeck.enrichers.reasons import reasons
from morningdeck.enrichers.sparing import KEEPS, Uses, UsesOf, spared
from morningdeck.enrichers.taste import TOLD_POINTS, Taste
from morningdeck.enrichers.why import TOUCHES, off_topic, uses_of_profile, why
from morningdeck.enrichers.wishes import Wish
from morningdeck.model.making import Profile

NO_SUBJECT = 50.0
ONLY_SPARED = 70.0


@dataclass(frozen=True, slots=True)
class Articles:
    """What sparing and taste need of one article, or of many."""

    uses_of: UsesOf
    meanings: Floats
    languages: tuple[str, ...]
    trusted: Floats
    """How far the meaning of each can be believed."""

    @classmethod
    def of_profile(cls, profile: Profile, meaning: Floats) -> Articles:
        uses = uses_of_profile(profile)

        def uses_of(keys: tuple[int, ...]) -> Uses:
            found = 0
            for key in keys:
                found |= uses.get(key, 0)
            return np.array([found], np.uint8)

        return cls(uses_of, meaning[np.newaxis], (profile.language,), trust([profile.language]))

    @classmethod
    def of_columns(cls, columns: ProfileColumns) -> Articles:
        languages = tuple(sorted(set(columns.languages)))
        return cls(columns.uses_of, columns.meanings, languages, columns.trusted)


@dataclass(frozen=True, slots=True)
class Verdicts:
    wish: Wish
    values: Floats
    evidence: Evidence
    spared: list[str]
    taste: Taste | None
    points: Floats | None
    """What the taste has added."""
    moved_by: Ints | None

    def score(self, place: int) -> int:
        return round(float(self.values[place]))

    def reason(self, place: int, profile: Profile, language: str | None) -> str:
        """Why, in the language of the briefing."""
        told = reasons(language)
        if self.spared[place]:
            return told.spared.format(told.quote([self.spared[place]]))
        if not self.wish.asked.wanted:
            return told.nothing_spared if self.wish.asked.unwanted else told.no_subject
        if self.taste is not None and self.points is not None and self.moved_by is not None:
            points, by = float(self.points[place]), int(self.moved_by[place])
            if abs(points) >= TOLD_POINTS:
                sentence = told.liked if points > 0 else told.disliked
                return sentence.format(told.quote([self.taste.titles[by]]))
        value = float(self.values[place])
        if value < TOUCHES and not self.evidence.own[place]:
            return off_topic(self.wish.asked, told)
        uses = uses_of_profile(profile)
        return why(self.wish, value, uses, profile.language, told, self.evidence.of(place))


def verdicts(
    wish: Wish, values: Floats, evidence: Evidence, articles: Articles, taste: Taste | None
) -> Verdicts:
    """The values are those by the evidence alone."""
    if not wish.asked.wanted:
        values = np.full_like(values, ONLY_SPARED if wish.asked.unwanted else NO_SUBJECT)
    points = moved_by = None
    if taste is not None:
        points, moved_by = taste.sway(articles.meanings)
        values = np.clip(values + points, 0.0, 100.0)
    unwelcome = [""] * len(values)
    if wish.asked.unwanted:
        unwelcome = spared(
            wish, articles.uses_of, articles.meanings, articles.languages, articles.trusted
        )
        values = np.where([bool(words) for words in unwelcome], values * KEEPS, values)
    return Verdicts(wish, values, evidence, unwelcome, taste, points, moved_by)


class BestVerdicts:
    """Of wishes any of which will do, the whole first: each article has the verdict of the one
    that it meets best; what it meets none of is off the whole.
    """

    def __init__(self, those: Sequence[Verdicts]) -> None:
        self._those = those
        self._best = np.argmax(np.stack([one.values for one in those]), axis=0)

    def score(self, place: int) -> int:
        return self._of(place).score(place)

    def reason(self, place: int, profile: Profile, language: str | None) -> str:
        best = self._of(place)
        speaks = best if best.values[place] >= TOUCHES else self._those[0]
        return speaks.reason(place, profile, language)

    def _of(self, place: int) -> Verdicts:
        return self._those[int(self._best[place])]
