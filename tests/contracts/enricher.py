"""The port `Enricher`: always an answer, and one score for each of the criteria."""

from __future__ import annotations

import pytest

from morningdeck.model.making import Article, Criteria
from morningdeck.ports.verbs import Enricher

ARTICLE = Article(
    title="Port reopens quay with shore power",
    text="The port reopened its largest quay today. Ships can now switch off their engines. "
    "The shore power connection cost nine million euros and took a year to build.",
)
CRITERIA = (Criteria(7, 3, "shore power and ports"), Criteria(9, 1, "chess"))
ASKED = [(7, 3), (9, 1)]


class EnricherContract:
    """Give it the fixture `enricher`."""

    def test_every_criteria_gets_its_score_in_order(self, enricher: Enricher) -> None:
        scores = enricher.enrich(ARTICLE, CRITERIA).scores

        assert [(one.briefing_id, one.version) for one in scores] == ASKED

    def test_so_it_does_where_only_scores_are_wanted(self, enricher: Enricher) -> None:
        scores = enricher.score(ARTICLE, CRITERIA)

        assert [(one.briefing_id, one.version) for one in scores] == ASKED

    def test_a_score_is_from_0_to_100_and_has_a_reason(self, enricher: Enricher) -> None:
        for score in (
            *enricher.enrich(ARTICLE, CRITERIA).scores,
            *enricher.score(ARTICLE, CRITERIA),
        ):
            assert 0 <= score.value <= 100
            assert score.reason

    def test_it_signs_what_it_does(self, enricher: Enricher) -> None:
        enrichment = enricher.enrich(ARTICLE, CRITERIA)

        assert enrichment.by == enricher.name
        assert {score.by for score in enrichment.scores} == {enricher.name}

    def test_without_criteria_there_are_no_scores(self, enricher: Enricher) -> None:
        assert enricher.enrich(ARTICLE, ()).scores == ()
        assert enricher.score(ARTICLE, ()) == ()

    @pytest.mark.parametrize("text", ["", "\U0001f389" * 500, "lone \ud83d half"])
    def test_any_article_gets_an_answer(self, enricher: Enricher, text: str) -> None:
        assert len(enricher.enrich(Article(text, text), CRITERIA).scores) == len(CRITERIA)
