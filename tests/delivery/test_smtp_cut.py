"""Mail by SMTP: connections that are cut, silence, and what is no reply."""

from __future__ import annotations

from dataclasses import replace

import pytest

from morningdeck.delivery.smtp import SmtpChannel
from morningdeck.delivery.smtp_line import ServerTroubleError
from morningdeck.errors import DatabaseAwayError, NotSentError
from morningdeck.model.asking import FailureKind
from tests.contracts.channel import LETTER, Question
from tests.delivery.conftest import OpenBreaker, OpenChannel
from tests.delivery.test_smtp import BEFORE_THE_DOT, yes
from tests.servers.mail import Action, ScriptedMailServer, Talk, drop, hang, reset
from tests.waiting import until

LARGE = replace(LETTER, content=b"Subject: large\r\n\r\n" + (b"all day " * 100 + b"\r\n") * 15_000)
"""More than lies on the way between two programs: who sends it waits for who reads it."""
DROPS = {"drop": drop, "reset": reset}


@pytest.mark.parametrize("point", ["connect", "EHLO", *BEFORE_THE_DOT, "body", "half"])
@pytest.mark.parametrize("how", DROPS)
def test_a_connection_that_is_cut_before_the_dot_is_trouble_and_no_question(
    channel: SmtpChannel, mail_server: ScriptedMailServer, point: str, how: str
) -> None:
    mail_server.says(point, DROPS[how])
    question = Question(True)

    with pytest.raises(ServerTroubleError):
        channel.send(LARGE, final=question)

    assert (question.asked, mail_server.complete) == (0, [])


@pytest.mark.parametrize("point", ["connect", "EHLO", *BEFORE_THE_DOT])
def test_a_server_that_is_silent_is_not_waited_for_too_long(
    open_channel: OpenChannel, mail_server: ScriptedMailServer, breaker: OpenBreaker, point: str
) -> None:
    mail_server.says(point, hang)
    channel = open_channel(mail_server, timeout_seconds=0.2)

    with pytest.raises(ServerTroubleError, match=r"within 0\.2 seconds"):
        channel.send(LETTER, final=yes)

    assert [kind for kind, _ in breaker.failures] == [FailureKind.TIMEOUT]


NONSENSE = (
    b"hello",
    b"2500 ok",
    b"99 ok",
    b"\xff\xfe\x00",
    b"250-ok\r\n550 no",
    b"x" * 100_000,
    b"250-again\r\n" * 300,
    b"HTTP/1.1 400 Bad Request",
    "2٥٠ ok".encode(),
    b"",
)


@pytest.mark.parametrize("point", ["connect", "EHLO", *BEFORE_THE_DOT])
@pytest.mark.parametrize("words", NONSENSE, ids=range(len(NONSENSE)))
def test_what_is_no_reply_is_no_answer(
    open_channel: OpenChannel, mail_server: ScriptedMailServer, point: str, words: bytes
) -> None:
    mail_server.says(point, words)

    with pytest.raises(ServerTroubleError):
        open_channel(mail_server, timeout_seconds=0.5).send(LETTER, final=yes)

    assert mail_server.complete == []


def says_and_drops(words: bytes) -> Action:
    def act(talk: Talk) -> None:
        talk.socket.sendall(words)
        drop(talk)

    return act


AFTER_THE_DOT: dict[str, Action] = {
    "drop": drop,
    "reset": reset,
    "hang": hang,
    "cut": says_and_drops(b"250 o"),
    "half": says_and_drops(b"250-ok\r\n"),
    **{f"nonsense {number}": words for number, words in enumerate(NONSENSE)},
    "354": b"354 go on",
}


@pytest.mark.parametrize("how", AFTER_THE_DOT)
def test_after_the_dot_whatever_is_no_reply_leaves_it_open(
    open_channel: OpenChannel, mail_server: ScriptedMailServer, how: str
) -> None:
    mail_server.says("dot", AFTER_THE_DOT[how])
    question = Question(True)

    with pytest.raises(ServerTroubleError):
        open_channel(mail_server, timeout_seconds=0.1).send(LETTER, final=question)

    assert (question.asked, len(mail_server.complete)) == (1, 1)


@pytest.mark.parametrize("reply", [b"250 \xff\xfe ok", b"250", b"250-a\r\n250-b\r\n250 c"])
def test_a_yes_is_a_yes_in_whatever_words(
    channel: SmtpChannel, mail_server: ScriptedMailServer, reply: bytes
) -> None:
    mail_server.says("dot", reply)

    assert channel.send(LETTER, final=yes).reply.startswith("250")


def test_a_server_that_is_one_reply_ahead_is_asked_nothing_more(
    channel: SmtpChannel, mail_server: ScriptedMailServer
) -> None:
    """Else its answer to RCPT would be taken for the one to the last dot."""
    mail_server.says("MAIL", b"250 ok\r\n250 ok\r\n250 ok\r\n354 go on\r\n250 kept")
    question = Question(True)

    with pytest.raises(ServerTroubleError, match="unasked"):
        channel.send(LETTER, final=question)

    assert question.asked == 0


@pytest.mark.parametrize(
    ("reply", "permanent"), [(b"552 5.3.4 too much", True), (b"421 4.4.2 no time", False)]
)
def test_what_a_server_says_within_the_body_is_heard_before_the_dot(
    channel: SmtpChannel, mail_server: ScriptedMailServer, reply: bytes, permanent: bool
) -> None:
    mail_server.says("body", reply)
    question = Question(True)

    with pytest.raises(NotSentError) as caught:
        channel.send(LARGE, final=question)

    assert (question.asked, caught.value.permanent) == (0, permanent)


def test_a_server_that_leaves_while_final_is_asked_has_nothing(
    channel: SmtpChannel, mail_server: ScriptedMailServer
) -> None:
    """To commit may take longer than a server waits."""

    def asked() -> bool:
        mail_server.stop()
        return True

    with pytest.raises(NotSentError) as caught:
        channel.send(LETTER, final=asked)

    assert not caught.value.permanent


def test_what_may_not_be_sent_is_cut_off_before_its_dot(
    channel: SmtpChannel, mail_server: ScriptedMailServer
) -> None:
    channel.send(LETTER, final=lambda: False)
    until(lambda: mail_server.open == 0, 3)
    channel.send(LETTER, final=yes)

    assert (len(mail_server.complete), mail_server.connections) == (1, 2)


def test_what_goes_wrong_with_a_mail_that_is_there_does_not_speak_against_it(
    channel: SmtpChannel, breaker: OpenBreaker
) -> None:
    def away(admission: object) -> None:
        raise DatabaseAwayError("database: away")

    breaker.succeeded = away  # type: ignore[method-assign]

    assert channel.send(LETTER, final=yes).reply.startswith("250")
