"""The port `FullText`: the article behind a link, or an error that says why there is none."""

from __future__ import annotations

import pytest

from morningdeck.errors import PermanentError
from morningdeck.ports.verbs import FullText

WORDS = "The harbour opens to ferries on Monday, the port authority said in the evening."


class FullTextContract:
    """Give it the fixtures `pages`, `article_url` (its text is `WORDS`) and `missing_url`."""

    def test_a_page_is_read_for_its_article(self, pages: FullText, article_url: str) -> None:
        assert pages.read(article_url).text == WORDS

    def test_a_page_that_is_not_there_says_so(self, pages: FullText, missing_url: str) -> None:
        with pytest.raises(PermanentError) as caught:
            pages.read(missing_url)
        assert caught.value.status == 404

    def test_a_missing_page_keeps_nobody_from_another(
        self, pages: FullText, article_url: str, missing_url: str
    ) -> None:
        for _ in range(5):
            with pytest.raises(PermanentError):
                pages.read(missing_url)

        assert pages.read(article_url).text == WORDS
