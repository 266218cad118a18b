"""The registry: a reader for every kind of source that is fetched."""

from __future__ import annotations

from morningdeck.model import SourceType
from morningdeck.net import PoliteClient
from morningdeck.parsing.pool import ParserPool
from morningdeck.sources import READERS, Means
from tests.conftest import NOW


class NoMail:
    """The port `RawMail` where no mail ever comes."""

    def keep(self, source_id: int, uid_key: str, content: bytes) -> None: ...

    def unprocessed(self, source_id: int) -> tuple[int, ...]:
        return ()

    def load(self, mail_id: int) -> bytes:
        return b""


def test_every_kind_of_source_has_its_reader_but_what_is_never_fetched(
    http: PoliteClient, parser: ParserPool
) -> None:
    means = Means(
        http=http,
        parser=parser,
        raw_mail=NoMail(),
        clock=lambda: NOW,
    )

    readers = {kind: make(means) for kind, make in READERS.items()}

    assert set(readers) == set(SourceType) - {SourceType.SAVED}
    assert len({type(reader) for reader in readers.values()}) == len(readers)
