"""The ways to summarise, tag and score articles: one file each, one line each in `ENRICHERS`.

A file has a function `open_enricher` that makes its enricher of `EnricherMeans`. It is imported
when that is asked for, as word lists and vectors take time and memory.
"""

from __future__ import annotations

from dataclasses import dataclass
from importlib import import_module

from morningdeck.ports import Embedder, Enricher


@dataclass(frozen=True, slots=True)
class EnricherMeans:
    """What enrichers are made of; each takes what it needs."""

    embedder: Embedder


ENRICHERS = {
    "offline": "morningdeck.enrichers.offline",
}
STAND_IN = "offline"
"""For `auto`, and for what this version does not have yet."""


def open_enricher(name: str, means: EnricherMeans) -> Enricher:
    """As `enricher.kind` in the settings names it."""
    module = import_module(ENRICHERS.get(name, ENRICHERS[STAND_IN]))
    enricher: Enricher = module.open_enricher(means)
    return enricher
