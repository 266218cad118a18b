"""Commands that look after a running system, and commands as processes."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from morningdeck.engine.node import lock_as_daemon
from tests.cli.conftest import Terminal

FEED = b"""<rss version="2.0"><channel><title>Harbour news</title>
<item><title>Harbour opens</title><link>https://example.org/1</link><guid>1</guid></item>
</channel></rss>"""
DAILY = ("--criteria", "ships", "--daily", "08:00", "--timezone", "Europe/Paris")


def test_the_status_names_every_queue(terminal: Terminal) -> None:
    status = terminal.json("status")

    assert (status["database"], status["daemon"]) == ("sqlite", {"running": False, "since": None})
    assert set(status["queues"]) == {"fetch", "processing", "briefing"}
    assert status["queues"]["briefing"] == {
        "waiting": 0,
        "queued": 0,
        "running": 0,
        "failed": 0,
        "oldest_waiting_seconds": None,
        "capacity": 100,
        "workers": 2,
        "limited_by": None,
    }
    assert status["search"] == {"backend": "database", "waiting": 0, "oldest_waiting_seconds": None}


def test_queue_commands_answer_in_numbers(terminal: Terminal) -> None:
    assert terminal.json("queue", "stats")["processing"]["NEW"] == 0
    assert terminal.json("queue", "dead") == []
    assert terminal.json("queue", "retry", "--all") == {"retried": 0}
    assert terminal.json("queue", "retry", "--all", "--stage", "fetch") == {"retried": 0}
    assert terminal.json("queue", "purge", "--older-than", "14d") == {"purged": 0}
    assert terminal.json("cleanup")["dead_letters"] == 0


def test_the_settings_are_shown_without_secrets(
    terminal: Terminal, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MORNINGDECK_SMTP__PASSWORD", "hush")

    shown = terminal.json("config")

    assert shown["smtp"]["password"] == "***"
    assert "hush" not in json.dumps(shown)


def test_a_backup_brings_back_what_was_there(terminal: Terminal, tmp_path: Path) -> None:
    source = terminal.add_source()
    copy = str(tmp_path / "copies" / "deck.db")
    assert terminal.json("db", "backup", copy)["bytes"] > 0
    terminal.json("source", "remove", str(source))

    assert terminal.json("db", "restore", copy)["ok"]

    assert [view["id"] for view in terminal.json("source", "list")] == [source]
    assert terminal.json("db", "check") == terminal.json("db", "upgrade")


def test_a_damaged_database_can_be_replaced(terminal: Terminal, tmp_path: Path) -> None:
    source = terminal.add_source()
    copy = str(tmp_path / "deck.db")
    terminal.json("db", "backup", copy)
    (tmp_path / "data" / "morningdeck.db").write_bytes(b"no database at all" * 1000)
    assert terminal("source", "list").code == 1

    assert terminal.json("db", "restore", copy)["ok"]

    assert [view["id"] for view in terminal.json("source", "list")] == [source]


def test_only_a_backup_is_restored(terminal: Terminal, tmp_path: Path) -> None:
    source = terminal.add_source()
    (tmp_path / "letter.txt").write_text("Dear database")

    assert terminal("db", "restore", str(tmp_path / "letter.txt")).code == 1

    assert terminal.json("source", "show", str(source))["id"] == source


def test_nothing_is_restored_under_a_daemon(terminal: Terminal, tmp_path: Path) -> None:
    copy = str(tmp_path / "deck.db")
    terminal.add_source()
    terminal.json("db", "backup", copy)
    daemon = lock_as_daemon(tmp_path / "data")

    ended = terminal("db", "restore", copy)

    daemon.close()
    assert ended.code == 1
    assert "already running" in ended.err


# ---- as a process


def test_who_has_seen_enough_is_not_told_of_broken_pipes(tmp_path: Path) -> None:
    command = f"{sys.executable} -m morningdeck config --json | head -c 1"

    ended = subprocess.run(
        command, shell=True, cwd=tmp_path, capture_output=True, text=True, timeout=60
    )

    assert (ended.stdout, ended.stderr) == ("{", "")


@pytest.mark.parametrize("word", ["--help", "--version", "config"])
def test_a_full_disk_is_told_in_one_line(tmp_path: Path, word: str) -> None:
    words = [sys.executable, "-m", "morningdeck", word]
    with Path("/dev/full").open("w") as full:
        ended = subprocess.run(words, cwd=tmp_path, stdout=full, stderr=subprocess.PIPE, timeout=60)

    told = "morningdeck: cannot write: No space left on device\n"
    assert (ended.returncode, ended.stderr.decode()) == (1, told)


def test_a_second_process_is_no_obstacle(tmp_path: Path) -> None:
    words = [sys.executable, "-m", "morningdeck", "user", "list", "--json"]

    both = [subprocess.Popen(words, cwd=tmp_path, stdout=subprocess.PIPE) for _ in range(2)]
    lists = [json.loads(one.communicate(timeout=60)[0]) for one in both]

    assert [[user["email"] for user in users] for users in lists] == [["me@localhost"]] * 2


def test_a_bug_of_ours_tells_no_secret_and_steers_no_terminal() -> None:
    script = (
        "import threading, morningdeck.__main__ as program\n"
        "def fail(): raise ValueError('https://jo:s3cret@h.example/s3cret \\x1b]0;owned')\n"
        "def run(_): one = threading.Thread(target=fail); one.start(); one.join(); fail()\n"
        "program.run_command = run; program.main()\n"
    )
    ended = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)

    assert ended.stderr.count("ValueError: https://h.example/...") == 2
    assert "s3cret" not in ended.stderr
    assert "\x1b" not in ended.stderr
