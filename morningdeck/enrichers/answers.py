"""What a model is asked to fill in about an article, and what of that is kept.

Only what the article supports: sentences, names and topics that it does not are the offline
enricher's instead, as are scores that are missing.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import Any

from morningdeck.enrichers.classification import OTHER, SUBJECTS, category_of
from morningdeck.enrichers.document import Document, read_article
from morningdeck.enrichers.grounding import Evidence, grounded, is_harmful
from morningdeck.enrichers.reasons import reasons
from morningdeck.enrichers.sentences import sentences
from morningdeck.enrichers.stopwords import TOO_GENERAL
from morningdeck.enrichers.summary import summarise
from morningdeck.model.asking import ModelAnswer, Tally
from morningdeck.model.making import Article, Criteria, Enrichment, Score, Tags
from morningdeck.model.wanting import ON_THE_SUBJECT
from morningdeck.plaintext import one_line, shorten
from morningdeck.ports.asking import Tallies
from morningdeck.ports.verbs import Enricher

CATEGORIES = tuple(dict.fromkeys([*map(category_of, SUBJECTS), OTHER]))
INTENTS = ("news", "announcement", "analysis", "opinion", "review", "how-to")
SENTIMENTS = ("positive", "neutral", "negative")
MOST_NAMES, LONGEST_NAME = 8, 60
MOST_TOPICS, LONGEST_TOPIC = 5, 40
MOST_SENTENCES, LONGEST_SUMMARY = 3, 700
LONGEST_REASON = 200
HEADLINE_ONLY = 80
"""Characters of text: from fewer no summary can be made that is no title again."""


def _text(longest: int) -> dict[str, Any]:
    return {"type": "string", "maxLength": longest}


def _several(item: dict[str, Any], most: int, least: int = 0) -> dict[str, Any]:
    return {"type": "array", "items": item, "maxItems": most, "minItems": least}


def _one_of(names: Sequence[str]) -> dict[str, Any]:
    return {"type": "string", "enum": list(names)}


def scores_alone(wishes: int) -> dict[str, Any]:
    """One score for each wish, by its number."""
    numbers = [str(n) for n in range(1, wishes + 1)] or ["none"]
    score = {
        "type": "object",
        "properties": {
            "wish": _one_of(numbers),
            "reason": _text(4 * LONGEST_REASON),
            "score": {"type": "integer", "minimum": 0, "maximum": 100},
        },
    }
    return {"type": "object", "properties": {"scores": _several(score, 2 * wishes + 1, wishes)}}


def everything(wishes: int) -> dict[str, Any]:
    properties = {
        "summary": _text(4 * LONGEST_SUMMARY),
        "category": _one_of(CATEGORIES),
        "intent": _one_of(INTENTS),
        "sentiment": _one_of(SENTIMENTS),
        "topics": _several(_text(200), 2 * MOST_TOPICS),
        "people": _several(_text(200), 2 * MOST_NAMES),
        "companies": _several(_text(200), 2 * MOST_NAMES),
        "technologies": _several(_text(200), 2 * MOST_NAMES),
    }
    return {"type": "object", "properties": properties | scores_alone(wishes)["properties"]}


class Plain:
    """What the offline enricher says of an article, as far as it is asked for it."""

    def __init__(self, offline: Enricher, article: Article, criteria: Sequence[Criteria]) -> None:
        self._offline = offline
        self._article = article
        self._criteria = criteria

    @cached_property
    def _document(self) -> Document:
        return read_article(self._article)

    @property
    def language(self) -> str:
        known = self._article.read_as
        return self._document.language or "" if known is None else known

    @cached_property
    def scores(self) -> tuple[Score, ...]:
        return self._offline.score(self._article, self._criteria)

    @cached_property
    def summary(self) -> str:
        known = self._article.in_short
        return summarise(self._document) if known is None else known

    @cached_property
    def enrichment(self) -> Enrichment:
        """Without its scores."""
        return self._offline.enrich(self._article, ())


class Judge:
    """Takes from answers about one article what can be kept; the rest is offline's."""

    def __init__(self, article: Article, plain: Plain, tallies: Tallies) -> None:
        self._article = article
        self._plain = plain
        self._tallies = tallies
        self._language = plain.language
        self._evidence = Evidence((article.title, article.text), self._language)

    def enrichment(self, answer: ModelAnswer) -> Enrichment:
        """Without its scores."""
        said = answer.value
        return Enrichment(
            summary=self._summary(said["summary"]),
            category=said["category"],
            intent=said["intent"],
            tags=Tags(
                topics=self._topics(said["topics"]),
                people=self._names(said["people"]),
                companies=self._names(said["companies"]),
                technologies=self._names(said["technologies"]),
                sentiment=said["sentiment"],
            ),
            language=self._language,
            by=answer.by,
        )

    def scores(self, answer: ModelAnswer | None, wishes: Sequence[Criteria]) -> list[Score]:
        """One for each wish, in their order."""
        said: dict[str, Any] = {}
        for one in answer.value["scores"] if answer else ():
            said.setdefault(one["wish"], one)
        return [
            self._score(wish, said.get(str(n)), answer.by if answer else "")
            for n, wish in enumerate(wishes, start=1)
        ]

    def _score(self, wish: Criteria, said: Any, by: str) -> Score:
        if said is None:
            return self._offline_score(wish)
        reason = shorten(said["reason"], LONGEST_REASON)
        if not self._may_say(reason, wish):
            reason = self._reason_instead(wish, said["score"])
        return Score(wish.briefing_id, wish.version, said["score"], reason, by)

    def _reason_instead(self, wish: Criteria, score: int) -> str:
        """The offline one, unless that gives reasons for the contrary."""
        offline = self._offline_score(wish)
        wanted = score >= ON_THE_SUBJECT
        if wanted == (offline.value >= ON_THE_SUBJECT):
            return offline.reason
        told = reasons(wish.language)
        return told.model_on if wanted else told.model_off

    def _offline_score(self, wish: Criteria) -> Score:
        return next(one for one in self._plain.scores if one.briefing_id == wish.briefing_id)

    def _may_say(self, reason: str, wish: Criteria) -> bool:
        """It speaks of article and wish, and of nothing else that has a number or a name."""
        if not reason or is_harmful(reason):
            return False
        known = Evidence((wish.text,), self._language, self._evidence)
        return known.has_numbers(reason) and known.has_names(reason)

    def _summary(self, said: str) -> str:
        if len(self._article.text) < HEADLINE_ONLY:
            return self._plain.summary
        found = grounded(
            said,
            self._evidence,
            self._spare,
            title=self._article.title,
            most=MOST_SENTENCES,
            longest=LONGEST_SUMMARY,
        )
        self._tallies.add(Tally.UNSUPPORTED, found.replaced)
        return found.text or self._plain.summary

    def _spare(self) -> list[str]:
        return sentences(self._plain.summary)

    def _names(self, said: Sequence[str]) -> tuple[str, ...]:
        lines = (one_line(name) for name in said)
        kept = (
            name
            for name in lines
            if 1 < len(name) <= LONGEST_NAME
            and not is_harmful(name)
            and self._evidence.mentions(name)
        )
        return tuple(dict.fromkeys(kept))[:MOST_NAMES]

    def _topics(self, said: Sequence[str]) -> tuple[str, ...]:
        lines = (one_line(topic).lower() for topic in said)
        kept = (
            topic
            for topic in lines
            if 1 < len(topic) <= LONGEST_TOPIC
            and topic not in TOO_GENERAL
            and not is_harmful(topic)
            and self._evidence.touches(topic)
        )
        return tuple(dict.fromkeys(kept))[:MOST_TOPICS] or self._plain.enrichment.tags.topics
