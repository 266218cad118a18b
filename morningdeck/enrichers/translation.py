"""A report in one language: what its places say in another is translated by a model, once.

    places in another language --kept before?--> told, if faithful
               |                                    ^
               +--few questions, a deadline---------+

A translation has the numbers and the names of its original, and is in the language that was
asked for; else the place stays as it is. Addresses are never sent and never taken. Without a
model, without money or in time for nothing, a report is told in the languages that it has.
"""

from __future__ import annotations

import json
import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Any

from morningdeck.enrichers.faithful import Original
from morningdeck.enrichers.language import detect_language
from morningdeck.enrichers.openai import instead_of
from morningdeck.enrichers.orders import without_orders
from morningdeck.enrichers.overview import FALLBACK_LANGUAGE
from morningdeck.errors import BudgetSpentError, EndpointHeldError, UnusableAnswerError
from morningdeck.languages import primary_language
from morningdeck.model.asking import Purpose, Question, Tally, answer_key
from morningdeck.model.sending import Report, ReportItem
from morningdeck.plaintext import one_line
from morningdeck.ports.asking import AnswerCache, Model, Tallies
from morningdeck.prompts import PromptText

PARTS = {"title": 300, "summary": 1_500, "update": 1_500, "reason": 400}
"""What of a place is translated, and how many characters of it."""
LONGEST_QUESTION = 3_000
"""Characters of all its places: with the answer it fits into the smallest windows."""
LONGEST_ASKING = 20.0
"""No further question is asked after that."""

Told = dict[str, str]


class Translation:
    """Of whole reports; `model` is one that answers in time or not at all."""

    def __init__(
        self, model: Model, prompt: PromptText, tallies: Tallies, answers: AnswerCache
    ) -> None:
        self._model = model
        self._prompt = prompt
        self._tallies = tallies
        self._answers = answers

    def __call__(self, report: Report) -> Report:
        """The report with the places translated that can be."""
        target = primary_language(report.language or FALLBACK_LANGUAGE)
        foreign = {
            item.position: said for item in report.items if (said := _to_translate(item, target))
        }
        told = {position: self._kept(said, target) for position, said in foreign.items()}
        missing = [position for position, known in told.items() if known is None]
        until = time.monotonic() + LONGEST_ASKING
        for few in _few(missing, foreign):
            if time.monotonic() > until:
                break
            try:
                answers = self._asked(report, target, {one: foreign[one] for one in few})
            except (EndpointHeldError, BudgetSpentError, UnusableAnswerError) as error:
                self._tallies.add(instead_of(error))
                break
            told |= answers
        items = (self._taken(item, told.get(item.position), target) for item in report.items)
        return replace(report, items=tuple(items))

    def _kept(self, said: Told, target: str) -> Told | None:
        kept = self._answers.find(self._key(said, target))
        with suppress(ValueError):
            found = None if kept is None else json.loads(kept)
            if isinstance(found, dict) and all(isinstance(found.get(name), str) for name in said):
                return {name: found[name] for name in said}
        return None

    def _key(self, said: Told, target: str) -> str:
        asked = (self._prompt.instructions, self._prompt.material, self._model.name(), target)
        return answer_key("translation", *asked, *(said.get(name, "") for name in PARTS))

    def _asked(self, report: Report, target: str, few: dict[int, Told]) -> dict[int, Told]:
        instructions, around = self._prompt.around({"language": target}, "items")
        question = Question(
            purpose=Purpose.TRANSLATE,
            instructions=instructions,
            around=around,
            text="\n".join(_written(position, said) for position, said in few.items()),
            schema=_schema(few),
            tokens_out=100 + sum(map(_length, few.values())) // 2,
            briefing_id=report.briefing_id,
        )
        found: dict[int, Told] = {}
        for one in self._model.ask(question).value["items"]:
            position = int(one["item"])
            found[position] = {name: one_line(one[name]) for name in few[position]}
        for position, told in found.items():
            self._answers.keep(self._key(few[position], target), json.dumps(told))
        return found

    def _taken(self, item: ReportItem, told: Told | None, target: str) -> ReportItem:
        """All that the place says, or nothing: half of it in each language reads like a mistake."""
        if told is None or all(getattr(item, name) == told[name] for name in told):
            return item
        original = Original(
            [getattr(item, name) for name in PARTS], primary_language(item.language), target
        )
        if not all(original.is_told_by(told[name], getattr(item, name)) for name in told):
            self._tallies.add(Tally.UNSUPPORTED)
            return item
        shown: dict[str, Any] = {**told, "translated": True}
        return replace(item, **shown)


def _to_translate(item: ReportItem, target: str) -> Told:
    """What of it is in the article's language, where that is another; reasons mostly are not."""
    if item.language is None or primary_language(item.language) == target:
        return {}
    said = {}
    for name, longest in PARTS.items():
        text = without_orders(one_line(getattr(item, name)))
        language = detect_language(text)
        stays = language == target or (name == "reason" and language != item.language)
        if text and not stays and len(text) <= longest:
            said[name] = text
    return said if "title" in said or "summary" in said else {}


def _few(positions: Iterable[int], said: dict[int, Told]) -> Iterator[list[int]]:
    """As many at once as one question holds."""
    few: list[int] = []
    for position in positions:
        if few and sum(_length(said[one]) for one in (*few, position)) > LONGEST_QUESTION:
            yield few
            few = []
        few.append(position)
    if few:
        yield few


def _length(said: Told) -> int:
    return sum(map(len, said.values()))


def _written(position: int, said: Told) -> str:
    return "\n".join((f"[{position}]", *(f"{name}: {text}" for name, text in said.items()), ""))


def _schema(few: dict[int, Told]) -> dict[str, Any]:
    number = {"type": "string", "enum": [str(position) for position in few]}
    names: Sequence[str] = [name for name in PARTS if any(name in said for said in few.values())]
    texts = {name: {"type": "string", "maxLength": 4 * PARTS[name]} for name in names}
    place = {"type": "object", "properties": {"item": number, **texts}}
    items = {"type": "array", "items": place, "maxItems": len(few), "minItems": 1}
    return {"type": "object", "properties": {"items": items}}
