"""A run that is killed while a receiver keeps its answer: nobody knows, so it is held."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from threading import Event

from tests.faults.daemon import daemons
from tests.servers.web import HangUp, Request, Server, answer

FEED = """<rss version="2.0"><channel><item><title>Harbour opens</title>
<link>https://news.example/1</link><guid>1</guid><description>Ships in the harbour.</description>
</item></channel></rss>"""
WISH = ("--criteria", "ships in harbours", "--daily", "08:00", "--timezone", "UTC")


def test_a_webhook_whose_answer_died_with_its_sender_is_held_and_keeps_its_id(
    tmp_path: Path, database_url: str
) -> None:
    came, killed = Event(), Event()

    def keep_silent(_: Request) -> Iterator[bytes]:
        came.set()
        killed.wait(60)
        yield b""
        raise HangUp(reset=True)

    with daemons() as make, Server() as site:
        site.says("/feed", answer(200, FEED.encode(), content_type="application/rss+xml"))
        site.does("/hook", keep_silent)
        daemon = make(tmp_path / "deck", database_url)
        daemon.command("source", "add", site.url("/feed"))
        to = ("--to", site.url("/hook"), "--min-score", "0")
        daemon.command("briefing", "add", "Ships", *WISH, *to)
        process = daemon.begin_command("briefing", "run", "1")
        assert came.wait(60)

        process.kill()
        process.communicate()
        killed.set()
        daemon.command("run", "--once")
        (before,) = daemon.command("report", "show", "1")["deliveries"]
        site.says("/hook", answer(200))
        (after,) = daemon.command("report", "send", "1")["deliveries"]

    sent = [request for request in site.requests if request.method == "POST"]
    assert (before["state"], after["state"]) == ("UNKNOWN", "SENT")
    assert len(sent) == 2
    assert len({request.headers["webhook-id"] for request in sent}) == 1
    assert len({request.body for request in sent}) == 1
