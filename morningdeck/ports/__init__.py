"""The interfaces that adapters implement: what the verbs and the engine need of the outside.

Each port has one contract suite in the tests, which every implementation passes.
"""

from morningdeck.ports.asking import (
    AnswerCache,
    Breaker,
    Ledger,
    Model,
    Tallies,
)
from morningdeck.ports.engine import Clock, JobQueue, JobStore, LossRule, Runner, Signals, Verb
from morningdeck.ports.verbs import (
    NO_VALIDATORS,
    BriefingRows,
    Channel,
    Embedder,
    Enricher,
    FullText,
    Http,
    HttpWithForms,
    ItemRows,
    Pace,
    Parser,
    RawMail,
    SearchIndex,
    Similarity,
    SourceReader,
    SourceRows,
    StoryRows,
    StoryWindow,
)

__all__ = [
    "NO_VALIDATORS",
    "AnswerCache",
    "Breaker",
    "BriefingRows",
    "Channel",
    "Clock",
    "Embedder",
    "Enricher",
    "FullText",
    "Http",
    "HttpWithForms",
    "ItemRows",
    "JobQueue",
    "JobStore",
    "Ledger",
    "LossRule",
    "Model",
    "Pace",
    "Parser",
    "RawMail",
    "Runner",
    "SearchIndex",
    "Signals",
    "Similarity",
    "SourceReader",
    "SourceRows",
    "StoryRows",
    "StoryWindow",
    "Tallies",
    "Verb",
]
