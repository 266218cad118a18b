"""`morningdeck web` as a process: it starts, drains, ends, and outlasts its database."""

from __future__ import annotations

import signal
import socket
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx2
import pytest

from tests.faults.daemon import Daemon, daemons
from tests.servers.postgresql import PostgresServer
from tests.servers.web import Request, Server, answer
from tests.waiting import until

FEED = '<rss version="2.0"><channel><title>Slow</title></channel></rss>'


@contextmanager
def a_web(folder: Path, url: str, **settings: object) -> Iterator[Daemon]:
    with daemons() as make:
        chosen = {"web__port": 0, "http__allow_networks": ["127.0.0.0/8"], **settings}
        web = make(folder, url, words=("web",), **chosen).start()
        web.wait_for_event("started", kind="web")
        yield web


def url_of(web: Daemon) -> str:
    return str(web.events("started")[-1]["url"])


def client_of(web: Daemon, scope: str = "write") -> httpx2.Client:
    made = web.command("user", "token", "me@localhost", "--name", "test", "--scope", scope)
    shown = {"Authorization": f"Bearer {made['token']}"}
    return httpx2.Client(base_url=url_of(web), headers=shown, timeout=60)


class Held:
    """A feed that is answered when the test says so."""

    def __init__(self, server: Server) -> None:
        self.asked, self.go_on = threading.Event(), threading.Event()
        server.does("/feed", self._say)
        self.url = server.url("/feed")

    def _say(self, _request: Request) -> Iterator[bytes]:
        self.asked.set()
        self.go_on.wait(60)
        yield answer(200, FEED.encode(), content_type="application/rss+xml")


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_what_is_under_way_is_answered_before_it_ends(
    tmp_path: Path, sqlite_url: str, server: Server, number: signal.Signals
) -> None:
    held = Held(server)
    with a_web(tmp_path / "web", sqlite_url) as web, client_of(web) as client:
        with ThreadPoolExecutor(1) as thread:
            adding = thread.submit(client.post, "/api/v1/sources", json={"url": held.url})
            assert held.asked.wait(60)
            web.signal(number)
            web.wait_for_event("stopping")
            until(lambda: not _listens(url_of(web)))
            held.go_on.set()

            assert adding.result(60).status_code == 201
        assert web.ended() == 0
        assert web.events("stopped", finished=True)


def test_a_second_signal_ends_it_at_once(tmp_path: Path, sqlite_url: str, server: Server) -> None:
    held = Held(server)
    with a_web(tmp_path / "web", sqlite_url) as web, client_of(web) as client:
        with ThreadPoolExecutor(1) as thread:
            adding = thread.submit(client.post, "/api/v1/sources", json={"url": held.url})
            assert held.asked.wait(60)
            web.signal(signal.SIGTERM)
            web.wait_for_event("stopping")
            web.signal(signal.SIGTERM)

            assert web.ended(10) == 128 + signal.SIGTERM
            with pytest.raises(httpx2.TransportError):
                adding.result(60)
        held.go_on.set()


def test_what_takes_longer_than_is_set_is_cut_off(
    tmp_path: Path, sqlite_url: str, server: Server
) -> None:
    held = Held(server)
    with a_web(tmp_path / "web", sqlite_url, shutdown_seconds=1) as web, client_of(web) as client:
        with ThreadPoolExecutor(1) as thread:
            adding = thread.submit(client.post, "/api/v1/sources", json={"url": held.url})
            assert held.asked.wait(60)

            assert web.stop() == 0
            with pytest.raises(httpx2.TransportError):
                adding.result(60)
        held.go_on.set()
        assert web.events("stopped", finished=False)


def _listens(url: str) -> bool:
    address = httpx2.URL(url)
    try:
        socket.create_connection((address.host, address.port or 0), timeout=5).close()
    except OSError:
        return False
    return True


@pytest.mark.parametrize(
    ("settings", "code", "told"),
    [
        ({}, 1, "stop what listens there, or set web.port"),
        ({"web__host": "0.0.0.0"}, 2, "set a password first"),
        ({"web__host": "::"}, 2, "put a proxy with TLS before it"),
        ({"web__host": "203.0.113.7"}, 2, "put a proxy with TLS before it"),
        ({"web__host": "no such host"}, 2, "is no address of this machine"),
        ({"web__base_url": "http://[", "web__port": 0}, 2, "web.base_url"),
    ],
)
def test_an_address_that_cannot_be_is_one_clear_line(
    tmp_path: Path, sqlite_url: str, settings: dict[str, Any], code: int, told: str
) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken, daemons() as make:
        port = {"web__port": taken.getsockname()[1]}
        web = make(tmp_path / "web", sqlite_url, **{**port, **settings})
        *_, last = web.command("web", code=code).splitlines()

    assert last.startswith("morningdeck: ")
    assert told in last


def test_it_says_that_its_database_is_away_and_works_when_it_is_back(tmp_path: Path) -> None:
    postgres = PostgresServer.start()
    try:
        with (
            postgres.database("web", template="template0") as url,
            a_web(tmp_path / "web", url) as web,
            client_of(web) as client,
        ):
            assert client.get("/api/v1/me").status_code == 200
            postgres.down()
            for path in ("/api/v1/me", "/readyz"):
                away = client.get(path)
                assert (away.status_code, away.json()["status"]) == (503, 503)
                assert away.headers["content-type"] == "application/problem+json"
                assert int(away.headers["retry-after"]) > 0
            assert client.get("/healthz").status_code == 200

            postgres.up()

            until(lambda: client.get("/api/v1/me").status_code == 200, 60, pause_seconds=0.2)
            assert client.get("/readyz").json()["status"] == "ok"
            assert web.stop() == 0
    finally:
        postgres.stop()


def test_it_says_that_its_file_was_moved_away_and_when_it_is_back(
    tmp_path: Path, sqlite_url: str
) -> None:
    """SQLite would write on into a file that nobody finds again."""
    file = Path(sqlite_url.removeprefix("sqlite:///"))
    with a_web(tmp_path / "web", sqlite_url) as web:
        assert httpx2.get(f"{url_of(web)}/readyz").status_code == 200
        file.rename(tmp_path / "moved")
        away = httpx2.get(f"{url_of(web)}/readyz")
        (tmp_path / "moved").rename(file)
        back = httpx2.get(f"{url_of(web)}/readyz")

        assert (away.status_code, back.status_code) == (503, 200)
        assert "put it back, or restart" in away.json()["detail"]


def test_a_daemon_beside_it_does_what_it_was_asked_for(tmp_path: Path, database_url: str) -> None:
    with a_web(tmp_path / "data", database_url) as web, client_of(web) as client, daemons() as make:
        daemon = make(tmp_path / "data", database_url).start()
        daemon.wait_for_event("started")
        morning = {"title": "Morning", "criteria": "ships", "daily": "08:00"}
        briefing = client.post("/api/v1/briefings", json=morning).json()["id"]

        assert client.post(f"/api/v1/briefings/{briefing}/run").status_code == 202

        until(lambda: client.get("/api/v1/reports").json()["items"], 60, pause_seconds=0.2)
        (report,) = client.get("/api/v1/reports").json()["items"]
        assert (report["briefing_id"], report["slot"]) == (briefing, "manual:1")
        assert client.get("/api/v1/status").json()["daemon"]["running"]
        assert (daemon.stop(), web.stop()) == (0, 0)


def test_nothing_is_restored_under_a_web(tmp_path: Path, sqlite_url: str) -> None:
    with a_web(tmp_path / "web", sqlite_url) as web:
        copy = str(tmp_path / "copy.db")
        web.command("db", "backup", copy)

        told = web.command("db", "restore", copy, code=1)
        assert "morningdeck web is running" in told

        assert web.stop() == 0
        assert web.command("db", "restore", copy)["ok"]
