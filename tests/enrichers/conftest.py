"""Real texts, real vectors: nothing is faked here."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from morningdeck.enrichers.embedding import WordEmbedder
from morningdeck.enrichers.offline import OfflineEnricher
from morningdeck.model.making import Article, Criteria, Score
from tests.asking import asked_database, endpoint, model, models

__all__ = ["asked_database", "endpoint", "model", "models"]

Scorer = Callable[[Article, str], Score]


@pytest.fixture(scope="session")
def embedder() -> WordEmbedder:
    return WordEmbedder()


@pytest.fixture(scope="session")
def enricher(embedder: WordEmbedder) -> OfflineEnricher:
    return OfflineEnricher(embedder)


@pytest.fixture(scope="session")
def score(enricher: OfflineEnricher) -> Scorer:
    """One article against one text of criteria."""

    def score_one(article: Article, criteria: str) -> Score:
        return enricher.score(article, [Criteria(briefing_id=1, version=1, text=criteria)])[0]

    return score_one
