"""What people write, and what it means."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from morningdeck.cli import words
from morningdeck.errors import ConfigError
from morningdeck.model import SourceType
from tests.conftest import NOW


@pytest.mark.parametrize(
    ("text", "length"),
    [
        ("90s", timedelta(seconds=90)),
        ("15m", timedelta(minutes=15)),
        ("2 h", timedelta(hours=2)),
        ("14D", timedelta(days=14)),
        ("1w", timedelta(weeks=1)),
    ],
)
def test_lengths(text: str, length: timedelta) -> None:
    assert words.length(text) == length


@pytest.mark.parametrize("text", ["", "15", "m", "-5m", "0m", "1.5h", "15 minutes", "9999999d"])
def test_what_is_no_length(text: str) -> None:
    with pytest.raises(ConfigError, match="not a length"):
        words.length(text)


@pytest.mark.parametrize(
    ("text", "moment"),
    [
        ("3d", NOW - timedelta(days=3)),
        ("2026-11-18", datetime(2026, 11, 17, 23, tzinfo=UTC)),
        ("2026-07-01", datetime(2026, 6, 30, 22, tzinfo=UTC)),
        ("2026-11-18T08:30", datetime(2026, 11, 18, 7, 30, tzinfo=UTC)),
        ("2026-11-18T08:30Z", datetime(2026, 11, 18, 8, 30, tzinfo=UTC)),
    ],
)
def test_moments_are_of_the_readers_zone(text: str, moment: datetime) -> None:
    assert words.since(text, NOW, "Europe/Paris") == moment


@pytest.mark.parametrize("text", ["", "yesterday", "2026-13-01", "0001-01-01"])
def test_what_is_no_moment(text: str) -> None:
    with pytest.raises(ConfigError, match="is no date"):
        words.since(text, NOW, "Asia/Tokyo")


@pytest.mark.parametrize(
    ("text", "time"), [("08:00", (8, 0)), ("7:05", (7, 5)), ("23:59", (23, 59))]
)
def test_times_of_day(text: str, time: tuple[int, int]) -> None:
    assert words.time_of_day(text) == time


@pytest.mark.parametrize("text", ["", "8", "24:00", "08:60", "8h", "08:00:00"])
def test_what_is_no_time_of_day(text: str) -> None:
    with pytest.raises(ConfigError, match="not a time of day"):
        words.time_of_day(text)


@pytest.mark.parametrize(("text", "day"), [("mon", 0), ("Friday", 4), ("SUN", 6), ("thurs", 3)])
def test_days_of_the_week(text: str, day: int) -> None:
    assert words.weekday(text) == day


@pytest.mark.parametrize("text", ["", "m", "t", "tu", "montag", "8"])
def test_what_is_no_day_of_the_week(text: str) -> None:
    with pytest.raises(ConfigError, match="not a day"):
        words.weekday(text)


@pytest.mark.parametrize(
    ("text", "url"),
    [
        ("https://Example.ORG/Feed?a=B#top", "https://example.org/Feed?a=B"),
        (" example.org/feed ", "https://example.org/feed"),
        ("feed://example.org/feed", "http://example.org/feed"),
        ("feed:https://example.org/feed", "https://example.org/feed"),
        ("HTTP://example.org", "http://example.org"),
        ("https://Ada:Pass@Example.org/", "https://Ada:Pass@example.org/"),
    ],
)
def test_one_source_has_one_spelling(text: str, url: str) -> None:
    assert words.source_url(text, SourceType.RSS) == url


@pytest.mark.parametrize(
    "text", ["", "ftp://example.org/", "https://", "https://a b/", "https://[::1/", "file:///etc"]
)
def test_what_is_no_source(text: str) -> None:
    with pytest.raises(ConfigError, match="not an address"):
        words.source_url(text, SourceType.RSS)


@pytest.mark.parametrize(
    ("text", "url"),
    [
        ("localhost:8080", "https://localhost:8080"),
        ("nas.home:81/feed", "https://nas.home:81/feed"),
        ("127.0.0.1:9/feed", "https://127.0.0.1:9/feed"),
    ],
)
def test_a_host_with_a_port_is_no_scheme(text: str, url: str) -> None:
    assert words.source_url(text, SourceType.RSS) == url


@pytest.mark.parametrize(
    "text",
    [
        "javascript:alert(1)",
        "JAVASCRIPT:void 0",
        "data:text/html,x",
        "file:/etc/passwd",
        "ftp://a.example",
        "mailto:ada@example.org",
        "view-source:https://a.example",
    ],
)
def test_only_what_is_of_the_web_is_read(text: str) -> None:
    for kind in (SourceType.RSS, SourceType.WEB):
        with pytest.raises(ConfigError, match="only http and https"):
            words.source_url(text, kind)
    with pytest.raises(ConfigError, match="only http and https"):
        words.page_url(text)


@pytest.mark.parametrize("kind", list(SourceType))
def test_an_address_is_no_longer_than_a_database_can_look_up(kind: SourceType) -> None:
    with pytest.raises(ConfigError, match="at most 2048 characters"):
        words.source_url("https://news.example/" + "a" * 2048, kind)


@pytest.mark.parametrize("text", ["no url", "", "https://", "http://[::1", "?", "https:a"])
def test_what_is_no_page_is_refused_at_once(text: str) -> None:
    with pytest.raises(ConfigError, match="is not an address"):
        words.page_url(text)


def test_the_address_of_a_page_stays_as_it_is() -> None:
    assert words.page_url(" Example.org/A?b=C#d ") == "https://Example.org/A?b=C#d"


@pytest.mark.parametrize(
    "text",
    [
        "reddit://Python",
        "reddit://r/python",
        "r/python",
        "https://www.reddit.com/r/Python/",
        "https://www.reddit.com/r/Python/.rss",
        "https://old.reddit.com/r/python/top?t=day",
    ],
)
def test_a_subreddit_has_one_spelling(text: str) -> None:
    assert words.source_url(text, SourceType.REDDIT) == "reddit://python"


def test_a_mailbox_has_one_spelling_and_no_password() -> None:
    spelled = words.source_url("IMAPS://Ada@Mail.example/In?from=a@b.example", SourceType.EMAIL)

    assert spelled == "imap://Ada@mail.example/In?from=a@b.example"
    with pytest.raises(ConfigError, match="no place in an address"):
        words.source_url("imap://ada:secret@mail.example/", SourceType.EMAIL)


@pytest.mark.parametrize(
    ("url", "named", "kind"),
    [
        ("https://example.org", None, SourceType.RSS),
        ("https://example.org", "web", SourceType.WEB),
        ("reddit://python", None, SourceType.REDDIT),
        ("imap://ada@mail.example/INBOX", None, SourceType.EMAIL),
    ],
)
def test_the_type_is_as_named_or_as_the_scheme_says(
    url: str, named: str | None, kind: SourceType
) -> None:
    assert words.source_type(url, named) is kind


@pytest.mark.parametrize("text", ["", "1e3", "x", str(2**63), "-" + str(2**63), "9" * 5000])
def test_what_is_no_id(text: str) -> None:
    with pytest.raises(ConfigError, match=r"not a whole number|too large"):
        words.identity(text)


def test_a_limit_has_no_maximum_but_the_databases_are_asked_for_no_more_than_they_know() -> None:
    assert words.how_many(str(10**30)) + words.how_far(str(10**30)) < 2**63


def test_no_length_leads_out_of_the_calendar() -> None:
    assert NOW - words.length("36525d") < NOW < NOW + words.length("100 w")
    with pytest.raises(ConfigError, match="100 years at most"):
        words.length("999999w")
