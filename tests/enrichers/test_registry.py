"""The registry: an enricher for whatever the settings ask for."""

from __future__ import annotations

from morningdeck import enrichers
from morningdeck.enrichers import EnricherMeans
from morningdeck.enrichers.embedding import WordEmbedder
from morningdeck.settings.sections import EnricherSettings


def test_an_article_is_enriched_whatever_the_settings_ask_for(embedder: WordEmbedder) -> None:
    asked = EnricherSettings().kind

    assert enrichers.open_enricher(asked, EnricherMeans(embedder)).name == "offline"
