"""How one model at one endpoint wants to be asked; learned from its refusals, never by probing."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import asdict, dataclass, replace
from enum import StrEnum
from typing import Any

from morningdeck.endpoint.reading import Schema, sent


class Manner(StrEnum):
    """How an answer's form is asked for, the strictest first."""

    SCHEMA = "json_schema"
    JSON = "json_object"
    WORDS = "words"

    @property
    def looser(self) -> Manner | None:
        manners = list(Manner)
        return next(iter(manners[manners.index(self) + 1 :]), None)

    def is_looser_than(self, other: Manner) -> bool:
        manners = list(Manner)
        return manners.index(self) > manners.index(other)


@dataclass(frozen=True, slots=True)
class Dialect:
    manner: Manner = Manner.SCHEMA
    limit_name: str = "max_tokens"
    temperature: bool = True
    num_ctx: bool = False
    """The window is to be named in every request, as Ollama has it."""

    def request(self, schema: Schema, tokens_out: int, window: int) -> dict[str, Any]:
        """What a request says beside its model and its messages."""
        said: dict[str, Any] = {self.limit_name: tokens_out}
        if self.temperature:
            said["temperature"] = 0
        if self.num_ctx:
            said["options"] = {"num_ctx": window}
        match self.manner:
            case Manner.SCHEMA:
                named = {"name": "answer", "strict": True, "schema": sent(schema)}
                said["response_format"] = {"type": "json_schema", "json_schema": named}
            case Manner.JSON:
                said["response_format"] = {"type": "json_object"}
        return said

    def after(self, refusal: str) -> Iterator[Dialect]:
        """What else may be understood, the likeliest first, where a request was refused so."""
        said = refusal.lower()
        if self.limit_name in said or "max_completion_tokens" in said:
            other = {"max_tokens": "max_completion_tokens"}.get(self.limit_name, "max_tokens")
            yield replace(self, limit_name=other)
        if self.temperature and "temperature" in said:
            yield replace(self, temperature=False)
        if self.num_ctx and ("options" in said or "num_ctx" in said):
            yield replace(self, num_ctx=False)
        if self.manner.looser is not None:
            yield replace(self, manner=self.manner.looser)

    def dumped(self) -> str:
        return json.dumps(asdict(self))

    @classmethod
    def loaded(cls, text: str) -> Dialect:
        """As it was dumped; of another version's, what this one knows."""
        said = json.loads(text)
        known = {name: said[name] for name in cls.__dataclass_fields__ if name in said}
        return cls(**{**known, "manner": Manner(known.get("manner", Manner.SCHEMA))})


def form_in_words(schema: Schema) -> str:
    """For those who cannot be held to a form."""
    return (
        "\n\nAnswer with one JSON object that fits this JSON Schema, and with nothing else:\n"
        + json.dumps(sent(schema), ensure_ascii=False)
    )
