"""The port `SourceReader`: what a source has to say, and what to bring along the next time."""

from __future__ import annotations

from dataclasses import replace

import pytest

from morningdeck.errors import MorningDeckError, PermanentError, TransientError
from morningdeck.model.reading import Source
from morningdeck.ports.verbs import SourceReader


class SourceReaderContract:
    """Give it the fixtures `reader`, `source` (it has news) and `absent` (nobody has it)."""

    def test_news_comes_with_a_name_of_its_own_each(
        self, reader: SourceReader, source: Source
    ) -> None:
        reading = reader.read(source)

        guids = [entry.guid for entry in reading.entries]
        assert guids
        assert all(guids)
        assert len(set(guids)) == len(guids)
        assert not reading.unchanged

    def test_what_is_read_again_is_the_same_or_known_to_be(
        self, reader: SourceReader, source: Source
    ) -> None:
        first = reader.read(source)
        known = replace(
            source, etag=first.validators.etag, last_modified=first.validators.last_modified
        )

        again = reader.read(known)

        assert again.unchanged == (not again.entries)
        assert {one.guid for one in again.entries} <= {one.guid for one in first.entries}

    def test_what_nobody_has_is_an_error_of_ours(
        self, reader: SourceReader, absent: Source
    ) -> None:
        with pytest.raises(MorningDeckError) as caught:
            reader.read(absent)
        assert isinstance(caught.value, PermanentError | TransientError)
