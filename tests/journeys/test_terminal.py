"""A real terminal, and feeds and servers that would like to steer it."""

from __future__ import annotations

import os
import pty
import subprocess
from contextlib import suppress
from pathlib import Path

from tests.faults.daemon import PROGRAM, Daemon, daemons
from tests.servers.feeds import FeedServer, News
from tests.sources.test_hostile_mailbox import scripted

OSC, BELL, CSI = "\x1b]0;owned", "\x07", "\x9b2J"
STEERING = f"{OSC}{BELL}{CSI}\x1b[2J\x1b[8m"
DAILY = ("--criteria", "ships in harbours", "--daily", "08:00", "--timezone", "Europe/Paris")


def seen(deck: Daemon, *words: str) -> str:
    """What the terminal was sent."""
    ours, theirs = pty.openpty()
    process = subprocess.Popen(
        [*PROGRAM, *words],
        cwd=deck.folder,
        env={**deck.environment, "MORNINGDECK_LOGGING__FORMAT": "pretty", "TERM": "xterm"},
        stdin=theirs,
        stdout=theirs,
        stderr=theirs,
    )
    os.close(theirs)
    shown = b""
    with suppress(OSError):  # how the end of a terminal is told
        while piece := os.read(ours, 65536):
            shown += piece
    process.wait()
    os.close(ours)
    return shown.decode("utf-8", "replace")


def steering_deck(feeds: FeedServer, deck: Daemon) -> None:
    numbered = [News(f"Harbour {STEERING} {number}", f"Ships {STEERING}.") for number in range(2)]
    escaped = STEERING.replace("\x1b", "&#x1b;").replace("\x07", "&#7;").replace("\x9b", "&#x9b;")
    feeds.publish("/a.xml", f"Gazette {STEERING}", numbered)
    feeds.put(
        "/b.json",
        b'{"version": "https://jsonfeed.org/version/1", "title": "Log\\u001b]0;owned\\u0007",'
        b' "items": [{"id": "1", "title": "Ferry\\u001b]0;owned\\u0007\\u009b2J", "url": "x"}]}',
    )
    feeds.put("/c.xml", f"<other title='{escaped}'/>".encode())
    for name in ("a.xml", "b.json", "c.xml"):
        deck.command("source", "add", feeds.url(f"/{name}"), "--no-check")
    deck.command("briefing", "add", f"Ships {STEERING}", *DAILY, "--min-score", "1")


def test_nothing_foreign_steers_the_terminal(tmp_path: Path, sqlite_url: str) -> None:
    refusal = {b"EXAMINE": f"NO {OSC}{BELL}\x1b[2J\r\n".encode()}
    with daemons() as make, FeedServer() as feeds, scripted(refusal) as (_, account):
        mailbox = {"host": account.host, "port": account.port, "username": "ada", "password": "pw"}
        settings = {f"imap__{name}": value for name, value in mailbox.items()}
        deck = make(tmp_path / "deck", sqlite_url, **settings)
        steering_deck(feeds, deck)
        shown = seen(deck, "run", "--once")
        for words in (
            ("source", "list"),
            ("source", "show", "1"),
            ("source", "show", "3"),
            ("source", "check", feeds.url("/c.xml")),
            ("source", "check", f"imap://ada@127.0.0.1:{account.port}/INBOX"),
            ("item", "list"),
            ("item", "show", "1"),
            ("briefing", "run", "1"),
            ("briefing", "preview", "1"),
            ("report", "show", "1"),
            ("search", "harbour"),
            ("status",),
            ("item", "add", f"nothing {STEERING}"),
        ):
            shown += seen(deck, *words)

    assert "Harbour" in shown
    assert "there is no folder 'INBOX'" in shown
    assert [code for code in (OSC, BELL, CSI, "\x1b[2J", "\x1b[8m") if code in shown] == []
