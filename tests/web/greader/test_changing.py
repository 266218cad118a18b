"""What reader apps change: marks, sources, folders, lists of feeds."""

from __future__ import annotations

from datetime import timedelta

import pytest

from morningdeck.store.tables.briefs import briefings
from morningdeck.store.tables.news import item_states
from tests.conftest import NOW
from tests.factories import rows_of
from tests.servers.feeds import FeedServer, News
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


@pytest.fixture
def source(web: Website, user: int) -> int:
    return web.stock.source(user, f"https://news.example/{user}", tags=("Sea", "Ships"))


@pytest.fixture
def item(web: Website, source: int) -> int:
    return web.stock.item(source)


def marks(web: Website, item: int) -> tuple[bool, bool] | None:
    rows = rows_of(web.app.store.database, item_states, item_states.c.item_id == item)
    return (rows[0].read_at is not None, rows[0].saved_at is not None) if rows else None


def test_items_become_what_is_put_and_taken(web: Website, reader: ReaderApp, item: int) -> None:
    for said, expected in (
        ({"a": READ}, (True, False)),
        ({"r": READ}, (False, False)),
        ({"a": STARRED}, (False, True)),
        ({"a": READ, "r": STATE + "kept-unread"}, (True, True)),
        ({"a": [STATE + "kept-unread", STATE + "tracking-kept-unread"], "r": READ}, (False, True)),
        ({"a": STATE + "broadcast"}, (False, True)),
        ({"r": STATE + "unread"}, (True, True)),
        ({"r": [READ, STARRED]}, (False, False)),
    ):
        reader.does("edit-tag", i=f"{LONG}{item:016x}", **said)
        assert marks(web, item) == expected, said


def test_every_form_of_an_id_is_understood(web: Website, reader: ReaderApp, source: int) -> None:
    made = [web.stock.item(source) for _ in range(12)]
    for form in ("{:d}", "{:016x}", LONG + "{:016x}", LONG + "{:x}"):
        found = reader.asks("stream/items/contents", i=[form.format(item) for item in made])
        assert [int(one["id"].removeprefix(LONG), 16) for one in found["items"]] == made


@pytest.mark.parametrize(
    "word",
    [
        *("x", "", "-1", "1.5", "9" * 19, "9" * 5_000, "8" + "0" * 15, LONG, LONG + "-1"),
        *(LONG + "f" * 16, LONG + "1" * 17, "tag:google.com,2005:reader/item", "1 2", "\0", "𝟏"),
    ],
)
def test_an_id_that_is_none_is_refused(reader: ReaderApp, word: str) -> None:
    is_an_id = word == "8" + "0" * 15
    for code in (
        reader.post("api/0/edit-tag", i=word, a=READ).status_code,
        reader.post("api/0/stream/items/contents", i=word).status_code,
        reader.get("api/0/stream/items/contents", i=word).status_code,
    ):
        assert code == (200 if is_an_id else 400)


def test_what_is_gone_does_not_keep_the_rest_from_being_marked(
    web: Website, reader: ReaderApp, item: int
) -> None:
    others = web.stock.item(web.stock.source(web.stock.user(f"far{item}@example.org")))

    reader.does("edit-tag", i=[str(10**12), str(others), str(item), str(item)], a=READ)

    assert (marks(web, item), marks(web, others)) == ((True, False), None)


@pytest.mark.parametrize(
    "said",
    [{"a": LABEL + "Mine"}, {"a": STATE + "nonsense"}, {"a": "read"}, {}, {"a": "user/-/label/"}],
)
def test_items_become_nothing_else(reader: ReaderApp, item: int, said: dict[str, str]) -> None:
    assert reader.post("api/0/edit-tag", i=str(item), **said).status_code == 400


def test_all_is_read_up_to_a_time(web: Website, reader: ReaderApp, user: int) -> None:
    source = web.stock.source(user, f"https://times.example/{user}", tags=("Sea",))
    made = [web.stock.item(source, first_seen_at=NOW - timedelta(hours=n)) for n in (4, 3, 2, 1)]
    other = web.stock.item(web.stock.source(user, f"https://other.example/{user}"))

    between = (NOW - timedelta(hours=3.5)).timestamp()
    reader.does("mark-all-as-read", s=f"feed/{source}", ts=f"{between * 1e6:.0f}")
    assert reader.ids(READ) == made[:1]
    later = (NOW - timedelta(hours=2.5)).timestamp()
    reader.does("mark-all-as-read", s=LABEL + "Sea", ts=f"{later * 1e9:.0f}")
    assert reader.ids(READ) == [made[1], made[0]]
    reader.does("mark-all-as-read", s=f"feed/{source}")
    assert reader.ids(xt=READ) == [other]
    reader.does("mark-all-as-read", s=READING_LIST, ts="0")
    assert reader.ids(xt=READ) == []


def test_what_came_at_that_very_moment_is_read_too(
    web: Website, reader: ReaderApp, source: int
) -> None:
    """Apps send the time of the newest item that they have shown."""
    for number in range(20):
        seen_at = NOW - timedelta(hours=30 - number, microseconds=333_331 + 7 * number)
        item = web.stock.item(source, first_seen_at=seen_at)
        (ref,) = reader.asks("stream/items/ids", s=READING_LIST, n="1")["itemRefs"]

        assert reader.ids(ot=ref["timestampUsec"]) == [item]
        reader.does("mark-all-as-read", s=READING_LIST, ts=ref["timestampUsec"])
        assert reader.ids(xt=READ) == []


def test_a_briefing_is_read_at_once(web: Website, reader: ReaderApp, user: int, item: int) -> None:
    left = web.stock.item(web.stock.source(user, f"https://left.example/{user}"))
    web.stock.score(item, web.stock.briefing(user, title="Morning"), 70)

    reader.does("mark-all-as-read", s=LABEL + "Morning")

    assert (marks(web, item), marks(web, left)) == ((True, False), None)


def test_an_edit_token_is_ours_or_none(reader: ReaderApp, item: int) -> None:
    token = reader.get("api/0/token").text

    assert len(token.strip()) == 57
    for good in (token, token.strip(), "", "x"):
        reader.does("edit-tag", i=str(item), a=READ, T=good)
    refused = reader.post("api/0/edit-tag", i=str(item), a=READ, T="é" * 57)
    assert refused.status_code == 401
    assert refused.headers["x-reader-google-bad-token"] == "true"


# ---- folders


def folders(reader: ReaderApp) -> list[list[str]]:
    listed = reader.asks("subscription/list")["subscriptions"]
    return [[one["label"] for one in source["categories"]] for source in listed]


def test_a_source_is_named_filed_and_left(reader: ReaderApp, source: int) -> None:
    feed = f"feed/{source}"
    reader.does("subscription/edit", ac="edit", s=feed, t=" Port ")
    assert reader.asks("subscription/list")["subscriptions"][0]["title"] == "Port"
    reader.does("subscription/edit", ac="edit", s=feed, a=LABEL + "New", r=LABEL + "Sea")
    assert folders(reader) == [["Ships", "New"]]
    reader.does("rename-tag", s=LABEL + "New", dest=LABEL + "Newer")
    reader.does("disable-tag", s=LABEL + "Ships")
    assert folders(reader) == [["Newer"]]
    reader.does("subscription/edit", ac="unsubscribe", s=feed)
    assert reader.asks("subscription/list")["subscriptions"] == []
    assert reader.post("api/0/subscription/edit", ac="unsubscribe", s=feed).status_code == 404


def test_a_label_that_is_a_briefing_is_renamed_and_stays(
    web: Website, reader: ReaderApp, user: int
) -> None:
    briefing = web.stock.briefing(user, title="Morning")

    reader.does("rename-tag", s=LABEL + "Morning", dest=LABEL + "Evening")
    refused = reader.post("api/0/disable-tag", s=LABEL + "Evening")

    assert web.stock.row(briefings, briefing).title == "Evening"
    assert refused.status_code == 409
    assert f"briefing remove {briefing}" in refused.json()["detail"]


def test_a_folder_ends_beside_a_briefing_of_its_name(
    web: Website, reader: ReaderApp, user: int, source: int
) -> None:
    web.stock.briefing(user, title="Sea")

    reader.does("disable-tag", s=LABEL + "Sea")

    assert folders(reader) == [["Ships"]]
    assert {"id": LABEL + "Sea", "type": "tag"} in reader.asks("tag/list")["tags"]


@pytest.mark.parametrize("name", ["\0", "a\nb", " ", "x" * 500])
def test_a_folder_has_a_name_in_one_line(reader: ReaderApp, source: int, name: str) -> None:
    said = {"ac": "edit", "s": f"feed/{source}", "a": LABEL + name}

    assert reader.post("api/0/subscription/edit", **said).status_code in (400, 422)
    assert folders(reader) == [["Sea", "Ships"]]


# ---- sources


def test_a_source_is_added_once(open_web: Website, site: FeedServer) -> None:
    url = site.publish("/a.xml", "Harbour news", [News("Pier opens", "It does.")])
    with logged_in(open_web, "adder@example.org") as reader:
        reader.does("subscription/edit", ac="subscribe", s=f"feed/{url}", a=LABEL + "Sea", t="Port")
        reader.does("subscription/edit", ac="subscribe", s=f"feed/{url}", a=LABEL + "Ships")

        (added,) = reader.asks("subscription/list")["subscriptions"]
        assert (added["title"], added["url"]) == ("Port", url)
        assert [one["label"] for one in added["categories"]] == ["Sea", "Ships"]


def test_an_address_is_added_quickly(open_web: Website, site: FeedServer) -> None:
    url = site.publish("/b.xml", "Ferry news", [News("Ferry sails", "It does.")])
    with logged_in(open_web, "quick@example.org") as reader:
        for said in (url, f"feed/{url}"):
            told = reader.post("api/0/subscription/quickadd", quickadd=said).json()
            assert (told["numResults"], told["streamName"]) == (1, "Ferry news")
        (listed,) = reader.asks("subscription/list")["subscriptions"]
        assert told["streamId"] == listed["id"]

        by_query = reader.client.post(
            f"{BASE}/reader/api/0/subscription/quickadd", params={"quickadd": site.url("/none")}
        ).json()
        assert by_query["numResults"] == 0
        assert by_query["error"]
        assert reader.post("api/0/subscription/quickadd").status_code == 400


def test_feeds_come_and_go_as_opml(web: Website, reader: ReaderApp) -> None:
    body = '<opml><body><outline text="Sea"><outline xmlUrl="https://o.example/f" text="O"/>'
    body += "</outline></body></opml>"
    kind = {"Content-Type": "text/xml"}
    answer = reader.client.post(
        f"{BASE}/reader/api/0/subscription/import", content=body, headers=kind
    )

    assert (answer.status_code, answer.text) == (200, "OK")
    assert folders(reader) == [["Sea"]]
    exported = reader.get("api/0/subscription/export")
    assert "opml" in exported.headers["content-disposition"]
    assert 'xmlUrl="https://o.example/f"' in exported.text


def test_a_form_and_a_list_have_an_end(reader: ReaderApp) -> None:
    for path, most in (("edit-tag", 1_000_000), ("subscription/import", 5_000_000)):
        answer = reader.client.post(f"{BASE}/reader/api/0/{path}", content=b" " * (most + 1))
        assert answer.status_code == 413
        assert f"{most:,}" in answer.json()["detail"]
