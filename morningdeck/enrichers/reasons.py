"""Why a score is what it is, in its briefing's language: a file for each, English for others."""

from __future__ import annotations

import tomllib
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from morningdeck.languages import LANGUAGES, primary_language

LONGEST_QUOTE = 60


@dataclass(frozen=True, slots=True)
class Reasons:
    """The sentences of one language; `{}` stands for the quoted words."""

    quoted: str
    both: str
    either: str
    in_title: str
    in_lead: str
    in_text: str
    meaning: str
    like_the_best: str
    liked: str
    disliked: str
    touches: str
    resembles: str
    off: str
    spared: str
    no_subject: str
    nothing_spared: str
    model_on: str
    model_off: str
    """Where a model gives a score that nothing else explains."""

    def quote(self, words: Sequence[str], joined: str | None = None) -> str:
        """One or two of them, in quotation marks."""
        shown = [self.quoted.format(_shortened(word)) for word in words[:2]]
        return (joined or self.both).format(*shown) if len(shown) > 1 else "".join(shown)


def reasons(language: str | None) -> Reasons:
    primary = primary_language(language)
    return _read(primary if primary in LANGUAGES else "en")


@cache
def _read(language: str) -> Reasons:
    file = files("morningdeck.enrichers").joinpath("reason_phrases", f"{language}.toml")
    return Reasons(**tomllib.loads(file.read_text("utf-8")))


def _shortened(words: str) -> str:
    words = words.strip(" .,;:")
    if len(words) <= LONGEST_QUOTE:
        return words
    return f"{words[: LONGEST_QUOTE - 1].rpartition(' ')[0]}…"
