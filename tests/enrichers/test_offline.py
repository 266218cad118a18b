"""The offline enricher as a whole: always an answer, always the same one, soon."""

from __future__ import annotations

import json
import time
from dataclasses import replace
from pathlib import Path

import pytest

from morningdeck.enrichers.embedding import WordEmbedder
from morningdeck.enrichers.offline import OfflineEnricher
from morningdeck.model.making import Article, Criteria
from tests.contracts.enricher import ARTICLE, CRITERIA, EnricherContract


class TestOfflineEnricher(EnricherContract):
    """Its fixture is everybody's here."""


def test_what_an_article_is_about_scores_high_and_all_else_low(enricher: OfflineEnricher) -> None:
    scores = enricher.enrich(ARTICLE, CRITERIA).scores

    assert scores[0].value > 60 > 25 > scores[1].value


def test_scoring_alone_gives_the_scores_of_enriching(enricher: OfflineEnricher) -> None:
    both = enricher.enrich(ARTICLE, CRITERIA).scores

    alone = enricher.score(ARTICLE, CRITERIA)

    assert [one.reason for one in alone] == [one.reason for one in both]
    assert all(abs(a.value - b.value) <= 5 for a, b in zip(alone, both, strict=True))


def test_what_is_told_already_only_gets_its_scores(enricher: OfflineEnricher) -> None:
    whole = enricher.enrich(ARTICLE, CRITERIA)
    told = replace(whole, summary="Told already.", scores=())

    assert enricher.enrich(replace(ARTICLE, told=told), ()) == told
    assert enricher.enrich(replace(ARTICLE, told=told), CRITERIA).scores == whole.scores


def test_same_article_same_answer(enricher: OfflineEnricher) -> None:
    another = OfflineEnricher(WordEmbedder())

    assert enricher.enrich(ARTICLE, CRITERIA) == another.enrich(ARTICLE, CRITERIA)


def test_an_empty_article_gets_an_answer(enricher: OfflineEnricher) -> None:
    enrichment = enricher.enrich(Article("", ""), CRITERIA)

    assert enrichment.summary == ""
    assert enrichment.category == "other"
    assert [score.value for score in enrichment.scores] == [0, 0]


def test_text_is_data_whatever_it_says(enricher: OfflineEnricher, corpora: Path) -> None:
    naughty = json.loads((corpora / "naughty-strings" / "blns.json").read_text())

    for text in [*naughty, "lone \ud83d half", "שלום עולם " * 30, "🎉" * 500]:
        enrichment = enricher.enrich(Article(text, text), [Criteria(1, 1, text)])
        assert 0 <= enrichment.scores[0].value <= 100
        assert len(enrichment.summary) <= 400


@pytest.mark.parametrize("piece", ["word ", ".", "A. ", "Ab ", "\n", "é", "said Ida Moss ", "“(["])
def test_a_megabyte_takes_no_longer_than_its_first_pages(
    enricher: OfflineEnricher, piece: str
) -> None:
    huge = piece * (1_000_000 // len(piece))
    started = time.process_time()

    enricher.enrich(Article("Title", huge), [Criteria(1, 1, huge)])

    assert time.process_time() - started < 1
