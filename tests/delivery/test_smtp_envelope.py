"""Mail by SMTP: what MAIL and RCPT say, by what the server offers."""

from __future__ import annotations

from dataclasses import replace

import pytest

from morningdeck.delivery.smtp import SmtpChannel
from morningdeck.errors import NotSentError
from tests.contracts.channel import LETTER
from tests.delivery.conftest import OpenBreaker, OpenChannel
from tests.delivery.test_smtp import yes
from tests.servers.mail import ScriptedMailServer


def test_a_name_of_a_domain_in_any_script_goes_out_in_ascii(
    channel: SmtpChannel, mail_server: ScriptedMailServer
) -> None:
    channel.send(replace(LETTER, address="jane@straße.example"), final=yes)

    (mail,) = mail_server.mails
    assert mail.recipient == "TO:<jane@xn--strae-oqa.example>"
    assert "SMTPUTF8" not in mail.sender


@pytest.mark.parametrize(
    "letter",
    [
        replace(LETTER, address="jürgen@example.org"),
        replace(LETTER, content="To: jürgen@example.org\r\n\r\n".encode()),
    ],
)
def test_where_an_address_or_a_header_needs_it_the_server_is_asked_for_utf8(
    open_channel: OpenChannel,
    mail_server: ScriptedMailServer,
    letter: object,
) -> None:
    channel = open_channel(mail_server)

    channel.send(letter, final=yes)  # type: ignore[arg-type]

    (mail,) = mail_server.mails
    assert mail.sender.endswith(" SMTPUTF8")


def test_one_address_that_a_server_cannot_read_is_no_refused_sender(
    channel: SmtpChannel, mail_server: ScriptedMailServer, breaker: OpenBreaker
) -> None:
    mail_server.says("MAIL", b"550 5.6.7 not in UTF-8")

    with pytest.raises(NotSentError) as caught:
        channel.send(replace(LETTER, address="jürgen@example.org"), final=yes)

    assert (caught.value.permanent, breaker.failures) == (True, [])


def test_a_server_without_utf8_gets_no_such_address(
    channel: SmtpChannel, mail_server: ScriptedMailServer
) -> None:
    mail_server.extensions.remove("SMTPUTF8")

    with pytest.raises(NotSentError, match="only addresses and headers in ASCII") as caught:
        channel.send(replace(LETTER, address="jürgen@example.org"), final=yes)

    assert caught.value.permanent


def test_bytes_beyond_ascii_are_announced(
    channel: SmtpChannel, mail_server: ScriptedMailServer
) -> None:
    channel.send(replace(LETTER, content="Subject: a\r\n\r\nGröße".encode()), final=yes)

    (mail,) = mail_server.mails
    assert "BODY=8BITMIME" in mail.sender
    assert "SMTPUTF8" not in mail.sender


def test_a_letter_that_is_too_large_for_the_server_is_not_begun(
    channel: SmtpChannel, mail_server: ScriptedMailServer
) -> None:
    mail_server.extensions = ["SIZE 20"]

    with pytest.raises(NotSentError, match="takes mails up to 20 bytes") as caught:
        channel.send(LETTER, final=yes)

    assert (caught.value.permanent, mail_server.came("MAIL")) == (True, 0)


def test_a_server_that_knows_no_ehlo_is_greeted_as_it_was_done_once(
    channel: SmtpChannel, mail_server: ScriptedMailServer
) -> None:
    mail_server.says("EHLO", b"502 what?")

    channel.send(LETTER, final=yes)

    (mail,) = mail_server.mails
    assert mail_server.came("HELO") == 1
    assert mail.sender == "FROM:<deck@example.org>"


@pytest.mark.parametrize(("offered", "name"), [(["DSN"], "report-7.ab@deck.example"), ([], "")])
def test_where_a_server_sends_back_by_name_it_is_told_the_name_of_the_mail(
    channel: SmtpChannel, mail_server: ScriptedMailServer, offered: list[str], name: str
) -> None:
    mail_server.extensions += offered

    channel.send(replace(LETTER, message_id="<report-7.ab@deck.example>"), final=yes)

    (mail,) = mail_server.mails
    assert mail.sender.partition(" ENVID=")[2] == name
    assert ("RET=HDRS" in mail.sender) == bool(offered)


@pytest.mark.parametrize("name", ["<a b@x>", "<a+b@x>", "<a=b@x>", "<ä@x>", f"<{'x' * 101}>", ""])
def test_a_name_that_would_need_another_spelling_is_not_told(
    channel: SmtpChannel, mail_server: ScriptedMailServer, name: str
) -> None:
    mail_server.extensions.append("DSN")

    channel.send(replace(LETTER, message_id=name), final=yes)

    assert "ENVID" not in mail_server.mails[0].sender
