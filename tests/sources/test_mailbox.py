"""A mailbox on a real IMAP server: what is new is read once, and nothing there is changed."""

from __future__ import annotations

import socket
import ssl

import pytest

from morningdeck.errors import PermanentError, TransientError
from morningdeck.sources import mailbox
from morningdeck.sources.mailbox import Account, Cursor, Message, Security, open_folder, security
from tests.letters import letter
from tests.servers.dovecot import CERTIFICATE, PASSWORD, Dovecot, MailFolder


@pytest.fixture
def inbox(imap_server: Dovecot) -> MailFolder:
    return imap_server.mailbox()


def account(
    server: Dovecot, inbox: MailFolder, *, port: int = 0, password: str = PASSWORD
) -> Account:
    return Account("127.0.0.1", port or server.port, inbox.user, password)


def read(
    server: Dovecot,
    inbox: MailFolder,
    cursor: Cursor | None = None,
    senders: tuple[str, ...] = (),
    folder: str = "INBOX",
) -> list[Message]:
    with open_folder(account(server, inbox), folder) as opened:
        return list(opened.since(cursor, senders))


def test_new_messages_are_read_byte_for_byte_and_left_as_they_are(
    imap_server: Dovecot, inbox: MailFolder
) -> None:
    inbox.drop(b"Subject: 1\r\n\r\n\xff\xfe\r\n", letter(text="2"))
    before = inbox.messages()

    first, second = read(imap_server, inbox)

    assert first.content == b"Subject: 1\r\n\r\n\xff\xfe\r\n"
    assert (first.cursor.uid, second.cursor.uid) == (1, 2)
    assert {path.name for path in inbox.messages()} == {path.name for path in before}
    assert not [path for path in inbox.messages() if path.name.endswith("S")]


def test_only_what_came_later_is_read_the_next_time(
    imap_server: Dovecot, inbox: MailFolder
) -> None:
    inbox.drop(letter(text="1"))
    (first,) = read(imap_server, inbox)
    assert read(imap_server, inbox, first.cursor) == []

    inbox.drop(letter(text="2"))
    (second,) = read(imap_server, inbox, Cursor.parse(str(first.cursor)))

    assert b"2" in (second.content or b"")


def test_an_empty_folder_has_nothing(imap_server: Dovecot, inbox: MailFolder) -> None:
    assert read(imap_server, inbox) == []
    assert read(imap_server, inbox, Cursor(1, 7), ("a@b.example",)) == []


def test_a_folder_that_was_made_anew_is_read_from_its_start(
    imap_server: Dovecot, inbox: MailFolder
) -> None:
    inbox.drop(letter(text="1"), letter(text="2"))
    *_, last = read(imap_server, inbox)

    inbox.recreate()
    again = read(imap_server, inbox, last.cursor)

    assert [message.cursor.uid for message in again] == [1, 2]
    assert again[0].cursor.validity != last.cursor.validity


def test_only_mail_of_these_senders_is_fetched(imap_server: Dovecot, inbox: MailFolder) -> None:
    for sender in ("a@one.example", "b@two.example", "c@three.example", "d@four.example"):
        inbox.drop(letter(text="x", sender=f"Somebody <{sender}>"))

    found = read(imap_server, inbox, senders=("A@one.example", "@three.example", "nobody@"))

    assert [message.cursor.uid for message in found] == [1, 3]


def test_of_many_the_newest_are_read_first_time_and_the_oldest_later(
    imap_server: Dovecot, inbox: MailFolder, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(mailbox, "MOST_MESSAGES", 2)
    inbox.drop(*(letter(text=str(number)) for number in range(3)))
    first = read(imap_server, inbox)
    inbox.drop(*(letter(text=str(number)) for number in range(3)))

    later = read(imap_server, inbox, first[-1].cursor)

    assert [message.cursor.uid for message in first] == [2, 3]
    assert [message.cursor.uid for message in later] == [4, 5]


def test_a_message_that_is_too_large_is_told_and_not_read(
    imap_server: Dovecot, inbox: MailFolder, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(mailbox, "MAX_MESSAGE_BYTES", 1000)
    inbox.drop(letter(text="x" * 1000), letter(text="y"))

    large, small = read(imap_server, inbox)

    assert large.content is None
    assert small.content is not None


@pytest.mark.parametrize("name", ["Newsletter", 'Über "uns" & mehr', "日本語/x"])
def test_folders_are_found_by_any_name(imap_server: Dovecot, inbox: MailFolder, name: str) -> None:
    on_disk = {
        "Newsletter": "Newsletter",
        'Über "uns" & mehr': '&ANw-ber "uns" &- mehr',
        "日本語/x": "&ZeVnLIqe-",
    }
    inbox.drop()
    inbox.sub(on_disk[name]).drop(letter(text="in here"))

    assert len(read(imap_server, inbox, folder=name.removesuffix("/x"))) == 1


def test_a_missing_folder_is_named(imap_server: Dovecot, inbox: MailFolder) -> None:
    with pytest.raises(PermanentError, match="there is no folder 'Nowhere'"):
        read(imap_server, inbox, folder="Nowhere")


def test_a_refused_login_says_what_to_check(imap_server: Dovecot, inbox: MailFolder) -> None:
    wrong = account(imap_server, inbox, password="wrong")

    with pytest.raises(PermanentError, match=r"check imap\.username"), open_folder(wrong, "INBOX"):
        pytest.fail("it was let in")


def test_a_server_that_is_away_is_asked_again_later(
    imap_server: Dovecot, inbox: MailFolder
) -> None:
    nobody = account(imap_server, inbox, port=1)

    with pytest.raises(TransientError, match=r"127\.0\.0\.1:1"), open_folder(nobody, "INBOX"):
        pytest.fail("nobody is there")


@pytest.mark.parametrize("secured", ["tls", "starttls"])
def test_the_way_is_encrypted(imap_server: Dovecot, inbox: MailFolder, secured: Security) -> None:
    inbox.drop(letter(text="secret"))
    port = imap_server.tls_port if secured == "tls" else imap_server.port
    trusting = ssl.create_default_context(cafile=str(CERTIFICATE))
    login = account(imap_server, inbox, port=port)

    with open_folder(login, "INBOX", secured=secured, context=trusting) as folder:
        assert len(list(folder.since(None))) == 1


@pytest.mark.parametrize("secured", ["tls", "starttls"])
def test_a_certificate_that_nobody_signed_is_refused(
    imap_server: Dovecot, inbox: MailFolder, secured: Security
) -> None:
    port = imap_server.tls_port if secured == "tls" else imap_server.port
    login = account(imap_server, inbox, port=port)

    with pytest.raises(PermanentError, match="not to be trusted"):  # noqa: SIM117
        with open_folder(login, "INBOX", secured=secured):
            pytest.fail("it was trusted")


@pytest.mark.parametrize(
    ("host", "port", "secured"),
    [
        ("imap.example.org", 993, "tls"),
        ("imap.example.org", 143, "starttls"),
        ("imap.example.org", 1143, "tls"),
        ("127.0.0.1", 1143, "plain"),
        ("localhost", 143, "plain"),
        ("localhost", 993, "tls"),
    ],
)
def test_only_inside_this_machine_nothing_is_encrypted(
    host: str, port: int, secured: Security
) -> None:
    assert security(host, port) == secured


def test_a_server_that_says_nothing_is_left(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(mailbox, "STEP_SECONDS", 0.2)
    with socket.create_server(("127.0.0.1", 0)) as server:
        login = Account("127.0.0.1", server.getsockname()[1], "ada", PASSWORD)

        with pytest.raises(TransientError, match="timed out"), open_folder(login, "INBOX"):
            pytest.fail("it has not said a word")
