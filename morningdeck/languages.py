"""The phrases a briefing is written with: a file for each language, English for all others.

A new language is one more file in `phrases/`; placeholders are filled by `wording` and `render`.
Weekdays, months and dates are ours too: Babel's say the same in these six languages, but it has no
pattern for a full date without its year, and costs 34 MB on disk, 12 MB in memory and 80 ms.
"""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass
from functools import cache
from pathlib import Path

_FOLDER = Path(__file__).with_name("phrases")
LANGUAGES = tuple(sorted(file.stem for file in _FOLDER.glob("*.toml")))


@dataclass(frozen=True, slots=True)
class Phrases:
    """All that a briefing says of itself in one language."""

    weekdays: str
    months: str
    day: str
    full_day: str
    quoted: str
    both: str
    daily: str
    weekly: str
    week: str
    lead_of_day: str
    lead_of_week: str
    runners_up: str
    themes: str
    quiet_day: str
    quiet_week: str
    quiet_note: str
    relevance: str
    why: str
    also_in: str
    no_summary: str
    receipt: str
    weighed: str
    broken: str
    browser: str
    unsubscribe: str


def primary_language(language: str | None) -> str:
    """`de` for `de-AT`; English when none is known."""
    primary = re.split(r"[-_]", language or "")[0].lower()
    return primary if re.fullmatch(r"[a-z]{2,3}", primary) else "en"


def phrases(language: str | None) -> Phrases:
    primary = primary_language(language)
    return _read(primary if primary in LANGUAGES else "en")


@cache
def _read(language: str) -> Phrases:
    return Phrases(**tomllib.loads((_FOLDER / f"{language}.toml").read_text(encoding="utf-8")))
