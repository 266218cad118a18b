"""A mail server that lies: only our errors come out, and it is believed no number of bytes."""

from __future__ import annotations

import socket
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress

import pytest

from morningdeck.errors import TransientError
from morningdeck.sources import bounded_imap
from morningdeck.sources.mailbox import Account, Message, open_folder

HONEST = {
    b"CAPABILITY": b"* CAPABILITY IMAP4REV1\r\n",
    b"LOGIN": b"",
    b"EXAMINE": b"* 1 EXISTS\r\n* OK [UIDVALIDITY 7] x\r\n",
    b"SEARCH": b"* SEARCH 1\r\n",
    b"SIZE": b"* 1 FETCH (UID 1 RFC822.SIZE 100)\r\n",
    b"BODY": b"* 1 FETCH (UID 1 BODY[] {5}\r\nhello)\r\n",
    b"LOGOUT": b"* BYE\r\n",
}
"""By the word that tells a command from the others."""
MANY = b"9" * 5000


DRIP = b"..."


class Script:
    """Answers each command as written, then says OK; what begins with NO is all it says, and
    a drip is a line that never ends.
    """

    def __init__(self, answers: Mapping[bytes, bytes]) -> None:
        self.answers = {**HONEST, **answers}
        self.sent = 0
        self.server = socket.create_server(("127.0.0.1", 0))

    def serve(self) -> None:
        channel, _ = self.server.accept()
        with channel, channel.makefile("rb") as lines, suppress(OSError):
            self._send(channel, self.answers.get(b"", b"* OK\r\n"))
            for line in lines:
                word = next(word for word in self.answers if word and word in line.upper())
                answer, tag = self.answers[word], line.split()[0]
                refused = answer.startswith(b"NO ")
                self._send(channel, b"" if refused else answer)
                self._send(channel, tag + b" " + (answer if refused else b"OK done\r\n"))

    def _send(self, channel: socket.socket, answer: bytes) -> None:
        while answer == DRIP and channel.send(b"*"):
            threading.Event().wait(0.02)
        for start in range(0, len(answer), 1 << 16):
            self.sent += channel.send(answer[start : start + (1 << 16)])


@contextmanager
def scripted(answers: Mapping[bytes, bytes]) -> Iterator[tuple[Script, Account]]:
    script = Script(answers)
    thread = threading.Thread(target=script.serve, daemon=True)
    thread.start()
    with script.server:
        yield script, Account("127.0.0.1", script.server.getsockname()[1], "ada", "pw")
        thread.join(timeout=20)


def read(account: Account) -> list[Message]:
    with open_folder(account, "INBOX") as folder:
        return list(folder.since(None, ("news@",)))


def test_an_honest_server_is_read() -> None:
    with scripted({}) as (_, account):
        (message,) = read(account)

    assert message.content == b"hello"


@pytest.mark.parametrize(
    ("word", "answer"),
    [
        (b"", b"\xff\xfe no greeting\r\n"),
        (b"CAPABILITY", b"* CAPABILITY \xff\r\n"),
        (b"CAPABILITY", b""),
        (b"LOGIN", b"* FLAGS {90000000000000}\r\n"),
        (b"EXAMINE", b"* " + MANY + b" EXISTS\r\n"),
        (b"EXAMINE", b"* 99999999999 EXISTS\r\n"),
        (b"EXAMINE", b"* 1 EXISTS\r\n* OK [UIDVALIDITY seven] x\r\n"),
        (b"EXAMINE", b""),
        (b"SEARCH", b"* SEARCH 1 two\r\n"),
        (b"SEARCH", b"* SEARCH " + MANY + b"\r\n"),
        (b"SEARCH", b"* SEARCH 99999999999\r\n"),
        (b"SIZE", b"* 1 FETCH (UID " + MANY + b" RFC822.SIZE 1)\r\n"),
        (b"SIZE", b"* 1 FETCH (UID 1 RFC822.SIZE " + MANY + b")\r\n"),
        (b"BODY", b"* 1 FETCH (BODY[] {90000000000000}\r\n"),
        (b"BODY", b"* 1 FETCH (BODY[] {" + MANY + b"}\r\n"),
        (b"BODY", b"hello\r\n"),
        (b"LOGIN", b"* OK\r\n" * 60_000),
    ],
)
def test_what_makes_no_sense_is_an_error_of_ours(word: bytes, answer: bytes) -> None:
    with scripted({word: answer}) as (_, account), pytest.raises(TransientError) as caught:
        read(account)

    assert "hello" not in str(caught.value)
    assert len(str(caught.value)) < 300


def test_a_message_larger_than_it_was_said_to_be_is_not_taken() -> None:
    large = b"* 1 FETCH (BODY[] {381000000}\r\n" + b"x" * 64_000_000
    with scripted({b"BODY": large}) as (script, account), pytest.raises(TransientError) as caught:
        read(account)

    assert "381000000 bytes at once" in str(caught.value)
    assert script.sent < 20_000_000


@pytest.mark.parametrize("word", [b"", b"CAPABILITY", b"LOGIN", b"SEARCH", b"BODY"])
def test_a_server_that_never_finishes_is_left(word: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bounded_imap, "LAST_SECONDS", 0.3)
    with scripted({word: DRIP}) as (_, account), pytest.raises(TransientError):
        read(account)


def test_a_goodbye_that_never_ends_is_not_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bounded_imap, "LAST_SECONDS", 1.0)
    with scripted({b"LOGOUT": DRIP}) as (_, account):
        (message,) = read(account)

    assert message.content == b"hello"


def test_a_refused_login_repeats_no_password_and_no_link() -> None:
    refusal = {b"LOGIN": b"* BYE see https://mail.example/?token=s3cret pw\x1b[31m\r\n"}
    with scripted(refusal) as (_, account), pytest.raises(TransientError) as caught:
        read(account)

    assert "s3cret" not in str(caught.value)
    assert "\x1b" not in str(caught.value)
