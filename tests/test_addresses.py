"""What people write for an address, and how it is stored."""

from __future__ import annotations

import pytest

from morningdeck.addresses import page_url, source_type, source_url
from morningdeck.errors import ConfigError
from morningdeck.model.kinds import SourceType


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
    assert source_url(text, SourceType.RSS) == url


@pytest.mark.parametrize(
    "text", ["", "ftp://example.org/", "https://", "https://a b/", "https://[::1/", "file:///etc"]
)
def test_what_is_no_source(text: str) -> None:
    with pytest.raises(ConfigError, match="not an address"):
        source_url(text, SourceType.RSS)


@pytest.mark.parametrize(
    ("text", "url"),
    [
        ("localhost:8080", "https://localhost:8080"),
        ("nas.home:81/feed", "https://nas.home:81/feed"),
        ("127.0.0.1:9/feed", "https://127.0.0.1:9/feed"),
    ],
)
def test_a_host_with_a_port_is_no_scheme(text: str, url: str) -> None:
    assert source_url(text, SourceType.RSS) == url


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
            source_url(text, kind)
    with pytest.raises(ConfigError, match="only http and https"):
        page_url(text)


@pytest.mark.parametrize("kind", list(SourceType))
def test_an_address_is_no_longer_than_a_database_can_look_up(kind: SourceType) -> None:
    with pytest.raises(ConfigError, match="at most 2048 characters"):
        source_url("https://news.example/" + "a" * 2048, kind)


@pytest.mark.parametrize("text", ["no url", "", "https://", "http://[::1", "?", "https:a"])
def test_what_is_no_page_is_refused_at_once(text: str) -> None:
    with pytest.raises(ConfigError, match="is not an address"):
        page_url(text)


def test_the_address_of_a_page_stays_as_it_is() -> None:
    assert page_url(" Example.org/A?b=C#d ") == "https://Example.org/A?b=C#d"


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
    assert source_url(text, SourceType.REDDIT) == "reddit://python"


def test_a_mailbox_has_one_spelling_and_no_password() -> None:
    spelled = source_url("IMAPS://Ada@Mail.example/In?from=a@b.example", SourceType.EMAIL)

    assert spelled == "imap://Ada@mail.example/In?from=a@b.example"
    with pytest.raises(ConfigError, match="no place in an address"):
        source_url("imap://ada:secret@mail.example/", SourceType.EMAIL)


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
    assert source_type(url, named) == kind


def test_a_type_that_nobody_reads_is_refused() -> None:
    with pytest.raises(ConfigError, match="'podcast' is no type of source: it must be rss or web"):
        source_type("https://example.org", "podcast")
