"""Secrets planted wherever a user has some: none comes out where others may look."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from morningdeck.store.database.connect import open_database
from morningdeck.store.tables import metadata
from tests.faults.daemon import Daemon, daemons
from tests.servers.web import HangUp, Request, Server, answer

SECRET = f"s3cr3t{os.getpid()}"
"""Not that of another test process, whose commands are in the process list, too."""
MODEL_KEY = f"{SECRET}-model"
FEED = """<rss version="2.0"><channel><item><title>Harbour opens</title>
<link>https://news.example/1</link><guid>1</guid><description>Ships in the harbour.</description>
</item></channel></rss>"""
GOOD, MOVING, SENT_ON, BROKEN, LOCKED, NO_FEED, LOOP, GONE = (
    *(f"/{SECRET}-good?key={SECRET}-key", f"/moving?token={SECRET}-old"),
    *(f"/sent-on?token={SECRET}-back", f"/broken?key={SECRET}-broken"),
    *(f"/locked?key={SECRET}-locked", f"/no-feed?key={SECRET}-none", f"/loop?key={SECRET}-loop"),
    f"/gone?key={SECRET}-gone",
)
ALL = (GOOD, MOVING, SENT_ON, BROKEN, LOCKED, NO_FEED, LOOP, GONE)
DAILY = ("--criteria", "ships in harbours", "--daily", "08:00", "--timezone", "Europe/Paris")


def say(request: Request) -> Iterator[bytes]:
    """Feeds that work, move, break and refuse, each with a secret in all it says."""
    match request.path.partition("?")[0]:
        case "/v1/chat/completions":  # a model's endpoint, which does not like the key
            yield feed_answer(401, f'{{"error": {{"message": "{request.headers}"}}}}')
        case "/locked":
            yield feed_answer(401, f"{SECRET}-body")
        case "/gone":
            yield feed_answer(410, f"{SECRET}-body")
        case "/no-feed":
            yield feed_answer(200, f"{SECRET}-body no feed at all")
        case "/broken":
            yield feed_answer(200, f'{{"items": [{{"title": "{SECRET}-body"')
        case "/loop":
            yield feed_answer(302, location=f"/loop?token={SECRET}-on")
        case "/moving":
            yield feed_answer(301, location=f"/target?token={SECRET}-target")
        case "/sent-on":
            yield feed_answer(302, location=f"/target?token={SECRET}-target")
        case "/hook-refused":  # quoted, but for what it repeats of its address
            yield feed_answer(404, f"no {request.path} {request.headers['authorization']}")
        case "/ping" | "/ping/fail":
            yield feed_answer(404, f"{SECRET}-body {request.path}")
        case "/hook-lost":
            yield b""
            raise HangUp(reset=True)
        case _:
            yield feed_answer(200, FEED)


def feed_answer(status: int, body: str = "", **headers: str) -> bytes:
    return answer(status, body.encode(), content_type="application/rss+xml", **headers)


def process_list(daemon: Daemon) -> str:
    """What `ps` shows of everybody, and of the daemon's children their environment."""
    seen = []
    for process in Path("/proc").glob("[0-9]*"):
        try:
            stat = (process / "stat").read_text()
            seen.append((process / "cmdline").read_text(errors="replace"))
            if int(stat.rpartition(")")[2].split()[1]) == daemon.process.pid:
                seen.append((process / "environ").read_text(errors="replace"))
        except OSError:
            continue
    return "\n".join(seen)


def told(daemon: Daemon) -> dict[str, str]:
    """All that a mail, a notice, an error or a list says, without what its user asks for."""
    lists = {
        " ".join(words): json.dumps(daemon.command(*words))
        for words in (
            *(("status",), ("queue", "dead"), ("report", "list"), ("item", "list")),
            ("briefing", "list"),
        )
    }
    shown = daemon.command("source", "list")
    lists["sources"] = json.dumps(
        [{**source, "url": "", "etag": "", "last_modified": ""} for source in shown]
    )
    return lists


def everything_in(url: str) -> str:
    """All rows of all tables, where what users give themselves may stand, and nothing else."""
    database = open_database(url)
    with database.read() as connection:
        found = [str(connection.execute(table.select()).all()) for table in metadata.sorted_tables]
    database.close()
    return "\n".join(found)


@pytest.mark.parametrize("style", ["json", "pretty"])
def test_secrets_stay_where_they_were_put(tmp_path: Path, database_url: str, style: str) -> None:
    temporary = tmp_path / "temporary"
    temporary.mkdir()
    with daemons() as make, Server(say) as site:
        daemon = make(
            tmp_path / "deck",
            database_url.replace("postgres@", f"postgres:{SECRET}-db@"),
            smtp__password=f"{SECRET}-smtp",
            enricher__api_key=MODEL_KEY,
            enricher__base_url=site.url("/v1"),
            enricher__prefilter_below=0,
            imap__host="127.0.0.1",
            imap__port=9,
            imap__username="me",
            imap__password=f"{SECRET}-imap",
            retry__schedule_minutes=[0.001],
            fetch__default_refresh_minutes=1,
            logging__format=style,
        )
        daemon.environment["TMPDIR"] = str(temporary)
        for path in ALL:
            daemon.command(
                "source", "add", site.url(path, host=f"jo:{SECRET}-pw@127.0.0.1"), "--no-check"
            )
        daemon.command("source", "add", "imap://me@127.0.0.1:9/INBOX", "--no-check")
        daemon.command("briefing", "add", "Ships", *DAILY, "--min-score", "1")
        hooks = [
            f"slack+{site.url(f'/{path}?key={SECRET}-hook', host=f'jo:{SECRET}-pw@127.0.0.1')}"
            for path in ("hook-taken", "hook-refused", "hook-lost")
        ]
        to = [word for hook in hooks for word in ("--to", hook)]
        ping = ("--ping", site.url(f"/ping?key={SECRET}-ping"))
        daemon.command("briefing", "add", "Hooks", *DAILY, "--min-score", "1", *to, *ping)
        daemon.start()
        daemon.wait_for(lambda: all(s["last_fetched_at"] for s in daemon.command("source", "list")))
        seen = {"process list": process_list(daemon), **told(daemon)}
        assert daemon.stop() == 0
        daemon.command("briefing", "run", "1")
        daemon.command("briefing", "run", "2")
        seen |= told(daemon)
        for file in [*(tmp_path / "deck" / "outbox").iterdir(), *temporary.rglob("*")]:
            seen[file.name] = file.read_text()
        seen["log"] = daemon.log.path.read_text()
        kept = everything_in(daemon.environment["DATABASE_URL"])

    assert "Harbour opens" in seen["item list"]
    assert "127.0.0.1" in seen["status"]
    assert "is gone for good" in seen["status"]
    assert "refuses the key" in seen["status"]
    states = ("SENT", "REFUSED", "UNKNOWN")
    assert [state for state in states if f'"{state}"' not in seen["report list"]] == []
    assert any(MODEL_KEY in one.headers["authorization"] for one in site.requests if one.body)
    assert [name for name, text in seen.items() if SECRET in text] == []
    assert MODEL_KEY not in kept
