"""A note-taker in a child process: what it says is what this process would say, however it dies."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from morningdeck.enrichers.embedding import WordEmbedder
from morningdeck.errors import TransientError
from morningdeck.model.making import Article
from morningdeck.noting.parts import in_place
from morningdeck.noting.pool import MOST_WAITING, NotePool
from morningdeck.ports.verbs import Embedder, NoteTaker
from tests.contracts.embedder import EmbedderContract
from tests.contracts.enricher import ARTICLE
from tests.contracts.note_taker import NoteTakerContract
from tests.fakes import CountingModel, notes_of
from tests.waiting import until

DEADLY = "tests.noting.deadly_child"


class TestNotesInPlace(NoteTakerContract):
    @pytest.fixture
    def note_taker(self) -> NoteTaker:
        return in_place(WordEmbedder(), tells=True)


@pytest.fixture(scope="module")
def whole_pool() -> Iterator[NotePool]:
    """With nothing to fall back on."""
    pool = NotePool(nobody, nobody, tells=True)
    yield pool
    pool.close()


class TestNotePool(NoteTakerContract):
    @pytest.fixture
    def note_taker(self, whole_pool: NotePool) -> NoteTaker:
        return whole_pool


class TestPooledEmbedder(EmbedderContract):
    @pytest.fixture
    def embedder(self, whole_pool: NotePool) -> Embedder:
        return whole_pool


def nobody() -> Any:
    raise AssertionError("this process was asked")


def test_a_child_says_what_this_process_would_say(whole_pool: NotePool) -> None:
    here = in_place(WordEmbedder(), tells=True)

    one, other = (of.take(ARTICLE, None, place=True, tell=True) for of in (whole_pool, here))
    assert replace(one, vector=b"") == replace(other, vector=b""), "vectors may round otherwise"


def test_no_module_from_where_we_were_started_runs_in_a_child(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "socket.py").write_text("raise SystemExit")
    monkeypatch.chdir(tmp_path)
    pool = NotePool(nobody, nobody, tells=True)

    assert title_of(pool, "one") == "one"
    pool.close()


@pytest.fixture
def model() -> CountingModel:
    """What this process can do itself."""
    return CountingModel()


@pytest.fixture
def pool(model: CountingModel) -> Iterator[NotePool]:
    pool = NotePool(lambda: notes_of(model), lambda: model, tells=False, program=DEADLY)
    yield pool
    pool.close()


def title_of(pool: NotePool, title: str) -> str:
    likeness = pool.take(Article(title, "text"), None, place=True, tell=False).likeness
    assert likeness is not None
    return likeness.title


def test_a_child_that_was_killed_is_replaced(pool: NotePool, model: CountingModel) -> None:
    assert title_of(pool, "one") == "one"
    before = pool.pid
    assert before
    os.kill(before, signal.SIGKILL)

    assert title_of(pool, "two") == "two"
    assert pool.pid != before
    assert not model.embedded, "done in this process"


FILL_AND_ASK = """
import resource, sys, tempfile
from pathlib import Path
from morningdeck.model.making import Article
from morningdeck.noting.pool import NotePool
from tests.fakes import CountingModel, notes_of

tempfile.tempdir = sys.argv[1]
if sys.argv[2] == "disk":
    with Path(tempfile.tempdir, "ballast").open("wb", buffering=0) as file:
        try:
            while file.write(bytes(4096)):
                pass
        except OSError:
            pass
else:
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))
pool = NotePool(lambda: notes_of(CountingModel()), CountingModel, tells=False)
print(pool.take(Article("one", "text"), None, place=True, tell=False).likeness.title)
"""


def test_a_disk_that_is_full_ends_no_process(tmp_path: Path) -> None:
    """A disk of its own for root, for others one on which nothing may grow."""
    ours, folder = not os.geteuid(), str(tmp_path)
    if ours:
        subprocess.run(["mount", "-t", "tmpfs", "-o", "size=8k", "tmpfs", folder], check=True)
    try:
        program = [sys.executable, "-c", FILL_AND_ASK, folder, "disk" if ours else "folder"]
        done = subprocess.run(program, capture_output=True, text=True, timeout=60)
    finally:
        if ours:
            subprocess.run(["umount", "--lazy", folder], check=True)

    assert done.returncode == 0
    assert done.stdout.endswith("one\n"), "done in that process"


def test_what_a_child_died_of_once_is_asked_again(pool: NotePool, tmp_path: Path) -> None:
    title = f"dies once: {tmp_path / 'dead'}"

    assert title_of(pool, title) == title


def test_what_two_children_die_of_fails(pool: NotePool, model: CountingModel) -> None:
    with pytest.raises(TransientError, match="ended 2 processes"):
        title_of(pool, "dies")

    assert title_of(pool, "one") == "one"
    assert not model.embedded, "done in this process, which might die as well"


def test_nobody_else_is_to_blame_for_a_death(pool: NotePool) -> None:
    def outcome(title: str) -> str:
        try:
            return title_of(pool, title)
        except TransientError:
            return "failed"

    titles = ["dies" if n == 50 else str(n) for n in range(100)]
    with ThreadPoolExecutor(8) as threads:
        found = list(threads.map(outcome, titles))

    assert found == ["failed" if title == "dies" else title for title in titles]


@pytest.mark.parametrize("title", ["fails", "panics"])
def test_what_fails_in_a_child_is_done_here(
    pool: NotePool, model: CountingModel, title: str
) -> None:
    assert title_of(pool, "one") == "one"
    child = pool.pid

    assert title_of(pool, title) == title
    assert (bool(model.embedded), pool.pid) == (True, child)


def test_without_any_child_all_is_done_here(model: CountingModel) -> None:
    gone = "tests.noting.no_such_program"
    pool = NotePool(lambda: notes_of(model), lambda: model, tells=False, program=gone)

    assert title_of(pool, "one") == "one"
    assert pool.embed(["a"]) == model.embed(["a"])


def test_what_too_many_wait_for_is_done_here(
    pool: NotePool, model: CountingModel, tmp_path: Path
) -> None:
    file = tmp_path / "go on"
    with ThreadPoolExecutor(MOST_WAITING) as threads:
        waiting = [threads.submit(title_of, pool, f"waits: {file}") for _ in range(MOST_WAITING)]
        try:
            until(lambda: pool.asking == MOST_WAITING)
            title_of(pool, "one more")
        finally:
            file.touch()

    assert {one.result() for one in waiting} == {f"waits: {file}"}
    assert {text.partition("\n")[0] for text in model.embedded} == {"one more"}


def test_a_child_that_nobody_asks_is_ended(pool: NotePool) -> None:
    title_of(pool, "one")
    pid = pool.pid
    assert pid

    pool.end_idle(60)
    assert pool.pid == pid
    pool.end_idle(0)
    assert pool.pid is None
    until(lambda: not Path(f"/proc/{pid}").exists())
    assert title_of(pool, "two") == "two"


def test_a_closed_pool_has_no_answer(pool: NotePool) -> None:
    title_of(pool, "one")
    pid = pool.pid
    pool.close()

    with pytest.raises(TransientError, match="shut down"):
        title_of(pool, "two")
    until(lambda: not Path(f"/proc/{pid}").exists())
