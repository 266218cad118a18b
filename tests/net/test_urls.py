"""Addresses as written, and as they go on the wire."""

from __future__ import annotations

import pytest

from morningdeck.errors import PermanentError
from morningdeck.net.urls import follow, parse


@pytest.mark.parametrize(
    ("written", "sent"),
    [
        ("http://news.example", "http://news.example/"),
        ("  HTTPS://News.Example/Feed \n", "https://news.example/Feed"),
        ("https://news.example./feed", "https://news.example/feed"),
        ("http://news.example:80/a", "http://news.example/a"),
        ("https://news.example:80/a", "https://news.example:80/a"),
        ("http://news.example/a#part", "http://news.example/a"),
        ("http://news.example/?q=1#part", "http://news.example/?q=1"),
        ("http://news.example/a b?c d", "http://news.example/a%20b?c%20d"),
        ("http://news.example/caf\u00e9?q=\u65e5", "http://news.example/caf%C3%A9?q=%E6%97%A5"),
        ("http://news.example/a%20b%2Fc?x=%26", "http://news.example/a%20b%2Fc?x=%26"),
        ("http://news.example/100%", "http://news.example/100%"),
        ("http://news.example\\feed", "http://news.example/feed"),
        ("http://news.example/a\\b?c\\d", "http://news.example/a/b?c\\d"),
        ("http://b\u00fccher.example/", "http://xn--bcher-kva.example/"),
        ("http://stra\u00dfe.example/", "http://xn--strae-oqa.example/"),
        ("http://b%C3%BCcher.example/", "http://xn--bcher-kva.example/"),
        ("http://\u2460\u2461\u2466.0.0.1/", "http://127.0.0.1/"),
        ("http://my_host.example/", "http://my_host.example/"),
        ("http://[::1]:8080/", "http://[::1]:8080/"),
        ("http://[0:0:0:0:0:0:0:1]/", "http://[::1]/"),
        ("http://name:secret@news.example/a", "http://news.example/a"),
    ],
)
def test_an_address_is_read_as_browsers_read_it(written: str, sent: str) -> None:
    assert parse(written).url == sent


@pytest.mark.parametrize(
    "written",
    [
        "http://",
        "http:///feed",
        "http://news.example:port/",
        "http://news.example:0/",
        "http://news.example:99999/",
        "http://[::1/",
        "http://[::g]/",
        "http://a..b/",
        "http://news example/",
        "http://news%0aexample/",
        "http://" + "a" * 64 + ".example/",
        "http://" + "a." * 130 + "example/",
        "http://\ud800.example/",
        "http://news.example/\ud800",
    ],
)
def test_what_is_no_web_address_is_refused_for_good(written: str) -> None:
    with pytest.raises(PermanentError, match="not a valid web address"):
        parse(written)


@pytest.mark.parametrize(
    "written",
    [
        "",
        "news.example/feed",
        "//news.example/feed",
        "ftp://news.example/",
        "file:///etc/passwd",
        "javascript:alert(1)",
        "JavaScript://[alert",
        "java\nscript:alert(1)",
        "data:text/html,[x",
        "httpx://news.example/",
    ],
)
def test_whatever_is_not_of_the_web_is_told_what_is(written: str) -> None:
    with pytest.raises(PermanentError, match="only http and https"):
        parse(written)


@pytest.mark.parametrize(
    "written",
    ["http://me:hush@[::1/", "http://me:hu/sh@news.example/", "http://me:hush@\u2100.example:x/"],
)
def test_an_error_never_quotes_the_password(written: str) -> None:
    with pytest.raises(PermanentError) as caught:
        parse(written)

    assert "hu" not in str(caught.value)
    assert caught.value.__cause__ is None
    assert caught.value.__suppress_context__


def test_a_password_becomes_a_header_and_leaves_the_address() -> None:
    target = parse("https://me%40home:p%C3%A4ss:word@news.example/feed")

    assert target.authorization == "Basic bWVAaG9tZTpww6Rzczp3b3Jk"
    assert target.url == "https://news.example/feed"
    assert parse(target.full_url) == target


@pytest.mark.parametrize(
    ("location", "reached"),
    [
        ("/b", "https://news.example/b"),
        ("b?c=d e", "https://news.example/a/b?c=d%20e"),
        ("//other.example/b", "https://other.example/b"),
        ("http://other.example", "http://other.example/"),
        ("/caf\u00c3\u00a9", "https://news.example/caf%C3%A9"),
        ("/caf\u00e9", "https://news.example/caf%C3%A9"),
    ],
)
def test_a_redirect_is_read_from_where_it_was_met(location: str, reached: str) -> None:
    assert follow(parse("https://news.example/a/feed"), location).url == reached


def test_a_password_stays_within_its_origin() -> None:
    start = parse("https://me:hush@news.example/feed")

    assert follow(start, "/other").userinfo == "me:hush"
    assert follow(start, "https://news.example/other").userinfo == "me:hush"
    assert follow(start, "http://news.example/other").userinfo == ""
    assert follow(start, "https://news.example:8443/other").userinfo == ""
    assert follow(start, "https://other.example/").userinfo == ""


@pytest.mark.parametrize("location", ["ftp://news.example/", "http://[", "data:text/plain,x"])
def test_a_redirect_out_of_the_web_is_refused(location: str) -> None:
    with pytest.raises(PermanentError):
        follow(parse("https://news.example/"), location)
