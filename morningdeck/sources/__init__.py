"""The types of sources: one file each, one line each in `SOURCE_TYPES`.

A file has a function `open_reader` that makes its reader of `ReaderMeans`. It is imported when
that is asked for: the command line needs only the names, and what addresses begin with.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from morningdeck.ports.asking import Model
    from morningdeck.ports.engine import Clock
    from morningdeck.ports.verbs import HttpWithForms, Parser, RawMail, SourceReader
    from morningdeck.prompts import PromptText
    from morningdeck.sources.mailbox import Account


@dataclass(frozen=True, slots=True)
class ReaderMeans:
    """What readers are made of; each takes what it needs."""

    http: HttpWithForms
    parser: Parser
    raw_mail: RawMail
    clock: Clock
    reddit_keys: tuple[str, str] | None = None
    mailbox: Account | None = None
    model: Model | None = None
    hasty_model: Model | None = None
    """The same for questions whose answer must come soon."""
    prompts: Mapping[str, PromptText] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class SourceKind:
    """An address whose scheme several types have is of the first of them, unless it is named."""

    module: str
    schemes: tuple[str, ...] = ("http", "https")


SOURCE_TYPES = {
    "RSS": SourceKind("morningdeck.sources.rss"),
    "WEB": SourceKind("morningdeck.sources.web"),
    "REDDIT": SourceKind("morningdeck.sources.reddit", ("reddit",)),
    "EMAIL": SourceKind("morningdeck.sources.newsletters", ("imap", "imaps")),
}


def open_reader(source_type: str, means: ReaderMeans) -> SourceReader:
    reader: SourceReader = import_module(SOURCE_TYPES[source_type].module).open_reader(means)
    return reader
