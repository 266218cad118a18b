"""Real texts, real vectors: nothing is faked here."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from morningdeck.enrichers.embedding import WordEmbedder
from morningdeck.enrichers.offline import OfflineEnricher
from morningdeck.model import Article, Criteria, Score

CORPORA = Path(__file__).resolve().parents[3] / "shared" / "corpora"

Scorer = Callable[[Article, str], Score]


@pytest.fixture(scope="session")
def corpora() -> Path:
    if not CORPORA.is_dir() and "CI" not in os.environ:
        pytest.skip(f"the test material is not at {CORPORA}")
    return CORPORA


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
