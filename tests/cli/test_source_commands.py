"""What commands do with sources and users, as the contract says."""

from __future__ import annotations

from pathlib import Path
from xml.etree import ElementTree

from tests.cli.conftest import Terminal
from tests.cli.test_commands import DAILY
from tests.servers.feeds import FeedServer


def test_a_source_is_checked_before_it_is_added(terminal: Terminal, feed_url: str) -> None:
    seen = terminal.json("source", "check", feed_url)
    assert (seen["title"], seen["entries"], seen["newest"]) == (
        "Harbour news",
        1,
        ["Harbour opens"],
    )
    assert terminal.json("source", "list") == []

    added = terminal.json("source", "add", feed_url, "--topic", "ports", "--every", "15m")
    assert (added["type"], added["url"], added["name"]) == ("rss", feed_url, "Harbour news")
    assert (added["topics"], added["refresh_seconds"]) == (["ports"], 900)


def test_what_cannot_be_read_is_not_added(terminal: Terminal) -> None:
    ended = terminal("source", "add", "http://127.0.0.1:9/feed")

    assert (ended.code, ended.out) == (1, "")
    assert terminal.json("source", "list") == []


def test_a_page_that_is_no_feed_is_proposed_as_a_page(terminal: Terminal, site: FeedServer) -> None:
    words = "What the council said about the harbour in the night of number"
    links = "".join(f'<li><a href="/news/{n}">{words} {n}</a></li>' for n in range(12))
    page = f"<html><body><main><ul>{links}</ul></main></body></html>"
    news = site.put("/news", page.encode(), "text/html")
    empty = site.put("/empty", b"<html><body><p>Nothing here.</p></body></html>", "text/html")

    added, refused = terminal("source", "add", news), terminal("source", "add", empty)

    assert (added.code, refused.code) == (1, 1)
    assert "12 links that can be read with --type web" in added.err
    assert "--type web" not in refused.err
    assert terminal("source", "add", news, "--type", "web").code == 0


def test_a_second_subscription_fails(terminal: Terminal) -> None:
    terminal.add_source()

    ended = terminal("source", "add", "https://EXAMPLE.org/feed", "--no-check")

    assert ended.code == 1
    assert "already subscribed" in ended.err


def test_a_source_goes_through_its_life(terminal: Terminal) -> None:
    source = str(terminal.add_source())

    assert terminal.json("source", "pause", source)["paused"]
    assert terminal("source", "refresh", source).code == 1
    assert not terminal.json("source", "resume", source)["paused"]
    assert terminal.json("source", "refresh", source)["status"] == "IDLE"
    assert terminal.json("source", "deactivate", source)["health"] == "inactive"
    assert terminal.json("source", "reset", source)["health"] == "active"
    assert terminal.json("source", "show", source)["id"] == int(source)
    assert terminal.json("source", "remove", source)["id"] == int(source)
    assert terminal.json("source", "list") == []


def test_all_sources_are_refreshed_and_reset_at_once(terminal: Terminal) -> None:
    one, two = terminal.add_source(), terminal.add_source("https://example.org/other")
    off = terminal.json("source", "deactivate", str(two), "--reason", "too loud")
    assert (off["health"], off["last_error"]) == ("inactive", "too loud")

    listed = terminal.json("source", "list", "--health", "inactive")
    assert [source["id"] for source in listed] == [two]
    assert terminal.json("source", "refresh", "--all") == {"refreshed": 1}
    assert terminal.json("source", "reset", "--all") == {"reset": 2}
    listed = terminal.json("source", "list", "--health", "active")
    assert {source["id"]: source["last_error"] for source in listed} == {one: None, two: None}


def test_a_briefing_is_written_in_a_language_that_there_is(terminal: Terminal) -> None:
    added = terminal.json("briefing", "add", "Morgen", *DAILY, "--language", "de-AT")

    assert added["language"] == "de"


def test_credits_are_set_and_what_models_cost_is_told(terminal: Terminal) -> None:
    credits = [
        terminal.json("user", "credits", "me@localhost", left)["credits"]
        for left in ("300", "unlimited")
    ]

    assert credits == [300, None]
    assert terminal.json("usage") == []
    nothing: dict[str, object] = {
        "calls_today": 0,
        "cost_today_usd": 0.0,
        "budget_usd": None,
        "held": [],
        "tallies": {},
    }
    assert terminal.json("status")["model"] == nothing


def test_each_user_has_sources_of_his_own(terminal: Terminal) -> None:
    terminal.json("user", "add", "ada@example.org", "--name", "Ada", "--admin")
    source = str(terminal.add_source())

    assert terminal.json("--user", "ada@example.org", "source", "list") == []
    assert terminal("source", "show", source, "--user", "ada@example.org").code == 1


def test_lists_of_feeds_go_out_and_come_in(terminal: Terminal, tmp_path: Path) -> None:
    file = tmp_path / "feeds.opml"
    file.write_text(
        '<opml version="2.0"><body><outline text="Sea &amp; ports">'
        '<outline text="One" type="rss" xmlUrl="https://one.example/feed"/></outline>'
        '<outline text="Two" type="rss" xmlUrl="https://two.example/feed"/>'
        '<outline text="Bad" type="rss" xmlUrl="https://bad host/"/></body></opml>'
    )

    first = terminal.json("opml", "import", str(file))
    again = terminal.json("opml", "import", str(file))

    assert (first["added"], first["existing"]) == (2, 0)
    assert [rejected["url"] for rejected in first["rejected"]] == ["https://bad host/"]
    assert (again["added"], again["existing"]) == (0, 2)

    assert terminal.json("opml", "export", str(tmp_path / "out.opml"))["feeds"] == 2
    written = (tmp_path / "out.opml").read_text()
    assert terminal("opml", "export").out == written
    feeds = [outline.get("xmlUrl") for outline in ElementTree.fromstring(written).iter("outline")]
    assert feeds == [None, "https://one.example/feed", "https://two.example/feed"]


def test_a_list_takes_names_pages_and_subreddits_along(terminal: Terminal, tmp_path: Path) -> None:
    terminal.json("source", "add", "https://a.example/feed", "--no-check", "--name", "Ada's & mine")
    web = ("--no-check", "--type", "web", "--prompt", 'Only "harbour",\nno <sport> & co')
    terminal.json("source", "add", "https://a.example/news?a=1&b=2", *web)
    terminal.json("source", "add", "https://a.example/news?a=1&b=2", *web[:3], "--name", "All")
    terminal.json("source", "add", "r/python", "--no-check", "--type", "reddit", "--name", "Snakes")
    terminal("opml", "export", str(tmp_path / "all.opml"))

    terminal.json("user", "add", "bob@example.org")
    bob = ("--user", "bob@example.org")
    taken = terminal.json("opml", "import", str(tmp_path / "all.opml"), *bob)

    def kept(*words: str) -> list[tuple[str, ...]]:
        listed = terminal.json("source", "list", *words)
        return sorted((one["type"], one["url"], one["name"], one["prompt"]) for one in listed)

    assert (taken["added"], taken["rejected"]) == (4, [])
    assert kept(*bob) == kept()


def test_other_readers_find_feeds_in_our_list_and_no_pages(
    terminal: Terminal, tmp_path: Path
) -> None:
    terminal.json("source", "add", "https://a.example/news", "--no-check", "--type", "web")
    terminal.json("source", "add", "reddit://python", "--no-check")

    listed = ElementTree.fromstring(terminal("opml", "export").out).iter("outline")

    feeds = [outline.get("xmlUrl") for outline in listed]
    assert feeds == [None, "https://www.reddit.com/r/python/.rss"]


def test_an_export_takes_the_place_of_an_export_only(terminal: Terminal, tmp_path: Path) -> None:
    terminal.add_source()
    mine = tmp_path / "subscriptions.opml"
    mine.write_text("<opml><body><outline xmlUrl='https://a.example/feed'/></body></opml>")

    refused = terminal("opml", "export", str(mine))
    assert (refused.code, "no export of ours" in refused.err) == (1, True)
    assert "a.example" in mine.read_text()
    for words in (("--force",), ()):
        assert terminal.json("opml", "export", str(mine), *words)["feeds"] == 1
