"""Values on their way between pool and child."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from morningdeck.model.reading import Entry, ParsedFeed
from morningdeck.parsing import wire

FEED = ParsedFeed(
    title="T\U0001f600",
    entries=(Entry("g", None, "\u65e5", published_at=datetime(2026, 11, 18, tzinfo=UTC)),),
    ttl=timedelta(minutes=90),
    warnings=("w",),
)


def test_a_feed_arrives_as_it_was_sent() -> None:
    assert wire.decode(ParsedFeed, wire.encode(FEED)) == FEED


def test_many_entries_arrive_as_they_were_sent() -> None:
    feed = replace(FEED, entries=tuple(replace(FEED.entries[0], guid=str(n)) for n in range(120)))

    assert wire.encode(feed).count(b"\n") == 3  # a few to a line
    assert wire.decode(ParsedFeed, wire.encode(feed)) == feed


def test_half_a_character_becomes_a_question_mark() -> None:
    assert wire.decode(ParsedFeed, wire.encode(ParsedFeed(title="a\ud800b"))).title == "a?b"


@pytest.mark.parametrize(
    "nonsense",
    [
        b"[]",
        b"null",
        b"{",
        b'{"title": 7}',
        wire.encode(FEED).replace(b'"g"', b"7"),
        wire.encode(FEED).replace(b'"w"', b'["w"]'),
        wire.encode(FEED).replace(b"2026-11", b"yesterday"),
        wire.encode(FEED) + b"\nnull",
        wire.encode(FEED) + b'\n[{"guid": "g"}]',
        wire.encode(FEED).replace(b'"PT5400.000000S"', b"5400"),
        b"[" * 100_000,
    ],
)
def test_anything_else_than_what_was_asked_for_is_refused(nonsense: bytes) -> None:
    with pytest.raises(ValueError):  # noqa: PT011 - many kinds of nonsense, one kind of error
        wire.decode(ParsedFeed, nonsense)


def test_what_only_the_other_side_knows_is_ignored() -> None:
    """A child started after an upgrade may be newer than its parent."""
    sent = wire.encode(FEED).replace(b'"ttl"', b'"__class__"')

    assert wire.decode(ParsedFeed, sent) == replace(FEED, ttl=None)


def test_what_has_no_plain_form_does_not_travel() -> None:
    with pytest.raises(TypeError, match="object does not travel"):
        wire.encode(object())


def test_a_child_does_without_what_only_its_parent_needs() -> None:
    code = (
        "import sys; from morningdeck.parsing import child, feeds, wire;"
        "wire.encode(feeds.parse_feed(b'<rss><channel><title>T</title></channel></rss>'));"
        "print('pydantic' in sys.modules)"
    )

    asked = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)

    assert asked.stdout == "False\n"
