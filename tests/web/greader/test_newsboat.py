"""Debian's newsboat, by its source `feedhq`: it logs in, lists, reads and marks at a terminal."""

from __future__ import annotations

import fcntl
import os
import pty
import re
import struct
import subprocess
import termios
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from pathlib import Path

import pytest

from morningdeck.store.tables.news import item_states
from tests.conftest import NOW
from tests.factories import rows_of
from tests.servers.debian import need
from tests.waiting import until
from tests.web.site import Website

NEWSBOAT = "/usr/bin/newsboat"
ROWS, COLUMNS = 40, 120
ENTER, EDIT_FLAGS = "\r", "\x05"
_STEERING = re.compile(rb"\x1b(?:\[[0-9;?]*[a-zA-Z]|[()][A-Z0-9]|[=>])")


class Newsboat:
    """Its screen, and keys for it."""

    def __init__(self, folder: Path, *words: str) -> None:
        ours, theirs = pty.openpty()
        fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", ROWS, COLUMNS, 0, 0))
        files = ("-C", f"{folder}/config", "-u", f"{folder}/urls", "-c", f"{folder}/cache.db")
        surroundings = {**os.environ, "HOME": str(folder), "TERM": "xterm", "LANG": "C.UTF-8"}
        self._process = subprocess.Popen(
            [NEWSBOAT, *files, *words], stdin=theirs, stdout=theirs, stderr=theirs, env=surroundings
        )
        os.close(theirs)
        self._ours = ours
        self._shown = b""
        self._thread = threading.Thread(target=self._watch)
        self._thread.start()

    def _watch(self) -> None:
        while True:
            try:
                piece = os.read(self._ours, 65536)
                self._shown += piece
            except OSError:  # the end of a terminal that nobody has open any more
                return

    def waits_for(self, text: str) -> None:
        until(lambda: text.encode() in _STEERING.sub(b"", self._shown), 60)

    def keys(self, keys: str) -> None:
        """What is waited for next comes after them; of a line only what changes is written."""
        self._shown = b""
        os.write(self._ours, keys.encode())

    def end(self) -> int:
        self.keys("qqqq")
        code = self._process.wait(60)
        self._thread.join()
        os.close(self._ours)
        return code

    def kill(self) -> None:
        if self._process.poll() is None:
            self._process.kill()
            self._process.wait()


@contextmanager
def newsboat(folder: Path, *words: str) -> Iterator[Newsboat]:
    boat = Newsboat(folder, *words)
    try:
        yield boat
    finally:
        boat.kill()


@pytest.fixture
def folder(web: Website, email: str, tmp_path: Path) -> Path:
    need("newsboat", NEWSBOAT, as_root=False)
    (tmp_path / "urls").touch()
    (tmp_path / "config").write_text(f"""
        urls-source "feedhq"
        feedhq-url "{web.url}/api/greader.php"
        feedhq-login "{email}"
        feedhq-password "{web.token(email, "write")}"
        feedhq-flag-star "s"
        feedhq-show-special-feeds no
        browser "true"
    """)
    return tmp_path


@pytest.fixture
def items(web: Website, user: int) -> list[int]:
    """Two of a source, the newest first."""
    source = web.stock.source(user, f"https://news.example/{user}", name="Harbour")
    made = []
    for hours, title in ((1, "Ferry sails"), (2, "Pier opens")):
        seen_at = NOW - timedelta(hours=hours)
        item = web.stock.item(source, title=title, first_seen_at=seen_at, published_at=seen_at)
        web.stock.set_text(item, raw_content=f"<p>Text of <b>{title}</b>.</p>")
        made.append(item)
    return made


def marks(web: Website, user: int) -> dict[int, tuple[bool, bool]]:
    """Of each marked item, whether it is read and saved."""
    rows = rows_of(web.app.store.database, item_states, item_states.c.user_id == user)
    return {row.item_id: (row.read_at is not None, row.saved_at is not None) for row in rows}


def test_what_is_read_at_its_terminal_is_read_here(
    web: Website, user: int, items: list[int], folder: Path
) -> None:
    newest, older = items
    with newsboat(folder, "-r") as boat:
        boat.waits_for("2/2")
        boat.keys(ENTER)
        boat.waits_for("Ferry sails")
        boat.keys(ENTER)
        boat.waits_for("Text of Ferry sails")
        boat.keys("q")
        until(lambda: marks(web, user) == {newest: (True, False)}, 60)

        boat.keys(EDIT_FLAGS)
        boat.waits_for("Flags:")
        boat.keys("s" + ENTER)
        until(lambda: marks(web, user) == {newest: (True, True)}, 60)
        boat.keys("N")
        until(lambda: marks(web, user) == {newest: (False, True)}, 60)
        boat.keys("A")
        both = {newest: (True, True), older: (True, False)}
        until(lambda: marks(web, user) == both, 60)
        assert boat.end() == 0


def test_what_is_read_elsewhere_is_read_at_its_terminal(
    web: Website, user: int, items: list[int], folder: Path
) -> None:
    _, older = items

    def unread() -> str:
        command = [NEWSBOAT, "-C", f"{folder}/config", "-u", f"{folder}/urls"]
        command += ["-c", f"{folder}/cache.db", "-x", "reload", "print-unread"]
        ended = subprocess.run(command, capture_output=True, text=True, check=True, timeout=100)
        return ended.stdout.strip()

    assert unread() == "2 unread articles"
    web.app.store.items.mark_read(user, older, NOW)
    assert unread() == "1 unread articles"
    web.app.store.items.mark_read(user, older, None)
    assert unread() == "2 unread articles"
