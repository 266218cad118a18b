"""Every command does what the contract says, with its exit code."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.conftest import Terminal

DAILY = ("--criteria", "ships", "--daily", "08:00", "--timezone", "Europe/Paris")


# ---- exit codes


def test_the_first_command_makes_everything_it_needs(terminal: Terminal, tmp_path: Path) -> None:
    (user,) = terminal.json("user", "list")

    assert (user["email"], user["role"]) == ("me@localhost", "admin")
    assert (tmp_path / "data" / "morningdeck.db").exists()


@pytest.mark.parametrize(
    "words",
    [
        ("source", "show", "9"),
        ("source", "remove", "9"),
        ("briefing", "run", "9"),
        ("briefing", "preview", "9"),
        ("briefing", "tune", "9"),
        ("item", "read", "9"),
        ("item", "similar", "9"),
        ("report", "show", "9", "--html"),
        ("report", "send", "9"),
        ("queue", "retry", "9"),
        ("item", "list", "--briefing", "9"),
        ("source", "list", "--user", "nobody@example.org"),
        ("opml", "import", "nowhere.opml"),
        ("db", "restore", "nowhere.db"),
    ],
)
def test_what_fails_says_why_in_one_line(terminal: Terminal, words: tuple[str, ...]) -> None:
    ended = terminal(*words)

    assert (ended.code, ended.out) == (1, "")
    assert ended.err.startswith("morningdeck: ")
    assert ended.err.count("\n") == 1


@pytest.mark.parametrize(
    "line",
    [
        "nonsense",
        "source show abc",
        "source add",
        "source add ftp://example.org --no-check",
        "source add javascript:alert(1)",
        "item add mailto:ada@example.org",
        "source add https://example.org --no-check --every soon",
        "source list --limit 0",
        "briefing add T --criteria x",
        "briefing add T --criteria x --daily 25:00",
        "briefing add T --criteria x --weekly mon",
        "briefing add T --criteria x --daily 08:00 --at 09:00",
        "briefing add T --criteria x --daily 08:00 --timezone Mars/Olympus",
        "briefing add T --criteria x --daily 08:00 --to nobody",
        "item list --status LOST",
        "item list --since yesterday",
        "queue retry",
        "queue retry 1 --all",
        "queue purge --older-than never",
        "search x --sort mood",
        "status --config nowhere.toml",
        "user add nobody",
        "user credits me@localhost many",
        "usage --since yesterday",
        "briefing add T --criteria x --daily 08:00 --language klingon",
        "briefing add T --criteria x --daily 08:00 --language pl",
        "source refresh",
        "source reset 1 --all",
        "source list --health unwell",
    ],
)
def test_wrong_words_are_usage_errors(terminal: Terminal, line: str) -> None:
    ended = terminal(*line.split())

    assert (ended.code, ended.out) == (2, "")
    assert ended.err
    assert "Traceback" not in ended.err


# ---- briefings


def test_a_briefing_goes_through_its_life(terminal: Terminal) -> None:
    added = terminal.json("briefing", "add", "Morning", *DAILY, "--quiet-days", "note")
    briefing = str(added["id"])

    assert (added["frequency"], added["channels"]) == ("DAILY", ["folder"])
    assert added["min_score"] == 40
    assert added["next_run_at"].endswith(("T06:00:00Z", "T07:00:00Z"))
    assert terminal.json("briefing", "pause", briefing)["paused"]
    assert not terminal.json("briefing", "resume", briefing)["paused"]
    assert terminal.json("briefing", "preview", briefing)["items"] == []
    assert [view["id"] for view in terminal.json("briefing", "list")] == [added["id"]]
    assert terminal.json("briefing", "remove", briefing)["title"] == "Morning"
    assert terminal("briefing", "show", briefing).code == 1


def test_mail_is_the_channel_where_it_can_be_sent(
    terminal: Terminal, monkeypatch: pytest.MonkeyPatch
) -> None:
    to = ("--to", "ada@example.org")
    assert terminal.json("briefing", "add", "A", *DAILY, *to)["channels"] == ["folder"]
    by_mail = ("--channel", "smtp")
    assert "set smtp.host" in terminal("briefing", "add", "B", *DAILY, *to, *by_mail).err

    monkeypatch.setenv("MORNINGDECK_SMTP__HOST", "mail.example.org")
    monkeypatch.setenv("MORNINGDECK_SMTP__USERNAME", "ada@home@example.org")
    monkeypatch.setenv("MORNINGDECK_SMTP__PASSWORD", "secret")
    assert "is not an e-mail address" in terminal("briefing", "add", "B", *DAILY, *to).err
    monkeypatch.setenv("MORNINGDECK_SMTP__FROM_ADDRESS", "deck@example.org")
    assert "not an e-mail address" in terminal("briefing", "add", "B", *DAILY, "--to", "ada").err
    monkeypatch.delenv("MORNINGDECK_SMTP__FROM_ADDRESS")
    monkeypatch.delenv("MORNINGDECK_SMTP__USERNAME")
    assert terminal.json("briefing", "add", "B", *DAILY, *to)["channels"] == ["smtp"]
    assert terminal.json("briefing", "add", "C", *DAILY)["channels"] == ["folder"]


def test_a_weekly_briefing_has_its_day(terminal: Terminal) -> None:
    words = ("--criteria", "ships", "--weekly", "fri", "--at", "7:30", "--timezone", "Asia/Tokyo")

    added = terminal.json("briefing", "add", "Week", *words)

    assert (added["frequency"], added["weekday"], added["local_time"]) == (
        "WEEKLY",
        "friday",
        "07:30",
    )


def test_a_daily_briefing_may_come_several_times_on_chosen_days(terminal: Terminal) -> None:
    when = ("--daily", "07:30,18:00", "--days", "mon-fri", "--timezone", "UTC")
    added = terminal.json("briefing", "add", "Work", "--criteria", "ships", *when)

    assert (added["frequency"], added["local_time"]) == ("DAILY", "07:30,18:00")
    assert added["days"] == ["mon", "tue", "wed", "thu", "fri"]
    edited = terminal.json("briefing", "edit", str(added["id"]), "--days", "sat,sun")
    assert (edited["local_time"], edited["days"]) == ("07:30,18:00", ["sat", "sun"])


# ---- from a feed to a briefing


def test_what_was_read_is_listed_marked_found_and_sent(
    terminal: Terminal, feed_url: str, tmp_path: Path
) -> None:
    terminal.json("source", "add", feed_url)
    briefing = str(terminal.json("briefing", "add", "Morning", *DAILY, "--min-score", "0")["id"])
    assert terminal("run", "--once", "--no-web").code == 0

    (item,) = terminal.json("item", "list", "--unread", "--since", "1d")
    assert (item["title"], item["status"]) == ("Harbour opens", "DONE")
    assert terminal.json("item", "read", str(item["id"]))["read"]
    assert terminal.json("item", "list", "--unread") == []
    assert terminal.json("item", "like", str(item["id"]))["scores"][0]["feedback"] == 1
    assert terminal("item", "retry", str(item["id"])).code == 1
    assert [hit["id"] for hit in terminal.json("search", "harbour")["hits"]] == [item["id"]]
    assert terminal.json("reindex")["documents"] == 1

    run = terminal.json("briefing", "run", briefing)
    assert (run["items"], run["deliveries"][0]["state"]) == (1, "SENT")
    report = str(run["report"])
    shown = terminal.json("report", "show", report)
    assert [entry["item_id"] for entry in shown["items"]] == [item["id"]]
    assert "Harbour opens" in terminal("report", "show", report, "--text").out
    assert "<html" in terminal("report", "show", report, "--html").out
    assert terminal.json("report", "send", report)["deliveries"][0]["state"] == "SENT"
    assert list((tmp_path / "data" / "outbox").glob("*.eml"))
