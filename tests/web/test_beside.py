"""The web in the daemon: it comes and goes with it, and keeps it from nothing."""

from __future__ import annotations

import json
import socket
import subprocess
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx2
import pytest

from tests.cli.on_terminal import daemon_at_terminal
from tests.faults.daemon import PROGRAM, Daemon, daemons
from tests.servers.web import Server
from tests.web.test_process import Held

CODE = "one-time code "


@contextmanager
def a_daemon(folder: Path, url: str, *words: str, **settings: object) -> Iterator[Daemon]:
    with daemons() as make:
        chosen = {"web__port": 0, **settings}
        daemon = make(folder / "deck", url, words=("run", *words), **chosen).start()
        daemon.wait_for_event("started", kind="daemon")
        yield daemon


def url_of(daemon: Daemon) -> str:
    daemon.wait_for_event("web_started")
    return str(daemon.events("web_started")[-1]["url"])


def notices_of(daemon: Daemon) -> list[str]:
    told: dict[str, Any] = daemon.command("status")
    return list(told["notices"])


def test_the_daemon_serves_pages_and_says_that_its_loops_beat(
    tmp_path: Path, database_url: str
) -> None:
    with a_daemon(tmp_path, database_url) as daemon:
        url = url_of(daemon)
        health = httpx2.get(f"{url}/healthz").json()

        assert health["status"] == "ok"
        assert {"heartbeat", "clockwork", "fetch", "processing", "briefing"} < set(health["loops"])
        assert httpx2.get(url).headers["location"] == "/claim"
        assert daemon.stop() == 0
        with pytest.raises(httpx2.TransportError):
            httpx2.get(url)


def test_what_is_under_way_is_answered_before_the_daemon_ends(
    tmp_path: Path, sqlite_url: str, server: Server
) -> None:
    held = Held(server)
    with a_daemon(tmp_path, sqlite_url) as daemon:
        url = url_of(daemon)
        made = daemon.command("user", "token", "me@localhost", "--name", "t", "--scope", "write")
        shown = {"Authorization": f"Bearer {made['token']}"}
        with (
            httpx2.Client(base_url=url, headers=shown, timeout=60) as client,
            ThreadPoolExecutor(1) as thread,
        ):
            adding = thread.submit(client.post, "/api/v1/sources", json={"url": held.url})
            assert held.asked.wait(60)
            daemon.process.terminate()
            daemon.wait_for_event("stopping")
            held.go_on.set()

            assert adding.result(60).status_code == 201
        assert daemon.ended() == 0
        assert daemon.events("stopped", finished=True)


def test_a_port_that_is_taken_keeps_the_daemon_from_nothing(
    tmp_path: Path, database_url: str
) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        with a_daemon(tmp_path, database_url, web__port=port) as daemon:
            daemon.wait_for_event("web_not_started")
            (notice,) = notices_of(daemon)
            assert f"cannot listen on 127.0.0.1:{port}" in notice
            assert "without its pages" in notice
            assert daemon.command("status")["daemon"]["running"]

            taken.close()

            assert url_of(daemon).endswith(str(port))
            daemon.wait_for(lambda: notices_of(daemon) == [])
            assert len(daemon.events("web_not_started")) == 1
            assert daemon.stop() == 0


def test_it_is_open_to_others_once_somebody_has_claimed_it(tmp_path: Path, sqlite_url: str) -> None:
    elsewhere = "203.0.113.7"  # which no machine has
    with a_daemon(tmp_path, sqlite_url, web__host=elsewhere) as daemon:
        daemon.wait_for_event("web_not_started")
        assert "nobody has claimed an account yet" in notices_of(daemon)[0]

        words, folder, around = (
            ("user", "password", "me@localhost"),
            daemon.folder,
            daemon.environment,
        )
        given = b"a few good words"
        subprocess.run([*PROGRAM, *words], cwd=folder, env=around, input=given, check=True)

        daemon.wait_for(lambda: len(daemon.events("web_not_started")) == 2)
        (notice,) = notices_of(daemon)
        assert f"cannot listen on {elsewhere}" in notice
        assert daemon.stop() == 0


@pytest.mark.parametrize(("words", "settings"), [(["--no-web"], {}), ([], {"web__enabled": False})])
def test_who_wants_no_web_has_none(
    tmp_path: Path, sqlite_url: str, words: list[str], settings: dict[str, object]
) -> None:
    with a_daemon(tmp_path, sqlite_url, *words, **settings) as daemon:
        daemon.wait_for(lambda: daemon.command("status")["daemon"]["running"])

        assert daemon.stop() == 0
        assert not [event for event in daemon.events() if event["event"].startswith("web_")]


def test_a_code_is_shown_at_the_terminal_and_opens_the_deck(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MORNINGDECK_DATA_DIR", "data")
    with daemon_at_terminal(tmp_path) as shows:
        shown = shows("nothing to read yet")

    assert "make this deck yours at http://127.0.0.1:" in shown
    assert len(shown.partition(CODE)[2].split()[0]) == len("ABCD-EFGH-JKLM")


def test_no_log_has_a_code_in_it(tmp_path: Path, sqlite_url: str) -> None:
    with a_daemon(tmp_path, sqlite_url) as daemon:
        url_of(daemon)
        code = daemon.command("user", "claim")["code"]
        daemon.stop()

        (told,) = daemon.events("nobody_has_claimed_it")
        assert "code" not in told
        assert code not in json.dumps(daemon.events())
