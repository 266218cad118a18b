"""Received messages: kept once, given back as they came, gone with the items they became."""

from __future__ import annotations

import pytest

from morningdeck.errors import ConflictError
from morningdeck.model.kinds import SourceType
from morningdeck.model.reading import Fetched, Reading
from morningdeck.model.wanting import NewSource
from morningdeck.store.database.connect import Database
from morningdeck.store.rows.sources import RawMails
from morningdeck.store.views.subscriptions import Subscriptions
from tests.conftest import NOW
from tests.contracts.raw_mail import RawMailContract
from tests.factories import make_source
from tests.store.making import an_entry, items_of, keep_fetched

MAILBOX = NewSource("imap://ada@mail.example/INBOX", SourceType.EMAIL)


@pytest.fixture
def raw_mail(database: Database) -> RawMails:
    return RawMails(database)


class TestRawMails(RawMailContract):
    @pytest.fixture
    def mailboxes(self, database: Database) -> tuple[int, int]:
        return make_source(database), make_source(database)


def test_a_message_goes_when_its_items_are_stored(
    raw_mail: RawMails, database: Database, source: int
) -> None:
    raw_mail.keep(source, "imap:1:1", b"read")
    raw_mail.keep(source, "imap:1:2", b"not yet")
    read, waiting = raw_mail.unprocessed(source)

    keep_fetched(database, source, Fetched(Reading((an_entry(1),), raw_mails=(read,))))

    assert raw_mail.unprocessed(source) == (waiting,)
    assert len(items_of(database, source)) == 1


def test_a_mailbox_stays_with_whoever_added_it(database: Database, ada: int, bob: int) -> None:
    subscriptions = Subscriptions(database)
    view = subscriptions.subscribe(ada, MAILBOX, now=NOW)
    subscriptions.remove(ada, view.id)

    with pytest.raises(ConflictError, match="somebody else"):
        subscriptions.subscribe(bob, MAILBOX, now=NOW)
    assert subscriptions.subscribe(ada, MAILBOX, now=NOW).id == view.id
