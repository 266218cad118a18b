"""Saved searches at the command line: kept, told of what comes, forgotten."""

from __future__ import annotations

from datetime import UTC, datetime
from email import message_from_bytes, policy
from typing import Any

import pytest

from tests.journeys.conftest import Deck
from tests.servers.feeds import FeedServer, News
from tests.servers.mail import ScriptedMailServer

HARBOUR = News(
    "Port Ellery reopens Quay 9 with shore power",
    "Twelve megawatts let a large ferry switch its engines off at the quay in Port Ellery.",
)
CHESS = News("Chess final ends in a draw", "The grandmasters shook hands after nine hours.")
LATER = News(
    "Storm closes the harbour of Lantern Point",
    "Ferries stay at the quay until the storm has passed, the harbour master said on Tuesday.",
)
WISH = ("--criteria", "grandmasters, chess", "--daily", "08:00", "--timezone", "UTC")


@pytest.fixture
def reader(deck: Deck, site: FeedServer, monkeypatch: pytest.MonkeyPatch) -> Deck:
    """Somebody who has read one item."""
    monkeypatch.setenv("MORNINGDECK_FETCH__FIRST_IMPORT_ITEMS", "50")
    deck.ask("source", "add", site.publish("/a.xml", "Wire", [HARBOUR]))
    deck.do("run", "--once")
    return deck


def comes(deck: Deck, site: FeedServer, *news: News) -> None:
    site.publish("/a.xml", "Wire", [*news, HARBOUR])
    deck.ask("source", "refresh", 1)
    assert deck.do("run", "--once")[0] == 0


def outbox(deck: Deck) -> list[Any]:
    mails = sorted((deck.folder / "data" / "outbox").glob("*.eml"))
    return [message_from_bytes(path.read_bytes(), policy=policy.default) for path in mails]


def test_a_search_is_kept_listed_and_forgotten(reader: Deck) -> None:
    saved = reader.ask("search", "save", "Ports", "quay -chess title:port")
    listed = reader.ask("search", "list")
    _, table, _ = reader.do("search", "list")
    refused = reader.refused("search", "save", "Ports", "harbour")
    removed = reader.ask("search", "remove", "Ports")

    assert {key: saved[key] for key in ("name", "query", "alert")} == {
        "name": "Ports",
        "query": "quay -chess title:port",
        "alert": None,
    }
    assert "chess" in saved["understood"]
    assert [one["name"] for one in listed] == [removed["name"]] == ["Ports"]
    assert "quay -chess title:port" in table
    assert refused[0] == 1
    assert "search remove" in refused[1]
    assert reader.ask("search", "list") == []
    assert reader.refused("search", "remove", "Ports")[0] == 1


def test_a_query_needs_no_name_of_a_command(reader: Deck) -> None:
    assert reader.ask("search", "quay")["total"] == 1
    assert reader.ask("search", "--limit", "5", "quay")["total"] == 1
    assert reader.ask("search", "find", "quay")["total"] == 1
    assert reader.do("search", "--", "list")[0] == 0
    assert reader.ask("search", "find", "save")["total"] == 0
    assert reader.ask("search", "")["total"] == 1


def test_what_comes_stands_in_a_section_of_the_briefing_once(
    reader: Deck, site: FeedServer
) -> None:
    briefing = reader.ask("briefing", "add", "Chess", *WISH)["id"]
    saved = reader.ask("search", "save", "Quays & ports", "quay", "--alert", briefing)
    comes(reader, site, CHESS, LATER)
    preview = reader.ask("briefing", "preview", briefing)
    first = reader.ask("report", "show", reader.ask("briefing", "run", briefing)["report"])
    second = reader.ask("report", "show", reader.ask("briefing", "run", briefing)["report"])

    assert saved["alert"] == briefing
    placed = [(place["title"], place["section"]) for place in first["items"]]
    assert placed[-1] == (LATER.title, "Quays & ports")
    assert (LATER.title, "Quays & ports") in [
        (place["title"], place["section"]) for place in preview["items"]
    ]
    assert HARBOUR.title not in dict(placed)
    assert second["items"] == []
    (mail,) = outbox(reader)
    assert "QUAYS & PORTS" in mail.get_body(("plain",)).get_content()


def test_what_comes_goes_out_at_once_into_the_folder(reader: Deck, site: FeedServer) -> None:
    saved = reader.ask("search", "save", "Quays", "quay", "--alert", "now")
    comes(reader, site, CHESS, LATER)
    reader.do("run", "--once")
    (mail,) = outbox(reader)
    (report,) = reader.ask("report", "list")

    assert (saved["alert"], saved["channels"]) == ("now", ["folder"])
    assert mail["Subject"] == f"Quays: {LATER.title}"
    assert [place["title"] for place in report["items"]] == [LATER.title]
    assert [one["state"] for one in report["deliveries"]] == ["SENT"]
    assert reader.ask("briefing", "list") == []
    assert reader.ask("status")["notices"] == []


def test_mail_goes_to_where_the_first_briefing_goes(
    reader: Deck, site: FeedServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    with ScriptedMailServer() as server:
        for name, value in {"HOST": "127.0.0.1", "PORT": server.port, "SECURITY": "none"}.items():
            monkeypatch.setenv(f"MORNINGDECK_SMTP__{name}", str(value))
        monkeypatch.setenv("MORNINGDECK_SMTP__FROM_ADDRESS", "deck@example.org")
        reader.ask("briefing", "add", "Chess", *WISH, "--to", "ada@example.org")
        saved = reader.ask("search", "save", "Quays", "quay", "--alert", "now")
        own = reader.ask(
            "search", "save", "Other", "harbour", "--alert", "now", "--to", "bob@example.org"
        )
        comes(reader, site, LATER)
        mails = [(mail.recipient, mail.content) for mail in server.complete]

    assert (saved["to"], own["to"]) == (["ada@example.org"], ["bob@example.org"])
    assert sorted(recipient for recipient, _ in mails) == [
        "TO:<ada@example.org>",
        "TO:<bob@example.org>",
    ]
    for _, content in mails:
        mail: Any = message_from_bytes(content, policy=policy.default)
        assert "List-Unsubscribe" in mail
        assert LATER.title in mail.get_body(("plain",)).get_content().replace("\n", " ")


def test_quiet_hours_keep_a_mail_back(
    reader: Deck, site: FeedServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    now = datetime.now(UTC)
    hours = f"{now.hour:02}:00-{(now.hour + 2) % 24:02}:00"
    monkeypatch.setenv("MORNINGDECK_DELIVERY__QUIET_HOURS", hours)
    reader.ask("search", "save", "Quays", "quay", "--alert", "now")
    comes(reader, site, LATER)

    assert (outbox(reader), reader.ask("report", "list")) == ([], [])


def test_more_than_a_day_has_room_for_waits(
    reader: Deck, site: FeedServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MORNINGDECK_SEARCH__ALERTS_PER_DAY", "1")
    reader.ask("search", "save", "Quays", "quay", "--alert", "now")
    comes(reader, site, LATER)
    comes(reader, site, LATER, News("Quay 4 burns", "The quay burns since the morning."))

    assert len(outbox(reader)) == 1
    assert len(reader.ask("report", "list")) == 1


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (("Ports", "quay", "--alert", "77"), "there is no briefing 77"),
        (("Ports", "quay", "--alert", "soon"), "'soon' is not a whole number"),
        (("Ports", "((("), "nothing in '(((' that could be looked for"),
        (("Ports", "quay", "--to", "ada@example.org"), "only --alert now"),
        (("Ports", "quay", "--alert", "now", "--to", "nobody"), "is not an e-mail address"),
        (("Ports", "quay", "--alert", "now", "--channel", "smtp"), "smtp"),
    ],
)
def test_what_cannot_be_told_is_refused(reader: Deck, words: tuple[str, ...], why: str) -> None:
    code, told = reader.refused("search", "save", *words)

    assert code in (1, 2)
    assert why in told
    assert reader.ask("search", "list") == []


def test_others_have_searches_of_their_own(reader: Deck, site: FeedServer) -> None:
    reader.ask("user", "add", "bob@example.org")
    bob = ("--user", "bob@example.org")
    reader.ask("search", "save", "Quays", "quay", "--alert", "now")
    reader.ask("search", "save", "Quays", "quay", "--alert", "now", *bob)
    comes(reader, site, LATER)

    assert len(reader.ask("report", "list")) == 1
    assert reader.ask("report", "list", *bob) == []
    reader.ask("search", "remove", "Quays", *bob)
    assert [one["name"] for one in reader.ask("search", "list")] == ["Quays"]


def test_a_search_by_meaning_finds_other_words(reader: Deck, site: FeedServer) -> None:
    comes(reader, site, CHESS)
    by_words = reader.ask("search", "boats at the dock")
    by_meaning = reader.ask("search", "boats at the dock", "--sort", "meaning")
    without = reader.ask("search", "boats at the dock -ferry", "--sort", "meaning")

    assert by_words["total"] == 0
    assert [hit["title"] for hit in by_meaning["hits"]] == [HARBOUR.title]
    assert without["total"] == 0
