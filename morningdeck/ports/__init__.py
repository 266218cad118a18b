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
from morningdeck.ports.enriching import Embedder, Enricher, Similarity, StoryWindow
from morningdeck.ports.finding import SearchIndex
from morningdeck.ports.reading import (
    NO_VALIDATORS,
    FullText,
    Http,
    HttpWithForms,
    Pace,
    Parser,
    RawMail,
    SourceReader,
)
from morningdeck.ports.rows import BriefingRows, ItemRows, SourceRows, StoryRows
from morningdeck.ports.sending import Channel

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
