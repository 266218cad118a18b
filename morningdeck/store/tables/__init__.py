"""All tables. What a user sets and what the engine sets are different columns; where a
query must stay fast with a million rows, its partial index stands beside its table.
"""

from morningdeck.store.tables import briefs, news, people, running, searches
from morningdeck.store.tables.columns import metadata

__all__ = ["briefs", "metadata", "news", "people", "running", "searches"]
