"""Newsletters: kept before they are read, news once, and lost by no accident."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace

import pytest
from sqlalchemy import func, select

from morningdeck.errors import PermanentError, TransientError
from morningdeck.model.kinds import SourceType
from morningdeck.model.reading import Fetched, Reading, Source
from morningdeck.parsing.pool import ParserPool
from morningdeck.sources.mailbox import Account
from morningdeck.sources.newsletters import MailReader
from morningdeck.store.database.connect import Database, open_database
from morningdeck.store.rows.sources import RawMails
from morningdeck.store.tables.news import raw_emails
from tests.conftest import ManualClock
from tests.contracts.source_reader import SourceReaderContract
from tests.factories import make_source
from tests.letters import STORIES, letter, newsletter
from tests.servers.dovecot import PASSWORD, Dovecot, MailFolder
from tests.store.making import items_of, keep_fetched

KILLED_WHILE_PARSING = """
import os, signal, sys
from tests.sources.test_newsletters import Post
url, host, port, user, password, source_id = sys.argv[1:]

class Deadly:
    def mail(self, body):
        os.kill(os.getpid(), signal.SIGKILL)

Post.of(url, host, int(port), user, password, int(source_id), Deadly()).read()
"""


class Post:
    """A mailbox that is read into a database, as fetch after fetch does it."""

    def __init__(self, database: Database, reader: MailReader, source: Source) -> None:
        self.database = database
        self.reader = reader
        self.source = source

    @classmethod
    def of(
        cls,
        database_url: str,
        host: str,
        port: int,
        user: str,
        password: str,
        source_id: int,
        parser: object,
    ) -> Post:
        database = open_database(database_url)
        account = Account(host, port, user, password)
        clock = ManualClock()
        reader = MailReader(account, parser, RawMails(database), clock)  # type: ignore[arg-type]
        url = f"imap://{user}@{host}:{port}/INBOX"
        return cls(database, reader, Source(source_id, SourceType.EMAIL, url))

    def read(self) -> Reading:
        return self.reader.read(self.source)

    def fetch(self) -> Reading:
        """Read, store, and go on from there the next time."""
        reading = self.read()
        keep_fetched(self.database, self.source.id, Fetched(reading))
        self.source = replace(self.source, etag=reading.validators.etag)
        return reading

    def titles(self) -> list[str]:
        return [row.title for row in items_of(self.database, self.source.id)]

    def kept(self) -> int:
        with self.database.read() as connection:
            return int(connection.scalar(select(func.count()).select_from(raw_emails)) or 0)


@pytest.fixture(scope="module")
def parser() -> Iterator[ParserPool]:
    pool = ParserPool(workers=1)
    yield pool
    pool.close()


@pytest.fixture
def inbox(imap_server: Dovecot) -> MailFolder:
    return imap_server.mailbox()


@pytest.fixture
def post(
    database: Database,
    database_url: str,
    imap_server: Dovecot,
    inbox: MailFolder,
    parser: ParserPool,
) -> Iterator[Post]:
    source_id = make_source(database, type="EMAIL")
    login = ("127.0.0.1", imap_server.port, inbox.user, PASSWORD)
    post = Post.of(database_url, *login, source_id, parser)
    yield post
    post.database.close()


class TestMailReader(SourceReaderContract):
    @pytest.fixture
    def reader(self, post: Post) -> MailReader:
        return post.reader

    @pytest.fixture
    def source(self, post: Post, inbox: MailFolder) -> Source:
        inbox.drop(letter(html=newsletter()))
        return post.source

    @pytest.fixture
    def absent(self, source: Source) -> Source:
        return replace(source, url=f"{source.url}/Nowhere")


def test_a_newsletter_becomes_items_and_its_message_is_forgotten(
    post: Post, inbox: MailFolder
) -> None:
    inbox.drop(letter(html=newsletter()), letter(text="Hello.", message_id="<2@x>", subject="Two"))

    reading = post.fetch()

    assert post.titles() == [*STORIES, "Two"]
    assert reading.title == f"INBOX of {inbox.user}"
    assert post.kept() == 0
    assert post.fetch().unchanged


def test_a_folder_that_was_made_anew_brings_nothing_twice(post: Post, inbox: MailFolder) -> None:
    inbox.drop(letter(html=newsletter()))
    post.fetch()

    inbox.recreate()
    inbox.drop(letter(text="Hello.", message_id="<2@x>", subject="Two"))
    again = post.fetch()

    assert len(again.entries) == len(STORIES) + 1
    assert post.titles() == [*STORIES, "Two"]


def test_a_death_between_keeping_and_parsing_loses_nothing(
    post: Post, inbox: MailFolder, imap_server: Dovecot, database_url: str
) -> None:
    inbox.drop(letter(html=newsletter()))
    login = ("127.0.0.1", str(imap_server.port), inbox.user, PASSWORD, str(post.source.id))

    dead = subprocess.run(
        [sys.executable, "-c", KILLED_WHILE_PARSING, database_url, *login], check=False
    )
    for message in inbox.messages():
        message.unlink()

    assert dead.returncode == -9
    assert (post.kept(), post.titles()) == (1, [])
    post.fetch()
    assert (post.kept(), post.titles()) == (0, list(STORIES))


def test_a_reading_whose_items_were_not_stored_is_done_again(post: Post, inbox: MailFolder) -> None:
    inbox.drop(letter(html=newsletter()))

    assert post.read().entries == post.read().entries
    assert post.kept() == 1


def test_a_server_that_is_away_is_trouble_for_later(database: Database, parser: ParserPool) -> None:
    account = Account("127.0.0.1", 1, "ada", PASSWORD)
    reader = MailReader(account, parser, RawMails(database), ManualClock())

    with pytest.raises(TransientError):
        reader.read(Source(1, SourceType.EMAIL, "imap://ada@127.0.0.1:1/"))


def test_only_listed_senders_bring_news(post: Post, inbox: MailFolder) -> None:
    for number, sender in enumerate(("a@one.example", "b@two.example", "b@not-two.example")):
        inbox.drop(letter(text=f"No {number}", sender=sender, message_id=f"<{number}@x>"))
    url = f"{post.source.url}?from=A@one.example,*@two.example"
    post.source = replace(post.source, url=url)

    assert [entry.author for entry in post.fetch().entries] == ["a@one.example", "b@two.example"]
    assert post.kept() == 0


def test_a_source_of_one_sender_has_his_name(post: Post, inbox: MailFolder) -> None:
    inbox.drop(letter(text="Hello."))
    post.source = replace(post.source, url=f"{post.source.url}?from=news@grid.example")

    assert post.fetch().title == "The Daily Grid"


def test_a_question_to_confirm_is_shown_for_some_days(post: Post, inbox: MailFolder) -> None:
    html = '<a href="https://grid.example/confirm">Confirm my subscription</a>'
    inbox.drop(letter(html=html, subject="Confirm your subscription"))
    first = post.fetch()
    inbox.drop(letter(text="Hello.", message_id="<2@x>", subject="Two"))
    second = post.fetch()
    post.reader._clock.pass_(days=4)  # type: ignore[attr-defined]
    post.fetch()

    asked = ("The Daily Grid asks to confirm: https://grid.example/confirm",)
    assert (first.warnings, second.warnings) == (asked, asked)
    assert post.titles() == ["Two"]
    assert post.fetch().unchanged


def test_a_message_that_cannot_be_read_costs_no_other(post: Post, inbox: MailFolder) -> None:
    nested = b"".join(
        b"Content-Type: multipart/mixed; boundary=b%d\r\n\r\n--b%d\r\n" % (n, n)
        for n in range(3000)
    )
    inbox.drop(nested, letter(text="Hello.", message_id="<2@x>", subject="Two"))

    reading = post.fetch()

    assert [entry.title for entry in reading.entries] == ["Two"]
    assert "a message could not be read" in reading.warnings[0]
    assert post.kept() == 0


def test_somebody_who_only_looks_keeps_nothing(post: Post, inbox: MailFolder) -> None:
    inbox.drop(letter(html=newsletter()))

    reading = post.reader.read(replace(post.source, id=0))

    assert len(reading.entries) == len(STORIES)
    assert post.kept() == 0


@pytest.mark.parametrize(
    ("url", "said"),
    [
        ("imap://ada@evil.example/INBOX", "only the mailbox of the settings"),
        ("imap://bob@127.0.0.1:1/", "only the mailbox of the settings"),
        ("imap://ada@127.0.0.1:2/", "only the mailbox of the settings"),
        ("imap://127.0.0.1/?from=example.org", "is no sender"),
        ("imap://127.0.0.1/?from=a%22@b", "is no sender"),
        ("imap://127.0.0.1/?from=ä@b", "is no sender"),
    ],
)
def test_the_password_goes_nowhere_else(
    database: Database, parser: ParserPool, url: str, said: str
) -> None:
    account = Account("127.0.0.1", 1, "ada", PASSWORD)
    reader = MailReader(account, parser, RawMails(database), ManualClock())

    with pytest.raises(PermanentError, match=said):
        reader.read(Source(1, SourceType.EMAIL, url))


def test_without_a_mailbox_in_the_settings_there_is_nothing_to_read(
    database: Database, parser: ParserPool
) -> None:
    reader = MailReader(None, parser, RawMails(database), ManualClock())

    with pytest.raises(PermanentError, match=r"imap\.host"):
        reader.read(Source(1, SourceType.EMAIL, "imap://ada@mail.example/"))
