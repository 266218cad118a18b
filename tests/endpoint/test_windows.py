"""Long texts before small windows."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import replace

import pytest

from morningdeck.endpoint.openai_model import Endpoint
from morningdeck.errors import UnusableAnswerError
from tests.asking import Models
from tests.contracts.model import QUESTION
from tests.endpoint.questions import LONG
from tests.servers import endpoint as play


def test_no_prompt_is_longer_than_the_window(models: Models) -> None:
    models.make(window=2000).ask(LONG)

    (asked,) = models.endpoint.asked
    assert play.counted(asked) + asked.body["max_tokens"] < 2000
    assert "[...]" in asked.text


def test_a_question_that_no_window_holds_is_not_asked(models: Models) -> None:
    wishes = replace(LONG, instructions="Ships and ports and harbours. " * 1000)
    with pytest.raises(UnusableAnswerError, match="window is too small"):
        models.make(window=2048).ask(wishes)

    assert models.endpoint.asked == []


def test_a_prompt_that_is_refused_as_too_long_is_shortened(models: Models) -> None:
    message = "This model's maximum context length is 2048 tokens"
    models.endpoint.will(play.refused(400, message), play.good)

    model = models.make()
    model.ask(LONG)
    model.ask(replace(LONG, text=f"And {LONG.text}"))

    first, second, third = (len(asked.material) for asked in models.endpoint.asked)
    assert second < first
    assert third < first
    assert [asked.manner for asked in models.endpoint.asked] == ["json_schema"] * 3


def test_a_window_that_cuts_without_a_word_is_found_by_its_count(models: Models) -> None:
    def in_2048(asked: play.Asked) -> Iterable[bytes]:
        tokens = min(play.counted(asked), 2048)
        yield play.completion(json.dumps(play.filled(asked)), tokens_in=tokens)

    models.endpoint.will(in_2048)
    model = models.make()
    model.ask(LONG)

    first, *others = models.endpoint.asked
    assert play.counted(first) > 2048
    assert play.counted(others[-1]) <= 2048


def test_ollama_is_told_its_window_and_not_trusted_with_more_than_it_has() -> None:
    ollama = Endpoint("http://localhost:11434/v1", None, "llama", "llama")

    said = ollama.likely_dialect.request(QUESTION.schema, 200, ollama.likely_window)
    assert said["options"] == {"num_ctx": 4096}
    assert replace(ollama, window=8192).likely_window == 8192
