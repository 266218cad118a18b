"""A model for those who cannot wait."""

from __future__ import annotations

import time

import pytest

from morningdeck.endpoint.in_time import ModelInTime
from morningdeck.endpoint.openai_model import OpenAIModel
from morningdeck.errors import BudgetSpentError, EndpointHeldError, EndpointTroubleError
from tests.asking import Models
from tests.conftest import NOW, ManualClock
from tests.contracts.model import QUESTION, ModelContract
from tests.servers import endpoint as play
from tests.servers.endpoint import ModelServer
from tests.waiting import until


class TestModelInTime(ModelContract):
    @pytest.fixture
    def model(self, model: OpenAIModel, clock: ManualClock) -> ModelInTime:
        return ModelInTime(model, clock, seconds=30)


def test_who_cannot_wait_does_without_and_has_the_answer_the_next_time(
    model: OpenAIModel, endpoint: ModelServer, clock: ManualClock
) -> None:
    endpoint.will(play.slow(1.5))
    hasty = ModelInTime(model, clock, seconds=0.2)
    began = time.monotonic()

    with pytest.raises(EndpointHeldError) as caught:
        hasty.ask(QUESTION)

    assert time.monotonic() - began < 1.4
    assert caught.value.until > NOW
    until(lambda: model._answers.find(model._key("small", QUESTION)) is not None)
    assert hasty.ask(QUESTION).value["scores"]
    assert len(endpoint.asked) == 1


def test_what_the_model_raises_is_raised(models: Models, clock: ManualClock) -> None:
    models.endpoint.will(play.refused(429, retry_after="60"))

    with pytest.raises(EndpointTroubleError):
        ModelInTime(models.make(), clock, seconds=30).ask(QUESTION)
    with pytest.raises(BudgetSpentError):
        ModelInTime(models.make(budget=0), clock, seconds=30).ask(QUESTION)  # type: ignore[arg-type]
