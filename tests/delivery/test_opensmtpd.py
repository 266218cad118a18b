"""Mail through a real server, read back over IMAP as its reader gets it."""

from __future__ import annotations

import ssl
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from typing import Any

import pytest

from morningdeck.delivery.mail_server import Encryption, MailServer, PostOffice
from morningdeck.delivery.smtp import SmtpChannel
from morningdeck.delivery.smtp_line import ServerTroubleError
from morningdeck.errors import NotSentError
from morningdeck.model.asking import FailureKind
from morningdeck.sources.mailbox import Account, open_folder
from tests.conftest import NOW
from tests.contracts.channel import LETTER
from tests.delivery.conftest import SENDER, OpenBreaker, at_home
from tests.delivery.test_smtp import yes
from tests.servers.dovecot import (
    CERTIFICATE,
    PASSWORD,
    Dovecot,
    MailFolder,
    Submission,
    submission,
)
from tests.servers.opensmtpd import DOMAIN, OpenSmtpd, opensmtpd
from tests.waiting import until

LINES = b"Subject: dots\r\n\r\n.\r\n..\r\n%s\r\n.\xc3\xb6\r\n" % (b"a" * 990)


pytestmark = pytest.mark.xdist_group("opensmtpd")
"""There is one on a machine."""


@pytest.fixture(scope="module")
def smtp_server(imap_server: Dovecot) -> Iterator[OpenSmtpd]:
    with opensmtpd(imap_server) as server:
        yield server


@pytest.fixture
def inbox(imap_server: Dovecot) -> MailFolder:
    inbox = imap_server.mailbox()
    inbox.drop()
    return inbox


@pytest.fixture
def channel(smtp_server: OpenSmtpd) -> Iterator[SmtpChannel]:
    settings = MailServer("127.0.0.1", smtp_server.port, "none", SENDER)
    office = PostOffice(settings, OpenBreaker(), lambda: NOW, at_home)
    channel = SmtpChannel(office, tell=print)
    yield channel
    channel.close()


@pytest.fixture(scope="module")
def door(smtp_server: OpenSmtpd) -> Iterator[Submission]:
    with submission(smtp_server.port) as server:
        yield server


@pytest.fixture
def through(door: Submission) -> Iterator[Callable[..., SmtpChannel]]:
    """A channel that encrypts and logs in there."""
    opened: list[SmtpChannel] = []

    def make(security: Encryption, breaker: OpenBreaker, **changes: Any) -> SmtpChannel:
        port = door.tls_port if security == "tls" else door.port
        settings = MailServer("127.0.0.1", port, security, SENDER, "reader1", PASSWORD)
        authority = changes.pop("authority", str(CERTIFICATE))
        context = partial(ssl.create_default_context, cafile=authority)
        office = PostOffice(replace(settings, **changes), breaker, lambda: NOW, at_home, context)
        opened.append(SmtpChannel(office, tell=print))
        return opened[-1]

    yield make
    for channel in opened:
        channel.close()


def read(server: Dovecot, inbox: MailFolder) -> list[bytes]:
    account = Account("127.0.0.1", server.port, inbox.user, PASSWORD)
    with open_folder(account, "INBOX") as folder:
        return [message.content or b"" for message in folder.since(None)]


def test_a_letter_is_read_as_it_was_written(
    channel: SmtpChannel, imap_server: Dovecot, inbox: MailFolder
) -> None:
    letter = replace(LETTER, address=f"{inbox.user}@{DOMAIN}", content=LINES)

    receipt = channel.send(letter, final=yes)

    assert receipt.reply.startswith("250 2.0.0")
    until(lambda: read(imap_server, inbox))
    (mail,) = read(imap_server, inbox)
    assert mail.partition(b"\r\n\r\n")[2] == LINES.partition(b"\r\n\r\n")[2]


def test_one_of_three_is_refused_and_the_others_have_their_mail(
    channel: SmtpChannel, imap_server: Dovecot
) -> None:
    first, last = imap_server.mailbox(), imap_server.mailbox()
    for one in (first, last):
        one.drop()

    channel.send(replace(LETTER, address=f"{first.user}@{DOMAIN}"), final=yes)
    with pytest.raises(NotSentError) as caught:
        channel.send(replace(LETTER, address="ada@elsewhere.example"), final=yes)
    channel.send(replace(LETTER, address=f"{last.user}@{DOMAIN}"), final=yes)

    assert caught.value.permanent
    until(lambda: read(imap_server, first) and read(imap_server, last))


def test_a_hundred_letters_go_over_one_connection_and_arrive_once(
    channel: SmtpChannel, imap_server: Dovecot, inbox: MailFolder
) -> None:
    for _ in range(100):
        channel.send(replace(LETTER, address=f"{inbox.user}@{DOMAIN}"), final=yes)

    until(lambda: len(inbox.messages()) == 100)
    assert len(set(read(imap_server, inbox))) == 100


def test_what_is_forbidden_at_the_last_dot_is_not_there(
    channel: SmtpChannel, imap_server: Dovecot, inbox: MailFolder
) -> None:
    letter = replace(LETTER, address=f"{inbox.user}@{DOMAIN}")
    channel.send(letter, final=lambda: False)
    channel.send(letter, final=yes)

    until(lambda: read(imap_server, inbox))
    assert len(read(imap_server, inbox)) == 1


# ---- encrypted, with a login


@pytest.mark.parametrize("security", ["tls", "starttls"])
def test_a_letter_goes_encrypted_to_a_server_that_knows_its_users(
    through: Callable[..., SmtpChannel],
    imap_server: Dovecot,
    inbox: MailFolder,
    security: Encryption,
) -> None:
    channel = through(security, OpenBreaker())
    for _ in range(2):
        letter = replace(LETTER, address=f"{inbox.user}@{DOMAIN}", content=LINES)
        assert channel.send(letter, final=yes).reply.startswith("250 2.0.0")

    until(lambda: len(read(imap_server, inbox)) == 2)
    for mail in read(imap_server, inbox):
        assert mail.partition(b"\r\n\r\n")[2] == LINES.partition(b"\r\n\r\n")[2]


@pytest.mark.parametrize(
    ("changes", "kind", "told"),
    [
        ({"password": "wrong"}, FailureKind.DENIED, "535"),
        ({"authority": None}, FailureKind.DENIED, "certificate"),
    ],
)
def test_who_is_not_let_in_has_sent_nothing(
    through: Callable[..., SmtpChannel], changes: dict[str, Any], kind: FailureKind, told: str
) -> None:
    breaker = OpenBreaker()

    with pytest.raises(ServerTroubleError, match=told):
        through("starttls", breaker, **changes).send(LETTER, final=yes)

    assert [one for one, _ in breaker.failures] == [kind]


def test_an_address_that_the_server_behind_refuses_is_refused_alone(
    through: Callable[..., SmtpChannel], inbox: MailFolder
) -> None:
    channel = through("tls", OpenBreaker())

    with pytest.raises(NotSentError) as caught:
        channel.send(replace(LETTER, address="ada@elsewhere.example"), final=yes)
    channel.send(replace(LETTER, address=f"{inbox.user}@{DOMAIN}"), final=yes)

    assert caught.value.permanent
