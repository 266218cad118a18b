"""The registry: a reader for every type of source, one file and one line each."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from morningdeck import sources
from morningdeck.addresses import source_type, source_url
from morningdeck.model import Entry, Reading, Source
from morningdeck.net import PoliteClient
from morningdeck.parsing.pool import ParserPool
from morningdeck.sources import SOURCE_TYPES, ReaderMeans, SourceKind
from tests.conftest import NOW
from tests.fakes import MailInMemory


class NotesReader:
    """Of a type of source that nobody has yet."""

    def read(self, source: Source) -> Reading:
        return Reading((Entry("1", None, f"a note of {source.url}"),))


def open_reader(means: ReaderMeans) -> NotesReader:
    return NotesReader()


@pytest.fixture
def means(http: PoliteClient, parser: ParserPool) -> ReaderMeans:
    return ReaderMeans(http=http, parser=parser, raw_mail=MailInMemory(), clock=lambda: NOW)


def test_every_type_of_source_has_a_reader_of_its_own(means: ReaderMeans) -> None:
    readers = [sources.open_reader(name, means) for name in SOURCE_TYPES]

    assert len({type(reader) for reader in readers}) == len(readers)


@pytest.fixture
def _with_notes() -> Iterator[None]:
    SOURCE_TYPES["NOTES"] = SourceKind(__name__, ("notes",))
    yield
    del SOURCE_TYPES["NOTES"]


@pytest.mark.usefixtures("_with_notes")
def test_a_new_type_of_source_is_one_file_and_one_line(means: ReaderMeans) -> None:
    named = source_type("notes://ada", None)

    reading = sources.open_reader(named, means).read(
        Source(1, named, source_url("notes://Ada", named))
    )

    assert reading.entries[0].title == "a note of notes://ada"
