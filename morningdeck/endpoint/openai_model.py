"""The port `Model` for endpoints that speak like OpenAI's.

    cache --> excerpt --> reserve --> admit --> request --> settle --> read
                 ^                                 |                     |
                 +--- too long, cut, or in another dialect: once more ---+

An answer that is of no use is asked for once more, in a looser manner; then whoever asks has to
do without. Trouble of the endpoint holds it for everybody, and is nobody's fault.
"""

from __future__ import annotations

import json
from contextlib import suppress
from dataclasses import dataclass, field
from threading import Lock
from typing import Any

from morningdeck.endpoint.acquaintance import WORDY, Acquaintance
from morningdeck.endpoint.chat import Chat, ChatAnswer, RequestRefusedError, host_and_path
from morningdeck.endpoint.dialect import Dialect, Manner
from morningdeck.endpoint.paying import PayingClient
from morningdeck.endpoint.prompt import Prompt, prompt
from morningdeck.endpoint.reading import read_answer
from morningdeck.errors import UnusableAnswerError
from morningdeck.logs import log
from morningdeck.model.asking import ModelAnswer, ModelCall, Question, answer_key
from morningdeck.ports.asking import AnswerCache, Breaker, Ledger
from morningdeck.ports.engine import Clock

MOST_DIALECTS = 5
MOST_SHORTENINGS = 3
OPENAI_HOST = "api.openai.com"
OLLAMA_PORT = ":11434"
USUAL_WINDOW, OLLAMA_WINDOW = 16_000, 4_096
"""Tokens of prompt and answer together. Ollama cuts at so many unless its own settings say more."""


@dataclass(frozen=True, slots=True)
class Endpoint:
    """As the settings have it."""

    base_url: str
    api_key: str | None = field(repr=False)
    model: str
    heavy_model: str
    timeout_seconds: float = 60
    max_concurrency: int = 4
    window: int | None = None

    @property
    def name(self) -> str:
        return host_and_path(self.base_url)

    @property
    def is_ollama(self) -> bool:
        return OLLAMA_PORT in self.name or "ollama" in self.name

    @property
    def likely_dialect(self) -> Dialect:
        limit = "max_completion_tokens" if OPENAI_HOST in self.name else "max_tokens"
        return Dialect(limit_name=limit, num_ctx=self.is_ollama)

    def client(self) -> Chat:
        from morningdeck.endpoint.client import Client  # 40 MB, and half a second

        return Client(self.base_url, self.api_key, self.timeout_seconds)

    @property
    def likely_window(self) -> int:
        return self.window or (OLLAMA_WINDOW if self.is_ollama else USUAL_WINDOW)


class OpenAIModel:
    """Safe to be asked by many threads at once."""

    def __init__(
        self,
        endpoint: Endpoint,
        *,
        ledger: Ledger,
        breaker: Breaker,
        answers: AnswerCache,
        clock: Clock,
    ) -> None:
        self._endpoint = endpoint
        self._answers = answers
        self._client = PayingClient(
            endpoint.client,
            ledger=ledger,
            breaker=breaker,
            clock=clock,
            most_at_once=endpoint.max_concurrency,
            patience_seconds=endpoint.timeout_seconds,
        )
        self._known: dict[str, Acquaintance] = {}
        self._meeting = Lock()

    def name(self, *, heavy: bool = False) -> str:
        return self._endpoint.heavy_model if heavy else self._endpoint.model

    def ask(self, question: Question) -> ModelAnswer:
        model = self.name(heavy=question.heavy)
        key = self._key(model, question)
        if (kept := self._answers.find(key)) is not None:
            with suppress(ValueError):
                return ModelAnswer(read_answer(kept, question.schema), model)
        known = self._acquaintance(model)
        answer, manner = self._answer(question, known, known.dialect.manner)
        value = _read(answer, question)
        if value is None and not answer.refused:
            more, looser = answer.cut, manner.looser or manner
            answer, manner = self._answer(question, known, looser, again=True, more=more)
            value = _read(answer, question)
            if value is not None and more:
                known.wordiness = WORDY
        if value is not None:
            known.fitted(manner)
            self._answers.keep(key, json.dumps(value))
            return ModelAnswer(value, model)
        raise UnusableAnswerError(f"{self._endpoint.name}: {model} gave no answer of use")

    def close(self) -> None:
        self._client.close()

    def _acquaintance(self, model: str) -> Acquaintance:
        with self._meeting:
            if model not in self._known:
                self._known[model] = self._meet(model)
            return self._known[model]

    def _key(self, model: str, question: Question) -> str:
        asked = (question.instructions, *question.around, question.text, question.focus)
        return answer_key(self._endpoint.name, model, *asked, json.dumps(question.schema))

    def _meet(self, model: str) -> Acquaintance:
        """Whoever spoke one dialect to it may have learned another, and then yet another."""
        dialect = self._endpoint.likely_dialect
        met: set[Dialect] = set()
        while dialect not in met:
            met.add(dialect)
            kept = self._answers.find(self._learned_after(model, dialect))
            if kept is not None:
                with suppress(ValueError, TypeError):
                    dialect = Dialect.loaded(kept)

        def learn(before: Dialect, learned: Dialect) -> None:
            log.info("model_dialect_learned", model=model, manner=learned.manner.value)
            self._answers.keep(self._learned_after(model, before), learned.dumped())

        return Acquaintance(model, dialect, self._endpoint.likely_window, learn)

    def _learned_after(self, model: str, dialect: Dialect) -> str:
        return answer_key("dialect", self._endpoint.name, model, dialect.dumped())

    # ---- one answer, whatever the endpoint wants to be asked like

    def _answer(
        self,
        question: Question,
        known: Acquaintance,
        manner: Manner,
        *,
        again: bool = False,
        more: bool = False,
    ) -> tuple[ChatAnswer, Manner]:
        """With the manner in which it was asked for in the end."""
        tried = [known.in_manner(manner)]
        for _ in range(MOST_DIALECTS + MOST_SHORTENINGS):
            asked = prompt(question, tried[-1], known, again=again, more=more)
            try:
                answer = self._call(question, asked, known, tried[-1])
            except RequestRefusedError as refusal:
                if refusal.too_long:
                    known.overflowed(asked.estimated)
                    continue
                tried.append(self._other(refusal, tried))
                continue
            if len(tried) > 1 and not again:
                known.speaks(tried[-1])
            if answer.tokens_in is None or known.counted(asked.estimated, answer.tokens_in):
                return answer, tried[-1].manner
            log.warning("model_read_a_part_only", model=known.model, tokens=answer.tokens_in)
        raise UnusableAnswerError(f"{self._endpoint.name}: {known.model} takes it in no form")

    def _other(self, refusal: RequestRefusedError, tried: list[Dialect]) -> Dialect:
        others = (one for one in tried[-1].after(refusal.said) if one not in tried)
        other = None if refusal.forbidden else next(others, None)
        if other is None:
            raise UnusableAnswerError(f"{self._endpoint.name}: {refusal}") from None
        return other

    def _call(
        self, question: Question, asked: Prompt, known: Acquaintance, dialect: Dialect
    ) -> ChatAnswer:
        call = ModelCall(
            self._endpoint.name,
            known.model,
            question.purpose,
            asked.tokens_in,
            asked.tokens_out,
            question.user_id,
            question.briefing_id,
            question.item_id,
        )
        said = dialect.request(question.schema, asked.tokens_out, known.window)
        return self._client.chat(call, asked.messages, said)


def _read(answer: ChatAnswer, question: Question) -> Any:
    """None where it is of no use; no schema has that for a value."""
    try:
        return None if answer.refused else read_answer(answer.text, question.schema)
    except ValueError:
        return None
