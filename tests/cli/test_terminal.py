"""What somebody sees at a terminal."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.conftest import Terminal
from tests.cli.on_terminal import at_terminal
from tests.servers.feeds import FeedServer, News

WIND = News(
    "Offshore wind farm feeds its first power into the grid",
    "The wind farm off the coast has fed its first 135 megawatts into the grid. Nine of its 74"
    " turbines are running, the operator said in Port Ellery.",
    link="https://gazette.example/" + "a-long-address-of-an-article/" * 5,
)


@pytest.fixture
def deck(terminal: Terminal, site: FeedServer, tmp_path: Path) -> Path:
    """A folder whose deck has read a feed, for somebody in Tokyo."""
    terminal.json("user", "edit", "me@localhost", "--timezone", "Asia/Tokyo")
    terminal.json("source", "add", site.publish("/a.xml", "The Port Ellery Gazette", [WIND]))
    daily = ("--criteria", "Offshore wind", "--daily", "07:30")
    terminal.json("briefing", "add", "Energy", *daily)
    terminal("run", "--once")
    return tmp_path


@pytest.mark.parametrize("columns", [60, 80])
def test_every_list_fits_and_says_whose_time_it_is(deck: Path, columns: int) -> None:
    for noun in ("item", "source", "briefing"):
        lines = at_terminal(deck, noun, "list", columns=columns).splitlines()

        assert max(map(len, lines)) <= columns
        assert lines[-1] == "times are Asia/Tokyo"


def test_what_is_found_comes_with_its_source_and_a_snippet(deck: Path) -> None:
    title, where, *snippet, rule, summary = at_terminal(deck, "search", "turbines").splitlines()

    assert title == WIND.title
    assert where.startswith("The Port Ellery Gazette · ")
    assert "74 turbines are" in " ".join(" ".join(snippet).split())
    assert (rule, summary) == ("", "1 of 1 found (database); times are Asia/Tokyo")


def test_a_find_without_words_of_its_own_is_two_lines(deck: Path, terminal: Terminal) -> None:
    terminal.json("item", "add", "https://shipping.example/turbines")
    terminal.json("reindex")

    lines = at_terminal(deck, "search", "shipping").splitlines()

    assert (len(lines), lines[2]) == (4, "")


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("search", "zeppelin"), "nothing found (database)"),
        (("search", "turbines", "--offset", "5"), "no more than 1 (database)"),
        (("report", "list"), "none"),
    ],
)
def test_where_there_is_nothing_it_says_so(deck: Path, words: tuple[str, ...], said: str) -> None:
    assert at_terminal(deck, *words).splitlines() == [said]


def test_a_search_finds_at_once_what_was_just_saved(deck: Path, terminal: Terminal) -> None:
    item = terminal.json("item", "add", "https://shipping.example/turbines")

    (hit,) = terminal.json("search", "shipping.example")["hits"]

    assert hit["id"] == item["id"]
    assert terminal("search", "shipping").err == ""


def test_a_search_says_how_it_was_understood(deck: Path, terminal: Terminal) -> None:
    shown = at_terminal(deck, "search", "turbines -zeppelin is:unread").splitlines()

    assert "looked for: turbines, not zeppelin, unread" in shown
    told = terminal.json("search", "turbines -zeppelin is:unread")["understood"]
    assert told == "turbines, not zeppelin, unread"
    assert "looked for" not in at_terminal(deck, "search", "zeppelin")


def test_a_preview_reads_like_the_mail(deck: Path) -> None:
    shown = at_terminal(deck, "briefing", "preview", "1")

    assert f"\n{WIND.title}\n" in shown
    assert f"\n{WIND.link}\n" in shown


def test_a_report_reads_like_the_mail_and_says_where_it_went(
    deck: Path, terminal: Terminal
) -> None:
    report = terminal.json("briefing", "run", "1")["report"]

    lines = at_terminal(deck, "report", "show", str(report)).splitlines()

    assert WIND.title in lines
    assert lines[-1].startswith("SENT folder: ")
    assert terminal("report", "show", str(report), "--text").out.splitlines()[:5] == lines[:5]


def test_a_run_says_where_it_went_or_why_it_went_nowhere(deck: Path) -> None:
    sent = at_terminal(deck, "briefing", "run", "1").splitlines()
    unsent = at_terminal(deck, "briefing", "run", "1").splitlines()

    assert sent[-1].startswith("SENT folder: ")
    assert unsent[-1] == "nothing was sent: no new story scored 40 or more"


def test_a_preview_of_what_is_not_scored_is_no_quiet_day(deck: Path, terminal: Terminal) -> None:
    terminal.json("briefing", "add", "Later", "--criteria", "ships", "--daily", "07:30")

    shown = at_terminal(deck, "briefing", "preview", "2")

    assert "nothing to show yet" in shown
    assert "not in here: 1 item not scored yet" in shown


@pytest.mark.parametrize("form", ["html", "text"])
def test_a_preview_can_be_a_page_or_a_text(deck: Path, terminal: Terminal, form: str) -> None:
    shown = terminal("briefing", "preview", "1", f"--{form}").out

    assert shown.startswith("<!DOCTYPE html>" if form == "html" else "Energy\n")
    assert WIND.title in shown
    assert terminal.json("briefing", "preview", "1", f"--{form}")[form] == shown
