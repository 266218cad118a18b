"""A briefing that goes to an address of the web, as its user adds, runs and looks at it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.journeys.conftest import Deck
from tests.servers.web import HangUp, Request, Server, answer

SECRET = "T0secret/B0secret/x0secret"
FEED = """<rss version="2.0"><channel><item><title>Harbour opens</title>
<link>https://news.example/1</link><guid>1</guid><description>Ships in the harbour.</description>
</item></channel></rss>"""
WISH = ("--criteria", "ships in harbours", "--daily", "08:00", "--timezone", "UTC")


@pytest.fixture
def site(server: Server) -> Server:
    server.says("/feed", answer(200, FEED.encode(), content_type="application/rss+xml"))
    server.says(f"/{SECRET}", answer(200, b"ok"))
    return server


@pytest.fixture
def reader(deck: Deck, site: Server) -> Deck:
    """A deck whose item is scored."""
    deck.ask("source", "add", site.url("/feed"))
    return deck


def hooks(site: Server) -> list[Request]:
    return [request for request in site.requests if request.method == "POST"]


def test_a_briefing_goes_to_a_web_address_and_its_secret_stays(
    reader: Deck, site: Server, capsys: pytest.CaptureFixture[str]
) -> None:
    url = f"slack+{site.url(f'/{SECRET}')}"
    added = reader.ask("briefing", "add", "Ships", *WISH, "--to", url, "--min-score", 0)
    run = reader.ask("briefing", "run", 1)
    shown = [
        reader.do(*words)
        for words in (
            ("briefing", "show", 1, "--json"),
            ("briefing", "show", 1),
            ("report", "show", 1, "--json"),
            ("report", "show", 1),
            ("status", "--json"),
            ("status",),
            ("briefing", "list"),
        )
    ]

    assert added["channels"] == ["webhook"]
    (request,) = hooks(site)
    assert "Harbour opens" in json.dumps(json.loads(request.body)["blocks"])
    assert [one["state"] for one in run["deliveries"]] == ["SENT"]
    assert run["deliveries"][0]["address"] == f"slack+http://127.0.0.1:{site.port}/..."
    assert "secret" not in f"{added}{run}{shown}"


def test_mail_and_web_addresses_each_go_by_their_channel(reader: Deck, site: Server) -> None:
    to = ("--to", "ada@example.org", "--to", site.url(f"/{SECRET}"))
    reader.ask(
        "briefing", "add", "Ships", *WISH, *to, "--channel", "folder", "--channel", "webhook"
    )

    run = reader.ask("briefing", "run", 1)

    assert [one["channel"] for one in run["deliveries"]] == ["folder", "webhook"]
    (mail,) = Path(reader.folder / "data" / "outbox").glob("*.eml")
    assert b"To: ada@example.org" in mail.read_bytes()
    assert json.loads(hooks(site)[0].body)["data"]["briefing"]["title"] == "Ships"
    assert (reader.folder / "data" / "webhook.secret").stat().st_mode & 0o777 == 0o600


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--channel", "webhook"), "say --to https://..."),
        (("--channel", "webhook", "--to", "ada@example.org"), "say --to https://..."),
        (("--channel", "folder", "--to", "https://x.example/s"), "say --channel webhook"),
        (("--to", "teams+https://x.example/s"), "'teams' is no service that is known"),
        (("--to", "https://api.telegram.org/bot1:s/sendMessage"), "chat_id="),
    ],
)
def test_an_address_and_a_channel_have_to_fit(
    deck: Deck, words: tuple[str, ...], said: str
) -> None:
    code, line = deck.refused("briefing", "add", "Ships", *WISH, *words)

    assert code == 2
    assert said in line


def test_a_lost_answer_is_held_until_somebody_has_looked(reader: Deck, site: Server) -> None:
    def hang_up(_: Request) -> Iterator[bytes]:
        yield b""
        raise HangUp(reset=True)

    site.does(f"/{SECRET}", hang_up)
    reader.ask("briefing", "add", "Ships", *WISH, "--to", site.url(f"/{SECRET}"))
    code, out, err = reader.do("briefing", "run", 1, "--json")
    (delivery,) = json.loads(out)["deliveries"]
    site.says(f"/{SECRET}", answer(200))

    again = reader.ask("report", "send", 1, "--to", delivery["address"])

    assert (code, delivery["state"]) == (1, "UNKNOWN")
    assert "secret" not in f"{out}{err}"
    assert again["deliveries"][0]["state"] == "SENT"
    assert len({request.headers["webhook-id"] for request in hooks(site)}) == 1


def test_a_template_with_a_mistake_is_told_by_every_command(
    deck: Deck, monkeypatch: pytest.MonkeyPatch
) -> None:
    (deck.folder / "slack.j2").write_text("{{ report.nothing|tojson }}")
    monkeypatch.setenv("MORNINGDECK_WEBHOOK__TEMPLATES", str(deck.folder))
    monkeypatch.setenv("MORNINGDECK_WEBHOOK__SECRET", "whsec_short")

    code, said = deck.refused("status")

    assert code == 2
    assert "slack.j2: 'dict object' has no attribute 'nothing'" in said
    assert "webhook.secret: a key of webhooks is whsec_" in said
    assert "whsec_short" not in said
