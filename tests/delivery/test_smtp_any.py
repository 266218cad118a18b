"""Any bytes: what a server may say, and what a letter may hold."""

from __future__ import annotations

import re
import socket

from hypothesis import given, settings
from hypothesis import strategies as st

from morningdeck.delivery import tell_nobody
from morningdeck.delivery.smtp_line import Reply, ServerTroubleError, SmtpLine
from morningdeck.delivery.smtp_session import stuffed
from morningdeck.sockets import Deadline, TimedSocket

REPLY = re.compile(rb"(?:([2-5]\d\d)-[^\n]*\n)*([2-5]\d\d)(?: [^\n]*)?\r*\n")
ENDS = re.compile(rb"\r\n|\r|\n")
said_by_servers = st.lists(
    st.one_of(
        st.sampled_from([b"250", b"354", b"550", b"421", b"25", b"2500", b" ", b"-", b"\r", b"\n"]),
        st.sampled_from([b"\r\n", b"250 ok\r\n", b"250-ok\r\n", b"\0", "٢٥٠".encode(), b"\xff"]),
        st.binary(max_size=12),
    ),
    max_size=12,
).map(b"".join)


def heard(words: bytes) -> Reply | None:
    """What comes of a server that says this and hangs up."""
    ours, theirs = socket.socketpair()
    with ours, theirs:
        theirs.sendall(words)
        theirs.close()
        line = SmtpLine(TimedSocket(ours), "mail.example:25", tell_nobody)
        line.deadline = Deadline.after(5)
        try:
            return line.hear(5, "MAIL")
        except ServerTroubleError:
            assert not line.is_open
            return None


@settings(max_examples=500)
@given(said_by_servers)
def test_whatever_a_server_says_is_a_whole_reply_or_none(words: bytes) -> None:
    reply, whole = heard(words), REPLY.match(words)
    codes = set(re.findall(rb"^\d{3}", whole[0], re.M)) if whole else set()

    if reply is not None:
        assert whole is not None
        assert codes == {str(reply.code).encode()}
        assert not re.search(r"[\x00-\x08\x0b-\x1f\x7f]", reply.text)
    elif whole is not None:
        assert len(codes) > 1 or b"\r" in whole[0].rstrip(b"\r\n")


@given(st.lists(st.sampled_from([b".", b"\r", b"\n", b"\r\n", b"a", b"..", b"\xff"])).map(b"".join))
def test_whatever_a_letter_holds_arrives_as_its_lines(content: bytes) -> None:
    wire = stuffed(content)
    lines = wire.split(b"\r\n")

    assert lines.pop() == b""
    assert b"." not in lines
    assert not any(b"\r" in line or b"\n" in line for line in lines)
    there = [line.removeprefix(b".") for line in lines]
    told = ENDS.split(content)
    assert there == (told[:-1] if told[-1] == b"" and len(told) > 1 else told)
