"""The head of a briefing as a model tells it: a sentence for each story, held to its item.

What it cannot tell, or must not, is told by the words there are without a model. A briefing waits
for nobody: an endpoint that is held is not waited for.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from morningdeck.enrichers.grounding import Evidence, is_harmful
from morningdeck.enrichers.language import detect_language
from morningdeck.enrichers.openai import instead_of
from morningdeck.enrichers.orders import without_orders
from morningdeck.enrichers.words import words_of
from morningdeck.errors import BudgetSpentError, EndpointHeldError, UnusableAnswerError
from morningdeck.model.asking import Purpose, Question
from morningdeck.model.sending import Report, ReportItem
from morningdeck.plaintext import one_line, shorten
from morningdeck.ports.asking import Model, Tallies
from morningdeck.prompts import PromptText
from morningdeck.wording import LONGEST_SUBJECT, long_date, subject

MOST_SENTENCES, LONGEST_SENTENCE = 4, 300
SAME_BEGINNING, FEWEST_NEW = 4, 2
"""Letters of a word, and words that a sentence has beside those of its headline."""
TOKENS_OUT = 600
FALLBACK_LANGUAGE = "en"
"""In which a briefing without a language is told."""

_CITED = re.compile(r"\s*[\[(]\s*\d+(?:\s*[,;]\s*\d+)*\s*[\])]")
_END = re.compile(r"[.!?…。]+$")


class ModelOverview:
    def __init__(
        self,
        model: Model,
        prompts: Mapping[str, PromptText],
        tallies: Tallies,
        plain: Callable[[Report], Report],
    ) -> None:
        self._model = model
        self._prompts = prompts
        self._tallies = tallies
        self._plain = plain

    def __call__(self, report: Report) -> Report:
        """The report with its subject and its overview."""
        plain = self._plain(report)
        if not report.items:
            return plain
        try:
            said = self._model.ask(self._question(report)).value
        except (EndpointHeldError, BudgetSpentError, UnusableAnswerError) as error:
            self._tallies.add(instead_of(error))
            return plain
        told = _overview(report, said["sentences"])
        headline = _headline(report, said["subject"])
        return replace(
            plain,
            overview=told or plain.overview,
            subject=subject(report, headline) if headline else plain.subject,
        )

    def _question(self, report: Report) -> Question:
        said = {
            "language": report.language or FALLBACK_LANGUAGE,
            "title": shorten(report.briefing_title, 100),
            "day": long_date(report),
        }
        instructions, around = self._prompts["overview"].around(said, "items")
        return Question(
            purpose=Purpose.OVERVIEW,
            instructions=instructions,
            around=around,
            text="\n".join(map(_written, report.items)),
            schema=_schema(len(report.items)),
            tokens_out=TOKENS_OUT,
            heavy=True,
            briefing_id=report.briefing_id,
        )


def _schema(items: int) -> dict[str, Any]:
    number = {"type": "string", "enum": [str(n) for n in range(1, items + 1)]}
    sentence = {
        "type": "object",
        "properties": {
            "text": {"type": "string", "maxLength": 2 * LONGEST_SENTENCE},
            "items": {"type": "array", "items": number, "maxItems": 1, "minItems": 1},
        },
    }
    sentences = {"type": "array", "items": sentence, "maxItems": MOST_SENTENCES}
    properties = {"subject": {"type": "string", "maxLength": 200}, "sentences": sentences}
    return {"type": "object", "properties": properties}


def _written(item: ReportItem) -> str:
    told = f"[{item.position}] {shorten(item.title, 200)} ({shorten(item.source_title, 60)})"
    return without_orders(f"{told}\n{one_line(item.summary)}\n")


def _overview(report: Report, said: list[dict[str, Any]]) -> str:
    """A line for each story: a sentence that its item supports and its headline has not said."""
    items = {str(item.position): item for item in report.items}
    told: dict[str, str] = {}
    for one in said:
        cited = next((number for number in one["items"] if number in items), None)
        if cited is None or cited in told:
            continue
        text = _CITED.sub("", one_line(one["text"])).strip()
        supported = _supports([items[cited]], text, report.language)
        if supported and _is_new(text, items[cited].title) and len(text) <= LONGEST_SENTENCE:
            end = _END.search(text)
            told[cited] = f"{_END.sub('', text)} [{cited}]{end[0] if end else '.'}"
    return "\n".join(told.values())


def _is_new(text: str, title: str) -> bool:
    """Words are known by how they begin: `ships` tells no more than `ship`."""
    said, known = ({word[:SAME_BEGINNING] for word in words_of(one)} for one in (text, title))
    return len({word for word in said - known if len(word) == SAME_BEGINNING}) >= FEWEST_NEW


def _headline(report: Report, said: str) -> str:
    text = shorten(said, LONGEST_SUBJECT)
    return text if _supports(report.items, text, report.language) else ""


def _supports(
    items: list[ReportItem] | tuple[ReportItem, ...], text: str, told_in: str | None
) -> bool:
    """What is told in another language than the items can only be held to their numbers."""
    if not text or is_harmful(text):
        return False
    texts = [part for item in items for part in (item.title, item.summary)]
    language = detect_language(" ".join(texts))
    evidence = Evidence(texts, language)
    wanted = told_in or FALLBACK_LANGUAGE
    if (detect_language(text) or wanted) != wanted:
        return False
    if language in (wanted, None):
        return evidence.supports(text)
    return evidence.has_numbers(text)
