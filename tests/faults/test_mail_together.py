"""Many mails, several senders, a server with moods, kills at any moment: never one twice."""

from __future__ import annotations

import random
import time
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from morningdeck.store.database.connect import Database, open_database
from morningdeck.store.tables.briefs import deliveries
from tests.factories import rows_of
from tests.faults.daemon import Daemon
from tests.faults.test_mail_kills import PostRoom
from tests.servers.mail import Action, Gate, ScriptedMailServer, drop

LETTERS = 60
KILLS = 6


@pytest.fixture
def post(database: Database, tmp_path: Path, daemon: Callable[..., Daemon]) -> Iterator[PostRoom]:
    with ScriptedMailServer() as server:
        yield PostRoom(tmp_path, database, server, daemon)


@pytest.fixture
def postgres_post(
    postgres_url: str, tmp_path: Path, daemon: Callable[..., Daemon]
) -> Iterator[PostRoom]:
    database = open_database(postgres_url)
    with ScriptedMailServer() as server:
        yield PostRoom(tmp_path, database, server, daemon)
    database.close()


def ends(post: PostRoom) -> Counter[tuple[str, int]]:
    """How many letters ended in which state with so many mails."""
    sent = Counter(mail.recipient.removeprefix("TO:<")[:-1] for mail in post.server.complete)
    return Counter((row.status, sent[row.address]) for row in rows_of(post.database, deliveries))


def moods(chance: random.Random, *actions: Action) -> list[Action]:
    """As many of those as of nothing special."""
    return [chance.choice(actions) for _ in range(LETTERS // 2)]


def test_two_daemons_send_each_mail_once(postgres_post: PostRoom) -> None:
    post, chance = postgres_post, random.Random(7)
    post.server.says("RCPT", *moods(chance, b"250 ok", b"451 later"))
    post.server.says("MAIL", *moods(chance, b"250 ok", b"421 later"))
    for number in range(LETTERS):
        post.letter(number, b"Hello")
    crew = [replace(post, folder=post.folder / name).daemon().start() for name in "ab"]

    crew[0].wait_for(lambda: ends(post)["SENT", 1] == LETTERS, pause_seconds=0.1)

    assert [one.stop() for one in crew] == [0, 0]
    shares = [len(one.events("job_finished", stage="delivery", status="SENT")) for one in crew]
    assert sum(shares) == LETTERS
    assert min(shares) > 0


def test_senders_that_are_killed_at_any_moment_send_nothing_twice(
    post: PostRoom, tell: Callable[[object], None]
) -> None:
    chance = random.Random()
    post.server.says("RCPT", *moods(chance, b"250 ok", b"451 later", drop))
    post.server.always("dot", lambda talk: time.sleep(0.02))
    for number in range(LETTERS):
        post.letter(number, b"Hello")
    for killed in range(1, KILLS + 1):
        victim = post.daemon().start()
        goal = LETTERS * killed // (KILLS + 1)
        victim.wait_for(lambda goal=goal: len(post.server.complete) >= goal)  # type: ignore[misc]
        time.sleep(chance.random() * 0.05)
        victim.kill()

    last = post.daemon().start()  # what was lost twice comes back within a minute
    going = {"PENDING", "SENDING", "RETRY"}
    last.wait_for(lambda: not going & {state for state, _ in ends(post)}, pause_seconds=0.1)
    last.stop()

    found = ends(post)
    tell(dict(found))
    assert found.keys() <= {("SENT", 1), ("UNKNOWN", 0), ("UNKNOWN", 1)}
    assert found.total() == LETTERS


def test_a_server_that_is_silent_does_not_keep_a_daemon_from_stopping(post: PostRoom) -> None:
    letter, gate = post.letter(0, b"Hello"), Gate()
    post.server.says("RCPT", gate)
    daemon = post.daemon().start()
    daemon.wait_for(gate.reached.is_set)

    assert daemon.stop() == 0
    post.daemon().command("run", "--once", "--no-web")

    assert (post.status(letter), ends(post)["SENT", 1]) == ("SENT", 1)
