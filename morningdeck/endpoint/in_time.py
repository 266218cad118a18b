"""A model for those who cannot wait: after so many seconds they do without its answer.

The question goes on being asked. Its answer is kept, so that whoever asks again has it for
nothing; what it costs was set aside before.
"""

from __future__ import annotations

from concurrent.futures import Future, wait
from datetime import timedelta
from threading import Thread

from morningdeck.errors import EndpointHeldError
from morningdeck.model.asking import ModelAnswer, Question
from morningdeck.ports.asking import Model
from morningdeck.ports.engine import Clock


class ModelInTime:
    """The port `Model` over another."""

    def __init__(self, model: Model, clock: Clock, *, seconds: float) -> None:
        self._model = model
        self._clock = clock
        self._seconds = seconds

    def name(self, *, heavy: bool = False) -> str:
        return self._model.name(heavy=heavy)

    def ask(self, question: Question) -> ModelAnswer:
        """EndpointHeldError also where the answer has not come in time."""
        answer: Future[ModelAnswer] = Future()

        def asks() -> None:
            try:
                answer.set_result(self._model.ask(question))
            except BaseException as error:  # whoever still waits hears of it
                answer.set_exception(error)

        Thread(target=asks, name="model-in-time", daemon=True).start()
        if not wait((answer,), self._seconds).done:
            until = self._clock() + timedelta(seconds=self._seconds)
            raise EndpointHeldError(self.name(heavy=question.heavy), until)
        return answer.result()
