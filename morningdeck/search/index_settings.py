"""How the index is set up. A live index with other settings is built anew."""

from __future__ import annotations

from typing import Any

KEY = "id"
FORMS = "forms"
"""Words that the server would cut or compare in its own way, each as one plain word."""
TITLE_STEMS, STEMS = f"{FORMS}.title_stems", f"{FORMS}.stems"
SEARCHED_IN = (
    *("title", f"{FORMS}.title", TITLE_STEMS, "summary", "topics", "people", "companies"),
    *("technologies", "author", "content", f"{FORMS}.rest", STEMS),
)
"""A match in the first counts most."""
AS_WRITTEN = tuple(name for name in SEARCHED_IN if name not in (TITLE_STEMS, STEMS))
"""For words in quotation marks: the server cannot tell a stem from a word."""
FACETS = ("topics", "people", "companies", "technologies")
COUNTED_BY_SERVER = ("source_id", *FACETS, "category", "sentiment", "language")
FILTERED = (
    *FACETS,
    *(KEY, "source_id", "read", "saved", "scores", "best", "sentiment", "category", "language"),
    *("published_at", "created_at", "date", "topic_forms", "author_forms"),
)
SORTED = (KEY, "date", "published_at", "best", "scores")
MOST_HITS = 1_000_000
FACET_VALUES = 10
"""Values of a facet: those that most documents have."""
SETTINGS: dict[str, Any] = {
    "searchableAttributes": list(SEARCHED_IN),
    "filterableAttributes": sorted(FILTERED),
    "sortableAttributes": sorted(SORTED),
    # an order that somebody asks for comes before how well it matches
    "rankingRules": [
        *("sort", "words", "typo", "proximity", "attribute", "exactness"),
        "date:desc",
    ],
    "typoTolerance": {
        "enabled": True,
        "minWordSizeForTypos": {"oneTypo": 5, "twoTypos": 9},
        "disableOnAttributes": [f"{FORMS}.rest", f"{FORMS}.title", STEMS, TITLE_STEMS],
        "disableOnNumbers": True,
    },
    "faceting": {"maxValuesPerFacet": FACET_VALUES, "sortFacetValuesBy": {"*": "count"}},
    "pagination": {"maxTotalHits": MOST_HITS},
    "facetSearch": False,
}
