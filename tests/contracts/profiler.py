"""The port `Profiler`: the same article has the same profile, and any article has one."""

from __future__ import annotations

import pytest

from morningdeck.model.making import Article
from morningdeck.ports.verbs import Profiler
from tests.contracts.enricher import ARTICLE


class ProfilerContract:
    """Give it the fixture `profiler`."""

    def test_an_article_has_the_same_profile_every_time(self, profiler: Profiler) -> None:
        assert profiler.profile(ARTICLE) == profiler.profile(ARTICLE)
        assert profiler.profile(ARTICLE) != profiler.profile(Article("Chess", "A game of chess."))

    def test_it_names_the_language(self, profiler: Profiler) -> None:
        assert profiler.profile(ARTICLE).language == "en"

    @pytest.mark.parametrize("text", ["", "\U0001f389" * 500, "lone \ud83d half", "港が開く"])
    def test_any_article_has_one(self, profiler: Profiler, text: str) -> None:
        assert profiler.profile(Article(text, text)) == profiler.profile(Article(text, text))
