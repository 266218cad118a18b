"""Words that say nothing, or not enough, about a text's subject; lower case."""

from __future__ import annotations

from morningdeck.enrichers.word_list import word_lists

CALENDAR = word_lists("calendar")
"""Months and weekdays, by language."""
FUNCTION_WORDS = word_lists("stopwords")
"""By language; what remains when a text's subject is taken out of it."""
STOP_WORDS = {
    language: words | CALENDAR.get(language, frozenset())
    for language, words in FUNCTION_WORDS.items()
}
TOO_GENERAL = word_lists("general")["all"]
"""Words that mean something, but name no subject on their own."""
