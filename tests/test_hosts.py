"""Hosts: their names as they are looked up, and which are one to be polite to."""

from __future__ import annotations

import pytest

from morningdeck.hosts import REDDIT, host_of, in_ascii


@pytest.mark.parametrize(
    ("written", "asked"),
    [
        ("news.example", "news.example"),
        ("r4---sn_a.example.", "r4---sn_a.example."),
        ("stra\u00dfe.example", "xn--strae-oqa.example"),
        ("my_host.stra\u00dfe.example", "my_host.xn--strae-oqa.example"),
        ("B\u00dcCHER\u3002example", "xn--bcher-kva.example"),
        ("cafe\u0301.example", "xn--caf-dma.example"),
        ("\u03b2\u03cc\u03bb\u03bf\u03c2.com", "xn--nxasmm1c.com"),
        ("\u0646\u0627\u0645\u0647\u200c\u0627\u06cc.com", "xn--mgba3gch31f060k.com"),
        ("\u2460\u2461\u2466.0.0.1", "127.0.0.1"),
        ("\u2603.net", "xn--n3h.net"),
    ],
)
def test_a_name_is_looked_up_as_browsers_do(written: str, asked: str) -> None:
    assert in_ascii(written) == asked


@pytest.mark.parametrize(
    "written",
    [
        "",
        "a..b",
        "a" * 64 + ".example",
        "\u00fc" * 60 + ".example",
        "\u00fc" * 5000,
        "\u00fc..example",
        "-\u00fc.example",
        "\u05d0a.example",
        "\u2100.example",
        "\u00fc\u2100.example",
        "\u00fc b.example",
        "\u00fc>.example",
        "\uff20\u00fc.example",
        "\ud800.example",
        "\ue000.example",
    ],
)
def test_what_can_be_no_name_is_refused(written: str) -> None:
    with pytest.raises(ValueError, match=r"\w"):
        in_ascii(written)


@pytest.mark.parametrize(
    ("url", "host"),
    [
        ("https://news.example/feed", "news.example"),
        ("https://User:secret@News.example:8443/x", "news.example:8443"),
        ("http://news.example:80/feed", "news.example"),
        ("https://news.example.:443/feed", "news.example"),
        ("https://news.example:80/feed", "news.example:80"),
        ("https://stra\u00dfe.example:8443/x", "xn--strae-oqa.example:8443"),
        ("https://\u0440\u0444:8443/", "xn--p1ai:8443"),
        ("https://stra\u00dfe..example/", "stra\u00dfe..example"),
        ("http://[::1]:8080/feed", "[::1]:8080"),
        ("http://[::1/feed", ""),
        ("imap://me@mail.example/INBOX", ""),
        ("saved:1", ""),
    ],
)
def test_a_host_is_known_by_the_name_and_port_that_are_asked(url: str, host: str) -> None:
    assert host_of(url) == host


@pytest.mark.parametrize(
    "url",
    [
        "reddit://python",
        "https://www.reddit.com/r/python/new/.rss",
        "https://old.reddit.com/r/python",
        "https://oauth.reddit.com/r/python/hot",
        "https://reddit.com/r/python",
        "http://WWW.Reddit.com:8080/",
    ],
)
def test_all_hosts_of_reddit_are_one(url: str) -> None:
    assert host_of(url) == REDDIT


def test_who_only_sounds_like_reddit_is_not() -> None:
    assert host_of("https://notreddit.com/") == "notreddit.com"
    assert host_of("https://reddit.com.example/") == "reddit.com.example"
