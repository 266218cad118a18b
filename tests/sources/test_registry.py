"""The registry: a reader for every type of source."""

from __future__ import annotations

import pytest

from morningdeck import sources
from morningdeck.net import PoliteClient
from morningdeck.parsing.pool import ParserPool
from morningdeck.sources import SOURCE_TYPES, ReaderMeans
from tests.conftest import NOW
from tests.fakes import MailInMemory


@pytest.fixture
def means(http: PoliteClient, parser: ParserPool) -> ReaderMeans:
    return ReaderMeans(http=http, parser=parser, raw_mail=MailInMemory(), clock=lambda: NOW)


def test_every_type_of_source_has_a_reader_of_its_own(means: ReaderMeans) -> None:
    readers = [sources.open_reader(name, means) for name in SOURCE_TYPES]

    assert len({type(reader) for reader in readers}) == len(readers)
