"""Subreddits, by a server on loopback that answers as Reddit has answered."""

from __future__ import annotations

import json
from base64 import b64encode
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from morningdeck.actions.sources import read_whole
from morningdeck.errors import HostBusyError, PermanentError, TransientError
from morningdeck.model.kinds import SourceType
from morningdeck.model.reading import Reading, Source
from morningdeck.net import PoliteClient
from morningdeck.parsing.pool import ParserPool
from morningdeck.sources.reddit import RedditReader
from morningdeck.store.database.connect import Database
from morningdeck.store.rows.pace import HostPace
from tests.conftest import ManualClock
from tests.contracts.source_reader import SourceReaderContract
from tests.net.conftest import polite
from tests.servers.web import Server, answer

KEYS = ("id", "secret")
TOKEN = "/api/v1/access_token"
FEED = "/r/energy/new/.rss?limit=100"
NEW, HOT = (f"/r/energy/{name}?limit=100&raw_json=1" for name in ("new", "hot"))


def source(url: str = "reddit://energy", **fields: Any) -> Source:
    return Source(1, SourceType.REDDIT, url, **fields)


def json_answer(value: object, status: int = 200) -> bytes:
    return answer(status, json.dumps(value).encode(), content_type="application/json")


def token(value: str = "t1", expires_in: int = 3600) -> bytes:
    return json_answer({"access_token": value, "token_type": "bearer", "expires_in": expires_in})


def listing(*names: str, **fields: object) -> bytes:
    posts = [
        {"kind": "t3", "data": {"name": f"t3_{name}", "title": f"Post {name}", **fields}}
        for name in names
    ]
    return json_answer({"kind": "Listing", "data": {"children": posts}})


def feed(*names: str) -> bytes:
    entries = "".join(
        f"<entry><id>t3_{name}</id><title>Post {name}</title>"
        f"<link href='https://www.reddit.com/r/energy/comments/{name}/'/></entry>"
        for name in names
    )
    body = f'<feed xmlns="http://www.w3.org/2005/Atom">{entries}</feed>'.encode()
    return answer(body=body, content_type="application/atom+xml", etag='"1"')


class Maker:
    """Makes readers for which the scripted server is Reddit."""

    def __init__(self, server: Server, http: PoliteClient, parser: ParserPool) -> None:
        self._server, self._http, self._parser = server, http, parser

    def __call__(self, keys: tuple[str, str] | None = None) -> RedditReader:
        home = self._server.url().rstrip("/")
        return RedditReader(self._http, self._parser, keys=keys, public=home, api=home)


@pytest.fixture
def reddit(server: Server, http: PoliteClient, parser: ParserPool) -> Maker:
    server.says(TOKEN, token())
    return Maker(server, http, parser)


@pytest.fixture
def paced(
    server: Server, database: Database, parser: ParserPool, clock: ManualClock
) -> Iterator[Maker]:
    server.says(TOKEN, token())
    http = polite(HostPace(database, clock, timedelta(seconds=1)), clock)
    yield Maker(server, http, parser)
    http.close()


def whole(reader: RedditReader, of: Source | None = None) -> Reading:
    return read_whole(reader, of or source())


def guids(reader: RedditReader, of: Source | None = None) -> list[str]:
    return [entry.guid for entry in whole(reader, of).entries]


class TestRedditReader(SourceReaderContract):
    @pytest.fixture
    def reader(self, server: Server, reddit: Maker) -> RedditReader:
        server.says(FEED, feed("2", "1"))
        return reddit()

    @pytest.fixture
    def source(self) -> Source:
        return source()

    @pytest.fixture
    def absent(self) -> Source:
        return source("reddit://nobody_knows")


# ---- with keys


def test_what_is_new_and_what_is_hot_comes_once(server: Server, reddit: Maker) -> None:
    server.says(NEW, listing("3", "2"))
    server.says(HOT, listing("1", "3"))

    reading = whole(reddit(KEYS))

    assert [entry.guid for entry in reading.entries] == ["t3_1", "t3_3", "t3_2"]
    assert reading.title == "r/energy"


def test_each_listing_is_a_visit_of_its_own(server: Server, reddit: Maker) -> None:
    server.says(NEW, listing("a"))
    server.says(HOT, listing("b"))
    reader = reddit(KEYS)

    first = reader.read(source())
    second = reader.read(source(to_ask=first.to_ask))

    assert first.to_ask == (server.url(NEW),)
    assert [entry.guid for entry in (*first.entries, *second.entries)] == ["t3_b", "t3_a"]
    assert second.to_ask == ()
    assert [request.path for request in server.requests] == [TOKEN, HOT, NEW]


def test_the_keys_buy_a_token_that_is_kept(server: Server, reddit: Maker) -> None:
    server.says(NEW, listing("1"))
    server.says(HOT, listing())
    reader = reddit(KEYS)

    whole(reader)
    whole(reader)

    asked = [request for request in server.requests if request.path == TOKEN]
    assert [request.body for request in asked] == [b"grant_type=client_credentials"]
    assert asked[0].headers["authorization"] == "Basic " + b64encode(b"id:secret").decode()
    assert {r.headers["authorization"] for r in server.requests if r.method == "GET"} == {
        "Bearer t1"
    }


def test_a_token_that_has_ended_is_renewed(server: Server, reddit: Maker) -> None:
    server.says(TOKEN, token("t1", expires_in=30), token("t2"))
    server.says(NEW, listing("1"))
    server.says(HOT, listing())

    whole(reddit(KEYS))

    sent = [r.headers["authorization"] for r in server.requests if r.method == "GET"]
    assert sent == ["Bearer t1", "Bearer t2"]


def test_a_token_that_is_refused_is_renewed_once(server: Server, reddit: Maker) -> None:
    server.says(TOKEN, token("t1"), token("t2"))
    server.says(HOT, answer(401), listing("1"))
    server.says(NEW, listing())

    assert guids(reddit(KEYS)) == ["t3_1"]

    sent = [r.headers["authorization"] for r in server.requests if r.method == "GET"]
    assert sent == ["Bearer t1", "Bearer t2", "Bearer t2"]


def in_its_time(reader: RedditReader, clock: ManualClock) -> tuple[Reading, int]:
    """What it reads first, and how often it was told to come back before."""
    for times in range(10):
        try:
            return reader.read(source()), times
        except HostBusyError as busy:
            clock.now = max(clock.now, busy.until)
    pytest.fail("it never gets to it")


def test_at_a_pace_a_token_is_bought_at_one_visit_and_used_at_the_next(
    server: Server, paced: Maker, clock: ManualClock
) -> None:
    server.says(HOT, answer(401), listing("1"))

    reading, times = in_its_time(paced(KEYS), clock)

    assert [entry.guid for entry in reading.entries] == ["t3_1"]
    assert [request.path for request in server.requests] == [TOKEN, HOT, TOKEN, HOT]
    assert times == 3


def test_at_a_pace_too_whoever_refuses_every_token_has_the_last_word(
    server: Server, paced: Maker, clock: ManualClock
) -> None:
    server.says(HOT, answer(401))

    with pytest.raises(PermanentError, match=r"check reddit\.client_id"):
        in_its_time(paced(KEYS), clock)

    assert [request.path for request in server.requests] == [TOKEN, HOT, TOKEN, HOT]


@pytest.mark.parametrize("refusal", [answer(401), json_answer({"error": "invalid_grant"})])
def test_wrong_keys_are_told_as_such(server: Server, reddit: Maker, refusal: bytes) -> None:
    server.says(TOKEN, refusal)

    with pytest.raises(PermanentError, match=r"check reddit\.client_id and reddit\.client_secret"):
        whole(reddit(KEYS))


@pytest.mark.parametrize(
    ("status", "said"), [(403, "r/energy is private"), (404, "there is no r/energy")]
)
def test_a_closed_subreddit_is_told_in_plain_words(
    server: Server, reddit: Maker, status: int, said: str
) -> None:
    server.says(HOT, answer(status))

    with pytest.raises(PermanentError, match=said):
        whole(reddit(KEYS))


def test_an_unknown_subreddit_leads_to_a_search(server: Server, reddit: Maker) -> None:
    server.says(HOT, answer(302, location="/subreddits/search?q=energy"))
    server.says("/subreddits/search?q=energy", listing())

    with pytest.raises(PermanentError, match="there is no r/energy"):
        whole(reddit(KEYS))


def test_being_asked_to_wait_is_passed_on(server: Server, reddit: Maker) -> None:
    server.says(HOT, answer(429, retry_after="61"))

    with pytest.raises(TransientError) as caught:
        whole(reddit(KEYS))
    assert caught.value.after == 61


def test_a_recorded_evening_is_read(server: Server, reddit: Maker, corpora: Path) -> None:
    tape = corpora / "reddit-praw" / "TestSubredditListings.test_hot.json"
    bought, listed = (
        answer(body=each["response"]["body"]["string"].encode(), content_type="application/json")
        for each in json.loads(tape.read_text())["interactions"]
    )
    server.says(TOKEN, bought)
    for listing_ in ("new", "hot"):
        server.says(f"/r/askreddit/{listing_}?limit=100&raw_json=1", listed)

    reading = whole(reddit(KEYS), source("reddit://AskReddit"))

    assert len(reading.entries) == 99, "102 posts, three of them not safe for work"
    assert all(entry.url and entry.title and entry.published_at for entry in reading.entries)


# ---- without


def test_without_keys_the_public_feed_is_read(server: Server, reddit: Maker) -> None:
    server.says(FEED, feed("2", "1"))

    reading = reddit().read(source())

    assert [entry.guid for entry in reading.entries] == ["t3_2", "t3_1"]
    assert reading.validators.etag == '"1"'
    assert [request.path for request in server.requests] == [FEED]


def test_the_public_feed_is_asked_with_validators(server: Server, reddit: Maker) -> None:
    server.says(FEED, answer(304))

    reading = reddit().read(source(etag='"1"'))

    assert reading.unchanged
    assert reading.validators.etag == '"1"'


def test_being_shut_out_without_keys_says_what_to_do(server: Server, reddit: Maker) -> None:
    server.says(FEED, answer(403))

    with pytest.raises(PermanentError, match=r"without keys, set reddit\.client_id"):
        reddit().read(source())


# ---- which posts, and whose


@pytest.mark.parametrize(
    ("fields", "comes"),
    [
        ({"is_self": True}, True),
        ({"url": "https://news.example/a"}, True),
        ({"post_hint": "image"}, False),
        ({"is_gallery": True}, False),
        ({"url": "https://www.reddit.com/gallery/1"}, False),
        ({"url": "https://m.youtube.com/watch?v=1"}, False),
        ({"url": "https://[broken"}, True),
        ({"over_18": True}, False),
    ],
)
def test_pictures_videos_and_what_is_not_safe_for_work_are_no_news(
    server: Server, reddit: Maker, fields: dict[str, object], comes: bool
) -> None:
    server.says(NEW, listing("1", **fields))
    server.says(HOT, listing())

    assert bool(guids(reddit(KEYS))) is comes


@pytest.mark.parametrize(
    "url",
    [
        "reddit://energy",
        "reddit://r/Energy",
        "https://www.reddit.com/r/energy",
        "https://old.reddit.com/r/energy/top?t=day",
    ],
)
def test_a_subreddit_is_written_in_many_ways(server: Server, reddit: Maker, url: str) -> None:
    server.says(FEED, feed("1"))

    assert guids(reddit(), source(url)) == ["t3_1"]


@pytest.mark.parametrize("url", ["reddit://", "https://reddit.com/user/x", "https://a.example/r/x"])
def test_what_is_no_subreddit_is_refused(reddit: Maker, url: str) -> None:
    with pytest.raises(PermanentError, match="reddit://name"):
        reddit().read(source(url))
