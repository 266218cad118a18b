"""The languages that a briefing is written in: a file of phrases each, English for all others.

A new language is one more file in `phrases/`, whose placeholders are filled by `wording` and
`render`, and one in `enrichers/reason_phrases/`. Numbers, dates and plural forms are Babel's; it
costs 9 MB and 45 ms, so nobody imports it before the first report.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from functools import cache
from pathlib import Path

_FOLDER = Path(__file__).with_name("phrases")
LANGUAGES = tuple(sorted(file.stem for file in _FOLDER.glob("*.toml")))

Forms = Mapping[str, str]
"""A phrase with a number in it, by plural form: `one`, `other`."""


@dataclass(frozen=True, slots=True)
class Phrases:
    """All that a briefing says of itself in one language; `locale` is the name that Babel knows."""

    locale: str
    day: str
    full_day: str
    quoted: str
    titled: str
    the_week: str
    stories: Forms
    papers: Forms
    minutes: Forms
    stories_from: str
    reading_time: str
    also_in: str
    others: Forms
    at_a_glance: str
    also: str
    also_today: str
    also_this_week: str
    since: str
    since_yesterday: str
    moved: str
    week_before: str
    new_this_week: str
    shown_by_dailies: str
    missed: str
    undelivered: str
    quiet_day: str
    quiet_week: str
    quiet_note: str
    no_summary: str
    translated: str
    picture: str
    end_of_day: str
    end_of_week: str
    chosen_from: Forms
    off_subject: str
    told_twice: Forms
    told_already: Forms
    without_place: str
    broken: str
    shortened: str
    cut_off: Forms
    receipt: str
    search_receipt: str
    welcome: str
    notice: str
    next_edition: str
    see_left_out: str
    browser: str
    settings: str
    unsubscribe: str
    more_like_this: str
    less_like_this: str
    save: str
    test: str
    test_note: str

    def number(self, number: int) -> str:
        from babel.numbers import format_decimal

        return format_decimal(number, locale=self.locale)

    def counted(self, forms: Forms, number: int) -> str:
        """`1 story`, `8 stories`."""
        from babel import Locale

        form = Locale.parse(self.locale).plural_form(number)
        return forms.get(form, forms["other"]).format(self.number(number))

    def named(self, language: str) -> str:
        """What the language is called in this one."""
        from babel import Locale

        return str(Locale.parse(self.locale).languages.get(primary_language(language), language))

    def dated(self, day: date, pattern: str) -> str:
        """The day by a pattern of letters that Babel knows, as `day` or `full_day`."""
        from babel.dates import format_date

        return format_date(day, pattern, locale=self.locale)

    def spanned(self, first: date, last: date) -> str:
        """`12–18 November`."""
        from babel.dates import format_interval

        return format_interval(first, last, skeleton="MMMMd", locale=self.locale)


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
