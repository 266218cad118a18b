"""What a model is asked to fill in about an article, and what of that is kept.

Only what the article supports: sentences, names and topics that it does not are the offline
enricher's instead, as are scores that are missing.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from morningdeck.enrichers.classification import OTHER, SUBJECTS, category_of
from morningdeck.enrichers.grounding import Evidence, grounded, is_harmful
from morningdeck.enrichers.sentences import sentences
from morningdeck.model.asking import ModelAnswer, Tally
from morningdeck.model.making import Article, Criteria, Enrichment, Score, Tags
from morningdeck.plaintext import one_line, shorten
from morningdeck.ports.asking import Tallies

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


class Judge:
    """Takes from answers about one article what can be kept."""

    def __init__(self, article: Article, offline: Enrichment, tallies: Tallies) -> None:
        self._article = article
        self._offline = offline
        self._tallies = tallies
        self._evidence = Evidence((article.title, article.text), offline.language)
        self._offline_scores = {score.briefing_id: score for score in offline.scores}

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
            language=self._offline.language,
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
        offline = self._offline_scores[wish.briefing_id]
        if said is None:
            return offline
        reason = shorten(said["reason"], LONGEST_REASON)
        if not self._may_say(reason, wish):
            reason = offline.reason
        return Score(wish.briefing_id, wish.version, said["score"], reason, by)

    def _may_say(self, reason: str, wish: Criteria) -> bool:
        """It speaks of article and wish, and of nothing else that has a number or a name."""
        if not reason or is_harmful(reason):
            return False
        texts = (self._article.title, self._article.text, wish.text)
        known = Evidence(texts, self._offline.language)
        return known.has_numbers(reason) and known.has_names(reason)

    def _summary(self, said: str) -> str:
        if len(self._article.text) < HEADLINE_ONLY:
            return self._offline.summary
        spare = sentences(self._offline.summary)
        found = grounded(said, self._evidence, spare, most=MOST_SENTENCES, longest=LONGEST_SUMMARY)
        self._tallies.add(Tally.UNSUPPORTED, found.replaced)
        return found.text or self._offline.summary

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
            and not is_harmful(topic)
            and self._evidence.touches(topic)
        )
        return tuple(dict.fromkeys(kept))[:MOST_TOPICS] or self._offline.tags.topics
