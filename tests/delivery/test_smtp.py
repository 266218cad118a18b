"""Mail by SMTP: what arrives, what a reply means, and what is certain after each phase."""

from __future__ import annotations

from dataclasses import replace

import pytest

from morningdeck.delivery.smtp import SmtpChannel
from morningdeck.delivery.smtp_line import ServerTroubleError
from morningdeck.delivery.smtp_session import stuffed
from morningdeck.errors import NotSentError, PermanentError
from morningdeck.model.asking import FailureKind
from morningdeck.model.sending import Step
from tests.contracts.channel import LETTER, Arrived, ChannelContract
from tests.delivery.conftest import OpenBreaker, OpenChannel
from tests.servers.mail import ScriptedMailServer

BEFORE_THE_DOT = ("MAIL", "RCPT", "DATA")


class TestSmtpChannel(ChannelContract):
    @pytest.fixture
    def arrived(self, mail_server: ScriptedMailServer) -> Arrived:
        return lambda: len(mail_server.mails)


def yes() -> bool:
    return True


# ---- what arrives


def test_a_letter_arrives_as_it_was_written(
    channel: SmtpChannel, mail_server: ScriptedMailServer
) -> None:
    receipt = channel.send(LETTER, final=yes)

    (mail,) = mail_server.mails
    assert mail.content == LETTER.content + b"\r\n"
    assert mail.sender.startswith("FROM:<deck@example.org> SIZE=")
    assert mail.recipient == "TO:<jane@example.org>"
    assert receipt.reply == "250 2.0.0 kept as 4711"


@pytest.mark.parametrize(
    "body",
    [
        b".",
        b".\r\n",
        b"..\r\n.\r\n",
        b"a\n.\nb",
        b"a\r.\rb",
        b"a\r\n.\r\nMAIL FROM:<evil@example.org>\r\n",
        b"a\n.\r\nMAIL FROM:<evil@example.org>\n",
        b"",
    ],
)
def test_no_line_of_a_letter_ends_it_or_begins_another(
    channel: SmtpChannel, mail_server: ScriptedMailServer, body: bytes
) -> None:
    channel.send(replace(LETTER, content=b"Subject: dots\r\n\r\n" + body), final=yes)

    (mail,) = mail_server.mails
    lines = b"Subject: dots\n\n" + body.replace(b"\r\n", b"\n").replace(b"\r", b"\n")
    assert mail.content.replace(b"\r\n", b"\n").rstrip(b"\n") == lines.rstrip(b"\n")
    assert mail_server.came("MAIL") == 1


def test_every_line_that_goes_out_ends_the_same_way() -> None:
    assert stuffed(b"a\nb\rc\r\nd") == b"a\r\nb\r\nc\r\nd\r\n"


@pytest.mark.parametrize(
    "address",
    [
        "ada@example.org>\r\nRCPT TO:<bob@example.org",
        "ada@example.org> NOTIFY=NEVER",
        "ada",
        "ada@",
        "ada@example.org,bob@example.org",
        "",
    ],
)
def test_an_address_that_is_more_than_one_is_none(
    channel: SmtpChannel, mail_server: ScriptedMailServer, address: str
) -> None:
    with pytest.raises(PermanentError, match="none that mail can be sent to"):
        channel.send(replace(LETTER, address=address), final=yes)

    assert mail_server.heard == []


def test_each_step_can_be_heard(
    open_channel: OpenChannel, mail_server: ScriptedMailServer, steps: list[Step]
) -> None:
    open_channel(mail_server, tell=steps.append).send(LETTER, final=yes)

    assert [step.said.split()[0] for step in steps] == [
        *("(connected)", "EHLO", "MAIL", "RCPT", "DATA", "(the"),
    ]
    assert steps[3] == Step("RCPT TO:<jane@example.org>", "250 2.1.5 ok")


# ---- what a reply means


@pytest.mark.parametrize("point", [*BEFORE_THE_DOT, "dot"])
@pytest.mark.parametrize("code", [421, 450, 451, 452])
def test_not_now_is_tried_again_whenever_it_is_said(
    channel: SmtpChannel, mail_server: ScriptedMailServer, point: str, code: int
) -> None:
    mail_server.says(point, b"%d 4.2.0 later" % code)

    with pytest.raises(NotSentError, match=f"{code} 4.2.0 later") as caught:
        channel.send(LETTER, final=yes)
    channel.send(LETTER, final=yes)

    assert not caught.value.permanent
    assert len(mail_server.mails) == 1
    assert mail_server.connections == (2 if code == 421 else 1)


@pytest.mark.parametrize("point", ["RCPT", "DATA", "dot"])
@pytest.mark.parametrize("code", [550, 552, 554])
def test_no_is_the_end_for_that_address_alone(
    channel: SmtpChannel,
    mail_server: ScriptedMailServer,
    breaker: OpenBreaker,
    point: str,
    code: int,
) -> None:
    mail_server.says(point, b"%d 5.1.1 no" % code)

    with pytest.raises(NotSentError, match=f"{code} 5.1.1 no") as caught:
        channel.send(LETTER, final=yes)
    channel.send(replace(LETTER, address="bob@example.org"), final=yes)

    assert caught.value.permanent
    assert [mail.recipient for mail in mail_server.mails] == ["TO:<bob@example.org>"]
    assert (breaker.failures, mail_server.connections) == ([], 1)


def test_one_of_three_who_is_refused_keeps_nobody_else_from_their_mail(
    channel: SmtpChannel, mail_server: ScriptedMailServer
) -> None:
    mail_server.says("RCPT", b"250 ok", b"550 5.1.1 <b@example.org> unknown", b"250 ok")
    outcomes = []
    for name in "abc":
        try:
            outcomes.append(
                channel.send(replace(LETTER, address=f"{name}@example.org"), final=yes).reply[:3]
            )
        except NotSentError as error:
            outcomes.append(str(error))

    assert [one for one in outcomes if one == "250"] == ["250", "250"]
    assert outcomes[1].endswith("answers RCPT with 550 5.1.1 <...> unknown")


@pytest.mark.parametrize("code", [421, 450, 451, 452, 550, 552, 554])
def test_a_server_that_wants_nobody_is_no_reason_to_refuse_an_address(
    channel: SmtpChannel, mail_server: ScriptedMailServer, breaker: OpenBreaker, code: int
) -> None:
    mail_server.says("connect", b"%d no service" % code)

    with pytest.raises(ServerTroubleError, match=f"{code} no service"):
        channel.send(LETTER, final=yes)
    channel.send(LETTER, final=yes)

    assert [kind for kind, _ in breaker.failures] == [FailureKind.SERVER]
    assert len(mail_server.mails) == 1


@pytest.mark.parametrize("point", ["MAIL", "dot"])
def test_a_mail_that_is_too_large_is_no_refused_sender(
    channel: SmtpChannel, mail_server: ScriptedMailServer, breaker: OpenBreaker, point: str
) -> None:
    mail_server.says(point, b"552 5.3.4 too big")

    with pytest.raises(NotSentError) as caught:
        channel.send(LETTER, final=yes)

    assert (caught.value.permanent, breaker.failures) == (True, [])


@pytest.mark.parametrize("reply", [b"550 5.7.1 not yours", b"530 5.7.0 log in first"])
def test_a_refused_sender_is_the_servers_trouble_and_not_the_addresss(
    channel: SmtpChannel, mail_server: ScriptedMailServer, breaker: OpenBreaker, reply: bytes
) -> None:
    mail_server.says("MAIL", reply)

    with pytest.raises(ServerTroubleError):
        channel.send(LETTER, final=yes)

    ((kind, why),) = breaker.failures
    assert kind is FailureKind.DENIED
    assert "smtp." in why


def test_a_refused_sender_does_not_keep_its_session(
    channel: SmtpChannel, mail_server: ScriptedMailServer
) -> None:
    mail_server.says("MAIL", b"550 5.7.1 not yours")
    with pytest.raises(ServerTroubleError):
        channel.send(LETTER, final=yes)

    channel.send(LETTER, final=yes)

    assert mail_server.connections == 2
