"""What lies on disk is the owner's alone, whatever the umask of the shell was."""

from __future__ import annotations

import os
from pathlib import Path

from tests.faults.daemon import PROGRAM, daemons
from tests.servers.feeds import FeedServer, News

OPEN_TO_ALL = ("sh", "-c", 'umask 0; exec "$@"', "sh", *PROGRAM)
DAILY = ("--criteria", "ships", "--daily", "08:00", "--timezone", "Europe/Paris")


def wide(folder: Path) -> list[str]:
    """What others may read or enter."""
    return [
        f"{path.relative_to(folder)} {path.stat().st_mode & 0o777:o}"
        for path in [folder, *folder.rglob("*")]
        if path.stat().st_mode & 0o077
    ]


def test_others_can_read_nothing_of_a_deck_that_runs(tmp_path: Path) -> None:
    with daemons() as make, FeedServer() as feeds:
        url = feeds.publish("/a.xml", "Harbour", [News("Harbour opens", "Ships.")])
        deck = make(tmp_path / "logs", "", program=OPEN_TO_ALL, data_dir=str(tmp_path / "a/deck"))
        deck.environment.pop("DATABASE_URL")
        deck.start().wait_for_event("started")
        deck.command("source", "add", url)
        deck.command("briefing", "add", "Ships", *DAILY)
        deck.command("briefing", "run", "1")
        deck.command("db", "backup", str(tmp_path / "a/copies/deck.db"))
        deck.command("opml", "export", str(tmp_path / "a/feeds.opml"))

        assert {"morningdeck.db-wal", "morningdeck.db-shm"} <= set(os.listdir(tmp_path / "a/deck"))
        assert len(list((tmp_path / "a/deck/outbox").iterdir())) == 2
        assert wide(tmp_path / "a") == []


def test_a_restored_deck_is_as_private_as_before(tmp_path: Path) -> None:
    with daemons() as make:
        deck = make(tmp_path / "logs", "", program=OPEN_TO_ALL, data_dir=str(tmp_path / "a/deck"))
        deck.environment.pop("DATABASE_URL")
        deck.command("source", "list")
        deck.command("db", "backup", str(tmp_path / "a/deck.backup"))
        deck.command("db", "restore", str(tmp_path / "a/deck.backup"))

        assert wide(tmp_path / "a") == []
