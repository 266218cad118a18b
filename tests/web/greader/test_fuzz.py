"""Whatever a reader app says: no bug, and no word that brings up what is somebody else's."""

from __future__ import annotations

from collections.abc import Iterator

import httpx2
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as some

from tests.web.greader.app import (
    BASE,
    LABEL,
    LONG,
    READ,
    READING_LIST,
    STARRED,
    STATE,
    ReaderApp,
    logged_in,
)
from tests.web.site import Website
from tests.web.test_answers import NAUGHTY

API = f"{BASE}/reader/api/0"
GETS: tuple[str, ...] = (
    *("token", "user-info", "tag/list", "subscription/list", "subscription/export"),
    *("unread-count", "preference/list", "friend/list", "stream/items/ids", "stream/contents"),
    *("stream/items/contents", "stream/contents/" + READING_LIST, "stream/contents/feed/1"),
)
POSTS: tuple[str, ...] = (
    *("edit-tag", "mark-all-as-read", "rename-tag", "disable-tag", "stream/items/contents"),
    *("subscription/edit", "subscription/quickadd", "subscription/import"),
)
LISTS = ("stream/items/ids", "stream/contents")
READ_IN = {
    "s": (*LISTS, "mark-all-as-read", "subscription/edit", "rename-tag", "disable-tag"),
    "i": ("stream/items/contents", "edit-tag"),
    **dict.fromkeys(("a", "r"), ("edit-tag", "subscription/edit")),
    **dict.fromkeys(("t", "ac"), ("subscription/edit",)),
    **dict.fromkeys(("n", "c", "ot", "nt", "it", "xt", "output"), LISTS),
    **{"ts": ("mark-all-as-read",), "dest": ("rename-tag",), "T": ("edit-tag",)},
    "quickadd": ("subscription/quickadd",),
}
"""Where a word of each name is looked at."""
KNOWN = (
    *(READING_LIST, READ, STARRED, LABEL, LABEL + "Sea", STATE, "feed/", "feed/1", "feed/-1"),
    *("user/-/", "user/1/state/com.google/read", "user/2/label/Sea", LONG, LONG + "1", "edit"),
    *("subscribe", "unsubscribe", "json", "xml", "o", "0", "1", "-1", "10000", "99999999999"),
    *(
        "1e9",
        "nan",
        "inf",
        "9" * 18,
        "9" * 40,
        "WzFd",
        "WyIyMDI2LTExLTE4IiwgMV0",
        "\ud7ff\U0010ffff",
    ),
)
words = some.one_of(
    some.sampled_from((*KNOWN, *(word[:3_000] for word in NAUGHTY))),
    some.text(some.characters(codec="utf-8"), max_size=30),
    some.integers(-(2**70), 2**70).map(str),
    some.integers(0, 2**70).map(lambda number: f"{LONG}{number:x}"),
)
sayings = some.dictionaries(
    some.sampled_from(tuple(READ_IN)), some.lists(words, max_size=3), max_size=6
)


@pytest.fixture(scope="module")
def fuzzed(web: Website) -> Iterator[ReaderApp]:
    user = web.stock.user("fuzz@example.org")
    for number in range(3):
        source = web.stock.source(user, f"https://fuzz{number}.example", tags=("Sea",))
        web.stock.score(web.stock.item(source), web.stock.briefing(user, title="Sea"), 70)
    with logged_in(web, "fuzz@example.org") as app:
        yield app


@settings(
    max_examples=120, derandomize=True, suppress_health_check=list(HealthCheck), deadline=None
)
@given(path=some.sampled_from(GETS), said=sayings)
def test_whatever_is_asked_is_no_bug(
    fuzzed: ReaderApp, path: str, said: dict[str, list[str]]
) -> None:
    check(fuzzed.client.get(f"{API}/{path}", params=said))


@settings(
    max_examples=120, derandomize=True, suppress_health_check=list(HealthCheck), deadline=None
)
@given(path=some.sampled_from(POSTS), said=sayings)
def test_whatever_is_said_is_no_bug(
    fuzzed: ReaderApp, path: str, said: dict[str, list[str]]
) -> None:
    check(fuzzed.client.post(f"{API}/{path}", data=said))


@settings(max_examples=60, derandomize=True, suppress_health_check=list(HealthCheck), deadline=None)
@given(stream=words)
def test_whatever_a_stream_is_called_is_no_bug(fuzzed: ReaderApp, stream: str) -> None:
    name = httpx2.QueryParams({"": stream})
    quoted = str(name)[1:].replace("+", "%20")[:3_000]
    for place in ("reader/atom", "reader/api/0/stream/contents"):
        check(fuzzed.client.get(f"{BASE}/{place}/{quoted}"))


@pytest.mark.parametrize("name", READ_IN)
def test_no_word_is_a_bug_in_any_place(fuzzed: ReaderApp, name: str) -> None:
    whole = {"s": READING_LIST, "i": "1", "a": READ, "ac": "edit", "dest": LABEL + "Land"}
    for word in NAUGHTY:
        said = {**whole, name: word[:3_000]}
        for path in READ_IN[name]:
            if path in POSTS:
                check(fuzzed.client.post(f"{API}/{path}", data=said))
            if path in GETS:
                check(fuzzed.client.get(f"{API}/{path}", params=said))


def check(answer: httpx2.Response) -> None:
    assert answer.status_code < 500, (answer.url, answer.text)


@pytest.mark.parametrize("body", [b"\xff", b"%ff=%ff&i=%", b"&" * 30_000, b"i=1&" * 20_001, b"="])
def test_a_form_that_is_none_is_refused(fuzzed: ReaderApp, body: bytes) -> None:
    kind = {"Content-Type": "application/x-www-form-urlencoded"}

    assert fuzzed.client.post(f"{API}/edit-tag", content=body, headers=kind).status_code == 400


@pytest.mark.parametrize("shown", ["x", "auth=", "auth= x", "auth=\xff", "auth=" + "x" * 9_000])
def test_no_login_is_a_bug(web: Website, shown: str) -> None:
    with httpx2.Client(base_url=web.url) as client:
        headers = {b"Authorization": f"GoogleLogin {shown}".encode("latin-1")}
        assert client.get(f"{API}/token", headers=headers).status_code == 401
