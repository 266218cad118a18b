"""`briefing test`: what would be sent goes to one address, each step is told, nothing is kept."""

from __future__ import annotations

import json
from collections.abc import Iterator
from email import message_from_bytes, policy
from pathlib import Path

import pytest

from tests.journeys.conftest import Deck
from tests.servers.mail import ScriptedMailServer
from tests.servers.web import HangUp, Request, Server, answer

FEED = """<rss version="2.0"><channel><item><title>Harbour opens</title>
<link>https://news.example/1</link><guid>1</guid><description>Ships in the harbour.</description>
</item></channel></rss>"""
WISH = ("--criteria", "ships in harbours", "--daily", "08:00", "--timezone", "UTC")


@pytest.fixture
def mail_server(monkeypatch: pytest.MonkeyPatch) -> Iterator[ScriptedMailServer]:
    with ScriptedMailServer() as server:
        monkeypatch.setenv("MORNINGDECK_SMTP__HOST", "127.0.0.1")
        monkeypatch.setenv("MORNINGDECK_SMTP__PORT", str(server.port))
        monkeypatch.setenv("MORNINGDECK_SMTP__SECURITY", "none")
        monkeypatch.setenv("MORNINGDECK_SMTP__FROM_ADDRESS", "deck@example.org")
        yield server


@pytest.fixture
def reader(deck: Deck, server: Server) -> Deck:
    """A deck with a briefing into the folder and one scored item."""
    server.says("/feed", answer(200, FEED.encode(), content_type="application/rss+xml"))
    deck.ask("source", "add", server.url("/feed"))
    options = ("--min-score", 0, "--channel", "folder")
    deck.ask("briefing", "add", "Ships", *WISH, *options)
    assert deck.do("run", "--once")[0] == 0
    return deck


def state_of(deck: Deck) -> object:
    return deck.ask("report", "list"), deck.ask("briefing", "preview", 1)["items"]


def test_a_test_mail_is_marked_and_each_step_is_told(
    reader: Deck, mail_server: ScriptedMailServer
) -> None:
    before = state_of(reader)

    done = reader.ask("briefing", "test", 1, "--to", "ada@example.org")
    _, out, _ = reader.do("briefing", "test", 1, "--to", "ada@example.org")

    mail = message_from_bytes(mail_server.mails[0].content, policy=policy.default)
    parts = [part.get_content() for part in mail.walk() if not part.is_multipart()]
    assert (done["sent"], done["channel"], done["items"]) == (True, "smtp", 1)
    assert mail["Subject"].startswith("Test: Harbour opens")
    for body in parts:
        assert "This is a test of the briefing" in body
        assert "Harbour opens" in body
    verbs = [step["said"].split()[0].rstrip(":") for step in done["steps"]]
    assert [verb for verb in verbs if verb in {"EHLO", "MAIL", "RCPT", "DATA"}] == [
        *("EHLO", "MAIL", "RCPT", "DATA")
    ]
    assert all(step["answer"] for step in done["steps"])
    assert "RCPT TO:<ada@example.org>" in out
    assert out.splitlines()[-1].startswith("sent to ada@example.org by smtp: 250")
    assert state_of(reader) == before


def test_a_test_that_is_not_taken_ends_with_one_and_the_step_that_failed(
    reader: Deck, mail_server: ScriptedMailServer
) -> None:
    mail_server.says("RCPT", b"550 5.1.1 no such user")

    code, out, err = reader.do("briefing", "test", 1, "--to", "ada@example.org", "--json")

    done = json.loads(out)
    assert (code, done["sent"], done["reply"]) == (1, False, None)
    assert "no such user" in done["error"]
    assert any("550 5.1.1 no such user" in step["answer"] for step in done["steps"])
    assert "the test did not go to ada@example.org" in err


def test_an_answer_that_is_lost_says_so(reader: Deck, server: Server) -> None:
    def hang_up(_: Request) -> Iterator[bytes]:
        yield b""
        raise HangUp(reset=True)

    server.does("/hook?token=s3cret", hang_up)
    url = server.url("/hook?token=s3cret")

    code, out, err = reader.do("briefing", "test", 1, "--to", url, "--json")

    assert code == 1
    assert json.loads(out)["error"].startswith("it may have arrived or not: ")
    assert "the test went to http://127.0.0.1" in err
    assert "did not go" not in err
    assert "s3cret" not in f"{out}{err}"


def test_without_a_mail_server_a_test_goes_where_briefings_go(reader: Deck) -> None:
    done = reader.ask("briefing", "test", 1, "--to", "ada@example.org")

    (mail,) = Path(reader.folder / "data" / "outbox").glob("*-test.eml")
    assert (done["channel"], done["reply"]) == ("folder", str(mail))
    assert b"To: ada@example.org" in mail.read_bytes()
    assert [step["said"].split()[0] for step in done["steps"]] == ["write", "write"]


def test_a_test_into_the_folder_is_not_said_to_be_sent_to_anybody(reader: Deck) -> None:
    _, out, err = reader.do("briefing", "test", 1, "--to", "ada@example.org")

    assert out.splitlines()[-1].startswith("written by folder: ")
    assert "nothing is mailed to ada@example.org" in err


def test_a_test_goes_to_a_web_address_with_its_mark(reader: Deck, server: Server) -> None:
    server.says("/hook", answer(200, b"ok"))

    done = reader.ask("briefing", "test", 1, "--to", server.url("/hook"))

    (sent,) = [request for request in server.requests if request.method == "POST"]
    data = json.loads(sent.body)["data"]
    assert data["subject"].startswith("Test: Harbour opens")
    assert data["overview"].startswith("This is a test")
    assert done["steps"][0]["answer"] == "200 OK: ok"


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--to", "no address"), "no address"),
        (("--to", "ada@example.org", "--channel", "smtp"), "smtp.host"),
        (("--to", "ada@example.org", "--channel", "pigeon"), "pigeon"),
        (("--to", "teams+https://x.example/y"), "teams"),
    ],
)
def test_what_cannot_be_tested_is_wrong_usage(
    reader: Deck, words: tuple[str, ...], said: str
) -> None:
    code, line = reader.refused("briefing", "test", 1, *words)

    assert code == 2
    assert said in line


def test_a_briefing_of_somebody_else_is_not_tested(reader: Deck) -> None:
    reader.ask("user", "add", "eve@example.org")

    asked = ("briefing", "test", 1, "--to", "eve@example.org", "--user", "eve@example.org")

    assert reader.refused(*asked)[0] == 1
