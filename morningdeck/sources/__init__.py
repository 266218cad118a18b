"""One reader per kind of source; a new kind is a new file and a line here."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from morningdeck.model import SourceType
from morningdeck.ports import Http, Parser, SourceReader
from morningdeck.sources.rss import RssReader

READERS: Mapping[SourceType, Callable[[Http, Parser], SourceReader]] = {
    SourceType.RSS: RssReader,
}
