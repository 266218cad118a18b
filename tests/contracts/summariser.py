"""The port `Summariser`: what an article says, in its own words."""

from __future__ import annotations

from morningdeck.model.making import Article
from morningdeck.ports.verbs import Summariser
from tests.contracts.enricher import ARTICLE


class SummariserContract:
    """Give it the fixture `summariser`."""

    def test_the_same_article_has_the_same_summary(self, summariser: Summariser) -> None:
        assert summariser.in_short(ARTICLE)
        assert summariser.in_short(ARTICLE) == summariser.in_short(ARTICLE)

    def test_it_knows_the_language(self, summariser: Summariser) -> None:
        assert summariser.read_as(ARTICLE) == "en"

    def test_any_article_gets_an_answer(self, summariser: Summariser) -> None:
        for text in ("", "lone \ud83d half"):
            assert isinstance(summariser.in_short(Article(text, text)), str)
            assert isinstance(summariser.read_as(Article(text, text)), str)
