"""The port `NoteTaker`: what is asked for, and the same of the same text."""

from __future__ import annotations

import pytest

from morningdeck.model.making import Article
from morningdeck.ports.verbs import NoteTaker
from tests.contracts.enricher import ARTICLE

ADDRESS = "https://news.example/1"


class NoteTakerContract:
    """Give it the fixture `note_taker`."""

    def test_an_article_has_the_same_notes_every_time(self, note_taker: NoteTaker) -> None:
        once, again = (note_taker.take(ARTICLE, ADDRESS, place=True, tell=True) for _ in range(2))

        assert once == again
        assert once.likeness is not None
        assert (once.likeness.title, once.likeness.canonical_url) == (ARTICLE.title, ADDRESS)
        assert once.summary
        assert once.vector
        assert once.read_as == "en"

    def test_what_nobody_asks_for_is_left_out(self, note_taker: NoteTaker) -> None:
        notes = note_taker.take(ARTICLE, ADDRESS, place=False, tell=False)

        assert (notes.likeness, notes.summary, notes.told) == (None, "", None)
        assert notes.profile == note_taker.take(ARTICLE, ADDRESS, place=True, tell=True).profile

    @pytest.mark.parametrize("text", ["", "\U0001f389" * 500, "lone \ud83d half", "word " * 50_000])
    def test_any_article_has_some(self, note_taker: NoteTaker, text: str) -> None:
        notes = note_taker.take(Article(text[:300], text), None, place=True, tell=True)

        assert notes.likeness is not None
