"""The ways to summarise, tag and score articles: one file each, one line each in `ENRICHERS`.

A file has a function `open_enricher` that makes its enricher of `EnricherMeans`. It is imported
when that is asked for, as word lists and vectors take time and memory.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from morningdeck.ports.asking import Model, Tallies
    from morningdeck.ports.verbs import Embedder, Enricher
    from morningdeck.prompts import PromptText

if TYPE_CHECKING:
    from morningdeck.enrichers.relevance import Relevance


# The workers are threads enough: NumPy's own, of which it has one for each core, mostly wait for
# each other. It asks when it is imported, which is after this.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")


@dataclass(frozen=True, slots=True)
class EnricherMeans:
    """What enrichers are made of; each takes what it needs."""

    embedder: Embedder
    model: Model | None = None
    prompts: Mapping[str, PromptText] = field(default_factory=dict)
    tallies: Tallies | None = None
    prefilter: int = 0
    relevance: Relevance | None = None
    """What makes scores without a model, shared by all that do."""


ENRICHERS = {
    "offline": "morningdeck.enrichers.offline",
    "openai": "morningdeck.enrichers.openai",
}


def open_enricher(name: str, means: EnricherMeans) -> Enricher:
    """As `enricher.kind` in the settings names it; `auto` asks a model where there is one."""
    if name == "auto":
        name = "offline" if means.model is None else "openai"
    module = import_module(ENRICHERS[name])
    enricher: Enricher = module.open_enricher(means)
    return enricher
