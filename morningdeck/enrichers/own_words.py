"""The port `Summariser`: an article by itself, wherever the rest of its enrichment is from."""

from __future__ import annotations

from morningdeck.enrichers.document import read_article
from morningdeck.enrichers.summary import summarise
from morningdeck.model.making import Article


def in_short(article: Article) -> str:
    return summarise(read_article(article))


def read_as(article: Article) -> str:
    return read_article(article).language or ""
