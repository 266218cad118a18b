"""Words that say nothing, or not enough, about a text's subject; lower case."""

from __future__ import annotations

from morningdeck.enrichers.word_list import word_lists

STOP_WORDS = word_lists("stopwords")
"""By language."""
TOO_GENERAL = word_lists("general")["all"]
"""Words that mean something, but name no subject on their own."""
