"""Children that are slow, greedy or dead, and a parent that goes on."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from morningdeck.errors import PermanentError, TransientError
from morningdeck.parsing.pool import ParserPool
from tests.contracts.parser import ParserContract

from .samples import URL, rss

FEED = rss("<title>T</title><item><title>x</title></item>")
SLOW = b"<rss>" + b"<a b='' c='' d='' e='' f='' g='' h='' i=''>" * 39_000
"""Takes more than a second: nothing closes, and feedparser reads nearly no more tags than these."""


class TestParserPool(ParserContract):
    """Its fixture is everybody's here."""


@pytest.fixture
def hasty() -> Iterator[ParserPool]:
    """Jobs may take half a second."""
    pool = ParserPool(workers=1, seconds=0.5)
    yield pool
    pool.close()


def children() -> set[int]:
    """The living parser processes of this process."""
    found = set()
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            parent = int(stat.read_text().rpartition(")")[2].split()[1])
            command = (stat.parent / "cmdline").read_bytes()
        except OSError:
            continue
        if parent == os.getpid() and b"morningdeck.parsing.child" in command:
            found.add(int(stat.parent.name))
    return found


def child_of(pool: ParserPool) -> int:
    """Parses something and tells who did it."""
    before = children()
    pool.feed(FEED, url=URL, content_type=None)
    (child,) = children() - before
    return child


def test_children_start_when_they_are_needed_and_stay() -> None:
    before = children()
    pool = ParserPool(workers=2)
    assert children() == before

    child = child_of(pool)
    pool.feed(FEED, url=URL, content_type=None)
    assert children() - before == {child}

    pool.close()
    assert children() == before


def test_children_with_nothing_to_do_are_ended_and_replaced_when_there_is() -> None:
    before = children()
    pool = ParserPool(workers=2)
    child = child_of(pool)

    pool.end_idle(60)
    assert children() - before == {child}
    pool.end_idle(0)
    assert children() == before
    assert child_of(pool) != child

    pool.close()


def test_a_job_that_overruns_is_killed_and_the_next_one_works(hasty: ParserPool) -> None:
    with pytest.raises(PermanentError, match=r"news\.example: took too long to parse"):
        hasty.feed(SLOW, url=URL, content_type=None)

    assert hasty.feed(FEED, url=URL, content_type=None).title == "T"


def test_a_child_that_dies_between_jobs_is_replaced(hasty: ParserPool) -> None:
    os.kill(child_of(hasty), signal.SIGKILL)

    assert hasty.feed(FEED, url=URL, content_type=None).title == "T"


def test_a_job_whose_child_dies_twice_is_given_up() -> None:
    pool = ParserPool(workers=1)
    bystanders = children()
    killed: set[int] = set()

    def kill_two() -> None:
        while len(killed) < 2:
            for child in children() - bystanders - killed:
                os.kill(child, signal.SIGKILL)
                killed.add(child)

    with ThreadPoolExecutor(1) as threads:
        killing = threads.submit(kill_two)
        with pytest.raises(PermanentError, match="crashed the parser twice"):
            pool.feed(SLOW, url=URL, content_type=None)
        killing.result(timeout=5)

    assert pool.feed(FEED, url=URL, content_type=None).title == "T"
    pool.close()


def test_a_job_that_needs_too_much_memory_fails_and_the_next_one_works() -> None:
    pool = ParserPool(workers=1, memory_bytes=128 << 20)

    with pytest.raises(PermanentError, match="more memory than a parser may use"):
        pool.feed(b'{"items": [' + b"[]," * 3_000_000, url=URL, content_type=None)
    assert pool.feed(FEED, url=URL, content_type=None).title == "T"
    pool.close()


def test_a_child_retires_after_its_jobs() -> None:
    pool = ParserPool(workers=1, jobs_per_child=2)
    first = child_of(pool)
    pool.feed(FEED, url=URL, content_type=None)

    assert first not in children()
    assert pool.feed(FEED, url=URL, content_type=None).title == "T"
    pool.close()


def test_a_child_that_has_grown_makes_room_for_a_fresh_one() -> None:
    pool = ParserPool(workers=1)
    first = child_of(pool)
    pool.feed(rss("<item><title>x</title></item>" * 100_000), url=URL, content_type=None)

    assert first not in children()
    assert pool.feed(FEED, url=URL, content_type=None).title == "T"
    pool.close()


def test_a_mail_may_take_more_memory_than_a_feed(pool: ParserPool) -> None:
    mail = b"From: jo@a.example\r\nSubject: x\r\n\r\n" + b"word and word\r\n" * 1_000_000

    assert pool.mail(mail).sender == "jo@a.example"


def test_what_a_child_has_read_before_takes_nothing_from_the_room_of_a_feed() -> None:
    pool = ParserPool(workers=1, memory_bytes=44 << 20)
    page = b"<html><article>" + b"<p>word and word.</p>" * 200 + b"</article></html>"
    feed = rss("<item><title>x</title></item>" * 70_000)

    pool.page(page, url=URL, content_type="text/html")

    assert pool.feed(feed, url=URL, content_type=None).entries
    pool.close()


def test_many_threads_share_two_children(pool: ParserPool) -> None:
    bodies = [rss(f"<title>{number}</title>") for number in range(60)]

    with ThreadPoolExecutor(8) as threads:
        feeds = threads.map(lambda body: pool.feed(body, url=URL, content_type=None), bodies)

    assert [feed.title for feed in feeds] == [str(number) for number in range(60)]


def test_what_is_no_feed_costs_no_child(hasty: ParserPool) -> None:
    child = child_of(hasty)

    with pytest.raises(PermanentError, match=r"news\.example: not a feed: looks like a PDF"):
        hasty.feed(b"%PDF-1.4", url=URL, content_type=None)
    assert child in children()


def test_closing_ends_running_jobs() -> None:
    pool = ParserPool(workers=1)
    errors: list[BaseException] = []

    def parse() -> None:
        try:
            pool.feed(SLOW, url=URL, content_type=None)
        except TransientError as error:
            errors.append(error)

    child_of(pool)
    thread = threading.Thread(target=parse)
    thread.start()
    pool.close()
    thread.join(timeout=10)

    assert [str(error) for error in errors] == ["the parsers are shut down"]
    with pytest.raises(TransientError, match="shut down"):
        pool.feed(FEED, url=URL, content_type=None)


def test_a_pool_closed_while_idle_refuses_work_at_once() -> None:
    pool = ParserPool(workers=2)
    child_of(pool)
    pool.close()
    pool.close()

    with pytest.raises(TransientError, match="shut down"):
        pool.feed(FEED, url=URL, content_type=None)


def test_children_see_no_secrets_and_no_files_of_ours(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("MORNINGDECK_SECRET", "s3cret")
    pool = ParserPool(workers=1)
    with (tmp_path / "open").open("w"):
        child = Path(f"/proc/{child_of(pool)}")

        assert b"s3cret" not in (child / "environ").read_bytes()
        assert {file.name for file in (child / "fd").iterdir()} <= {"0", "1", "2", "3"}
    pool.close()


def test_children_end_with_their_parent() -> None:
    script = (
        "import os, signal\n"
        "from morningdeck.parsing.pool import ParserPool\n"
        "pool = ParserPool(workers=1)\n"
        "pool.opml(b'<opml/>')\n"
        "print(next(iter(pool._children))._process.pid, flush=True)\n"
        "os.kill(os.getpid(), signal.SIGKILL)\n"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, check=False)
    child = Path(f"/proc/{int(done.stdout)}")

    deadline = time.monotonic() + 5
    while child.exists() and "Z (zombie)" not in (child / "status").read_text():
        assert time.monotonic() < deadline, "the child outlived its parent"
        threading.Event().wait(0.01)


def test_an_idle_child_is_small() -> None:
    pool = ParserPool(workers=1)
    status = Path(f"/proc/{child_of(pool)}/status").read_text()
    resident_kb = int(status.partition("VmRSS:")[2].split()[0])
    pool.close()

    assert resident_kb < 40_000
