"""Of addresses only the host is said, and foreign words stay words."""

from __future__ import annotations

import pytest

from morningdeck.discreet import LONGEST, named, said
from morningdeck.errors import ConfigError, PermanentError


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("https://jo:pw@a.example:8443/x?key=s3 is", "https://a.example:8443/... is"),
        ("'https://a.example/feeds/s3cret'", "'https://a.example/...'"),
        ("postgresql://jo:pw@db/deck?password=s3 away", "postgresql://db/... away"),
        ("(https://a.example/?token=s3), later", "(https://a.example/... later"),
        ("https://a.example#s3cret", "https://a.example/..."),
        ("at 'https://jo:it's@a.example/it's-s3': is", "at 'https://a.example/...': is"),
        ('{"url": "https://a.example/s3", "n": 1}', '{"url": "https://a.example/...", "n": 1}'),
        ('<a href="https://a.example/s3">', '<a href="https://a.example/...">'),
        ("HTTPS://JO:PW@a.example", "HTTPS://a.example"),
        ("http://[::1]:80/s3cret", "http://[::1]:80/..."),
        ("for example sqlite:///data/deck.db", "for example sqlite:///data/deck.db"),
        ("only http:// or https:// can be read", "only http:// or https:// can be read"),
        ("\x1b]0;title\x07 and \x9b31m", " ]0;title  and  31m"),
        ("x" * 5000, "x" * LONGEST + "..."),
    ],
)
def test_what_is_said_keeps_secrets(text: str, shown: str) -> None:
    assert said(text) == shown


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("https://jo:pw@A.example/x?key=s3", "a.example"),
        ("https://jo:it's@a.example/reader's-s3cret/feed", "a.example"),
        ("https://a.example/s3cret'", "a.example"),
        ("imap://me@mail.example/INBOX?from=x", "mail.example"),
        ("reddit://python", "reddit://python"),
        ("News of https://a.example/x", "News of https://a.example/x"),
    ],
)
def test_a_source_without_a_name_is_its_host(name: str, shown: str) -> None:
    assert named(name) == shown


def test_errors_say_no_more_but_to_whoever_gave_the_words() -> None:
    assert str(PermanentError("https://a.example/s3cret")) == "https://a.example/..."
    assert str(ConfigError("'ftp://a.example/x' is none")) == "'ftp://a.example/x' is none"
