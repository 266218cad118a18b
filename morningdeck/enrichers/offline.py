"""The enricher that needs no key and no network: rules, word lists and local vectors.

Same article, same answer, always. What it says of an article is taken from the article.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from morningdeck.enrichers import EnricherMeans, classification
from morningdeck.enrichers.document import read_article
from morningdeck.enrichers.entities import find_entities
from morningdeck.enrichers.keyphrases import key_phrases
from morningdeck.enrichers.relevance import BY, Relevance
from morningdeck.enrichers.summary import summarise
from morningdeck.model.making import Article, Criteria, Enrichment, Score, Tags
from morningdeck.ports.verbs import Embedder


class OfflineEnricher:
    def __init__(self, embedder: Embedder, relevance: Relevance | None = None) -> None:
        self._relevance = relevance or Relevance(embedder)

    @property
    def name(self) -> str:
        return BY

    def enrich(self, article: Article, criteria: Sequence[Criteria]) -> Enrichment:
        told = article.told or self._told(article)
        return replace(told, scores=self.score(article, criteria)) if criteria else told

    def _told(self, article: Article) -> Enrichment:
        document = read_article(article)
        subject = classification.subject_of(document, article.source_topics)
        entities = find_entities(document)
        topics = key_phrases(document, preferred=article.source_topics, names=entities.people)
        return Enrichment(
            summary=summarise(document),
            category=classification.category_of(subject),
            intent=classification.intent_of(document),
            tags=Tags(
                topics=topics,
                people=entities.people,
                companies=entities.companies,
                technologies=entities.technologies,
                sentiment=classification.sentiment_of(document),
            ),
            language=document.language or "",
            by=BY,
        )

    def score(self, article: Article, criteria: Sequence[Criteria]) -> tuple[Score, ...]:
        if not criteria:
            return ()
        return self._relevance.scores(article.profile or self._relevance.profile(article), criteria)


def open_enricher(means: EnricherMeans) -> OfflineEnricher:
    return OfflineEnricher(means.embedder, means.relevance)
