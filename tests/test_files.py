"""Files and folders for their owner alone."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from morningdeck import files


def mode(path: Path) -> int:
    return path.stat().st_mode & 0o777


@pytest.fixture(autouse=True)
def generous_shell() -> Iterator[None]:
    before = os.umask(0)
    yield
    os.umask(before)


def test_every_folder_that_is_made_is_private(tmp_path: Path) -> None:
    files.make_folder(tmp_path / "one" / "two")
    files.make_folder(tmp_path / "one" / "two")

    assert (mode(tmp_path / "one"), mode(tmp_path / "one" / "two")) == (0o700, 0o700)


def test_a_file_in_the_place_of_a_folder_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "one").touch()

    with pytest.raises(OSError, match="exists"):
        files.make_folder(tmp_path / "one")


def test_what_is_replaced_becomes_private_and_leaves_no_draft(tmp_path: Path) -> None:
    file = tmp_path / "list.opml"
    file.write_text("old")
    (tmp_path / "link").symlink_to(file)

    files.replace(tmp_path / "link", b"new")

    assert (file.read_text(), mode(file)) == ("new", 0o600)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["link", "list.opml"]


def test_drafts_of_processes_that_are_gone_are_removed_and_of_no_others(tmp_path: Path) -> None:
    gone = subprocess.Popen([sys.executable, "-c", ""])
    gone.wait()
    for pid in (gone.pid, os.getppid()):
        (tmp_path / f".list.opml.{pid}.part").touch()

    files.replace(tmp_path / "list.opml", b"new")

    there = {path.name for path in tmp_path.iterdir()}
    assert there == {"list.opml", f".list.opml.{os.getppid()}.part"}


def test_a_pipe_is_written_to(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    reading = os.open(tmp_path / "pipe", os.O_RDONLY | os.O_NONBLOCK)

    files.replace(tmp_path / "pipe", b"list")

    assert os.read(reading, 10) == b"list"
    os.close(reading)
