"""The registry: an enricher is one file and one line."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import pytest

from morningdeck import enrichers
from morningdeck.enrichers import ENRICHERS, EnricherMeans
from morningdeck.enrichers.embedding import WordEmbedder
from morningdeck.model import Article, Criteria, Enrichment, Score, Tags
from morningdeck.settings import EnricherSettings


class FirstWords:
    """An enricher that nobody has yet."""

    name = "first-words"

    def enrich(self, article: Article, criteria: Sequence[Criteria]) -> Enrichment:
        return Enrichment(article.text[:10], "other", "inform", Tags(), "en", self.name)

    def score(self, article: Article, criteria: Sequence[Criteria]) -> tuple[Score, ...]:
        return ()


def open_enricher(means: EnricherMeans) -> FirstWords:
    return FirstWords()


@pytest.fixture
def _with_first_words() -> Iterator[None]:
    ENRICHERS[FirstWords.name] = __name__
    yield
    del ENRICHERS[FirstWords.name]


@pytest.mark.usefixtures("_with_first_words")
def test_a_new_enricher_is_one_file_and_one_line(embedder: WordEmbedder) -> None:
    enricher = enrichers.open_enricher(FirstWords.name, EnricherMeans(embedder))

    assert enricher.enrich(Article("Title", "Some long text."), ()).summary == "Some long "


def test_an_article_is_enriched_whatever_the_settings_ask_for(embedder: WordEmbedder) -> None:
    asked = EnricherSettings().kind

    assert enrichers.open_enricher(asked, EnricherMeans(embedder)).name == "offline"
