"""A daemon is killed at each point of sending a mail, and the next one puts it right (H11).

The mail server stops where it is told to, the process is killed from outside, another takes over.
Until the last dot may have gone out, and once its reply is stored, there is exactly one mail; in
between nobody can know, so the mail is held and never sent twice.
"""

from __future__ import annotations

import socket
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path

import pytest
from sqlalchemy import select, update

from morningdeck.app import system_clock
from morningdeck.store.database.connect import Database
from morningdeck.store.tables.briefs import briefings, deliveries
from tests.factories import change, make_delivery, row_of
from tests.faults.daemon import Daemon
from tests.servers.mail import HALF, Gate, ScriptedMailServer, Talk
from tests.waiting import until

ROUNDS = range(5)
LARGE = b"Subject: large\r\n\r\n" + (b"all day " * 100 + b"\r\n") * (2 * HALF // 800)
"""Does not fit between two programs, so that who sends it stops where the reader stops."""
LATER = timedelta(hours=1)


@dataclass(frozen=True, slots=True)
class PostRoom:
    folder: Path
    database: Database
    server: ScriptedMailServer
    make_daemon: Callable[..., Daemon]

    def daemon(self, port: int | None = None) -> Daemon:
        url = self.database.url.render_as_string(hide_password=False)
        return self.make_daemon(
            self.folder,
            url,
            smtp__host="127.0.0.1",
            smtp__port=port or self.server.port,
            smtp__security="none",
            smtp__from_address="deck@example.org",
            retry__schedule_minutes=[0.001],
            shutdown_seconds=2,
        )

    def letter(self, number: int, content: bytes) -> int:
        name = f"reader{number}@example.org"
        made = make_delivery(
            self.database, channel="smtp", address=name, content=content, due_at=system_clock()
        )
        with self.database.write() as connection:  # nothing is to be written, only sent
            connection.execute(update(briefings).values(paused=True))
        return made

    def status(self, letter: int) -> str:
        return str(row_of(self.database, deliveries, letter).status)

    def stop_at(self, point: str) -> Gate:
        gate = Gate()
        self.server.says(point, gate)
        return gate


@pytest.fixture
def post(database: Database, tmp_path: Path, daemon: Callable[..., Daemon]) -> Iterator[PostRoom]:
    # a small buffer: what the server does not read, its client has not sent
    with ScriptedMailServer(buffer=8192) as server:
        yield PostRoom(tmp_path, database, server, daemon)


# ---- how a daemon gets to each point


Kill = Callable[[PostRoom, int], None]


def before_the_claim(post: PostRoom, letter: int) -> None:
    change(post.database, deliveries, letter, due_at=system_clock() + LATER)
    victim = post.daemon().start()
    victim.wait_for_event("started")
    victim.kill()
    assert post.status(letter) == "PENDING"
    change(post.database, deliveries, letter, due_at=system_clock())


def after_the_claim(post: PostRoom, letter: int) -> None:
    with no_way_in() as port:
        victim = post.daemon(port).start()
        victim.wait_for(lambda: post.status(letter) == "SENDING")
        victim.kill()


@contextmanager
def no_way_in() -> Iterator[int]:
    """A port whose line is full: whoever connects waits."""
    with ExitStack() as sockets:
        listener = sockets.enter_context(socket.create_server(("127.0.0.1", 0), backlog=0))
        for _ in range(4):
            waits = sockets.enter_context(socket.socket())
            waits.setblocking(False)
            waits.connect_ex(listener.getsockname())
        yield listener.getsockname()[1]


def at(point: str) -> Kill:
    def kill(post: PostRoom, letter: int) -> None:
        gate = post.stop_at(point)
        victim = post.daemon().start()
        victim.wait_for(gate.reached.is_set)
        victim.kill()
        gate.opened.set()

    return kill


def after_the_reply(post: PostRoom, letter: int) -> None:
    gate = post.stop_at("dot")
    victim = post.daemon().start()
    victim.wait_for(gate.reached.is_set)
    with post.database.write() as connection:  # so that it cannot commit
        connection.execute(
            select(deliveries.c.id).where(deliveries.c.id == letter).with_for_update()
        )
        gate.opened.set()
        until(lambda: post.server.mails and has_read_all(gate.talk))
        victim.kill()


def has_read_all(talk: Talk) -> bool:
    """Whether the other side has taken all that was sent, by the kernel's word."""
    (_, mine), (_, theirs) = talk.socket.getsockname(), talk.socket.getpeername()
    for line in Path("/proc/net/tcp").read_text().splitlines()[1:]:
        _, local, remote, _, queues, *_ = line.split()
        if (local[-4:], remote[-4:]) == (f"{theirs:04X}", f"{mine:04X}"):
            return queues.endswith(":00000000")
    return False


def after_the_commit(post: PostRoom, letter: int) -> None:
    victim = post.daemon().start()
    victim.wait_for(lambda: post.status(letter) == "SENT")
    victim.kill()


BEFORE_THE_DOT: dict[str, tuple[Kill, bytes]] = {
    "before the claim": (before_the_claim, b"Hello"),
    "after the claim": (after_the_claim, b"Hello"),
    "connected": (at("connect"), b"Hello"),
    "MAIL": (at("MAIL"), b"Hello"),
    "RCPT": (at("RCPT"), b"Hello"),
    "after 354": (at("body"), LARGE),
    "half the body": (at("half"), LARGE),
}
IN_BETWEEN = {"after the dot": at("dot"), "after 250": after_the_reply}


def kill_and_put_right(post: PostRoom, number: int, kill: Kill, content: bytes) -> str:
    """The state in which the next process leaves it."""
    letter = post.letter(number, content)
    kill(post, letter)
    post.daemon().command("run", "--once", "--no-web")
    return post.status(letter)


def mails(post: PostRoom) -> list[str]:
    """Who has got one, as often as they have."""
    return [mail.recipient.removeprefix("TO:<reader")[:-13] for mail in post.server.complete]


@pytest.mark.parametrize("point", BEFORE_THE_DOT)
def test_h11_killed_before_the_last_dot_it_is_sent_once(post: PostRoom, point: str) -> None:
    kill, content = BEFORE_THE_DOT[point]

    states = [kill_and_put_right(post, number, kill, content) for number in ROUNDS]

    assert states == ["SENT"] * 5
    assert mails(post) == [str(number) for number in ROUNDS]


@pytest.mark.parametrize("point", IN_BETWEEN)
def test_h11_killed_before_the_reply_is_stored_it_is_held(post: PostRoom, point: str) -> None:
    states = [kill_and_put_right(post, one, IN_BETWEEN[point], b"Hello") for one in ROUNDS]

    assert states == ["UNKNOWN"] * 5
    assert mails(post) == [str(number) for number in ROUNDS]


def test_h11_killed_once_the_reply_is_stored_it_was_sent_once(post: PostRoom) -> None:
    states = [kill_and_put_right(post, one, after_the_commit, b"Hello") for one in ROUNDS]

    assert states == ["SENT"] * 5
    assert mails(post) == [str(number) for number in ROUNDS]
