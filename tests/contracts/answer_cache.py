"""The port `AnswerCache`: an answer is found by exactly what was asked."""

from __future__ import annotations

from morningdeck.model.asking import answer_key
from morningdeck.ports.asking import AnswerCache


class AnswerCacheContract:
    """Give it the fixture `answers`, which is empty."""

    def test_an_answer_is_found_by_its_key_alone(self, answers: AnswerCache) -> None:
        answers.keep(answer_key("small", "a text"), '{"summary": "kept"}')

        assert answers.find(answer_key("small", "a text")) == '{"summary": "kept"}'
        assert answers.find(answer_key("small", "a", " text")) is None
        assert answers.find(answer_key("large", "a text")) is None

    def test_the_first_answer_stays(self, answers: AnswerCache) -> None:
        answers.keep("key", "first")
        answers.keep("key", "second")

        assert answers.find("key") == "first"
