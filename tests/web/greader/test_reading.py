"""What reader apps get to read: streams, ids, texts, counts."""

from __future__ import annotations

from datetime import timedelta
from xml.etree import ElementTree

import httpx2
import pytest

from morningdeck.web.images import image_path
from tests.conftest import NOW
from tests.web.greader.app import LABEL, LONG, READ, READING_LIST, STARRED, STATE, ReaderApp
from tests.web.site import Website

ATOM = "{http://www.w3.org/2005/Atom}"


def came(web: Website, source: int, hours_ago: float, **values: object) -> int:
    return web.stock.item(source, first_seen_at=NOW - timedelta(hours=hours_ago), **values)


@pytest.fixture
def source(web: Website, user: int) -> int:
    return web.stock.source(user, f"https://news.example/{user}", tags=("Sea",), name="Harbour")


def test_an_item_is_told_as_clients_read_it(
    web: Website, reader: ReaderApp, user: int, source: int
) -> None:
    published = NOW - timedelta(hours=3)
    item = came(web, source, 1, url="https://x.example/1?a=1&b=2", published_at=published)
    web.stock.set_text(item, raw_content="<p>It <b>opens</b>.</p>", clean_content="It opens.")
    briefing = web.stock.briefing(user, title="Ports & ships")
    web.stock.score(item, briefing, 71)
    reader.does("edit-tag", i=str(item), a=[READ, STARRED])

    (told,) = reader.asks("stream/items/contents", i=f"{LONG}{item:016x}")["items"]

    seen_at = int((NOW - timedelta(hours=1)).timestamp())
    assert told["id"] == f"{LONG}{item:016x}"
    assert (told["crawlTimeMsec"], told["timestampUsec"]) == (f"{seen_at}000", f"{seen_at}000000")
    assert told["published"] == int(published.timestamp())
    assert (told["title"], told["alternate"][0]["href"]) == (
        "Harbour opens",
        "https://x.example/1?a=1&b=2",
    )
    assert told["origin"]["streamId"] == f"feed/{source}"
    assert told["origin"]["title"] == "Harbour"
    assert told["categories"] == [
        *(READING_LIST, READ, STARRED),
        *(LABEL + "Sea", LABEL + "Ports & ships"),
    ]
    content = told["summary"]["content"]
    assert content == (
        "<blockquote><p>Ports &amp; ships, 71: ships</p></blockquote><p>It <b>opens</b>.</p>"
    )


@pytest.mark.parametrize(
    ("texts", "content"),
    [
        ({}, ""),
        ({"clean_content": "a <b\n\nc"}, "<p>a &lt;b</p><p>c</p>"),
        ({"raw_content": "<p>a</p>", "clean_content": "a", "web_content": "a b"}, "<p>a b</p>"),
        ({"raw_content": "<p>a <i>b</i></p>", "web_content": "a b"}, "<p>a <i>b</i></p>"),
    ],
)
def test_the_best_text_that_is_there_is_told(
    web: Website, reader: ReaderApp, source: int, texts: dict[str, str], content: str
) -> None:
    item = came(web, source, 1)
    if texts:
        web.stock.set_text(item, **texts)

    (told,) = reader.asks(f"stream/contents/feed/{source}")["items"]

    assert told["summary"]["content"] == content


@pytest.mark.parametrize(("order", "late"), [("d", 0.5), ("o", 99)])
def test_pages_go_on_while_items_arrive(
    web: Website, reader: ReaderApp, source: int, order: str, late: float
) -> None:
    made = [came(web, source, hours) for hours in range(1, 6)]
    seen: list[int] = []
    page = {"continuation": ""}
    while "continuation" in page:
        values = {"s": READING_LIST, "n": "2", "r": order, "c": page["continuation"]}
        page = reader.asks("stream/items/ids", **values)
        seen += [int(one["id"]) for one in page["itemRefs"]]
        came(web, source, late)

    assert seen == (made if order == "d" else made[::-1])


def test_streams_are_named_crossed_and_taken_away(
    web: Website, reader: ReaderApp, user: int, email: str, source: int
) -> None:
    other = web.stock.source(user, f"https://other.example/{user}")
    read, starred, plain = came(web, source, 3), came(web, source, 2), came(web, other, 1)
    reader.does("edit-tag", i=str(read), a=READ)
    reader.does("edit-tag", i=str(starred), a=STARRED)

    everything = [plain, starred, read]
    for name in (READING_LIST, f"user/{user}/state/com.google/reading-list", f"feed/{source}"):
        assert reader.ids(name) == (everything if "feed" not in name else [starred, read])
    assert reader.ids(f"user/{email.upper()}/state/com.google/reading-list") == everything
    assert reader.ids(f"feed/https://news.example/{user}") == [starred, read]
    assert reader.ids(LABEL + "Sea") == [starred, read]
    assert reader.ids(READ) == reader.ids(it=READ) == [read]
    assert reader.ids(STATE + "kept-unread") == reader.ids(xt=READ) == [plain, starred]
    assert reader.ids(STARRED) == reader.ids(it=STARRED) == [starred]
    assert reader.ids(xt=STARRED) == [plain, read]
    assert reader.ids(xt=[READ, STARRED]) == reader.ids(xt=LABEL + "Sea") == [plain]
    assert reader.ids(STARRED, xt=READ) == [starred]
    assert reader.ids(STATE + "broadcast") == []
    contents = reader.asks("stream/contents/" + STARRED)
    assert [one["id"] for one in contents["items"]] == [f"{LONG}{starred:016x}"]
    assert len(reader.asks("stream/contents")["items"]) == 3


def test_times_are_of_the_arrival_and_of_any_unit(
    web: Website, reader: ReaderApp, source: int
) -> None:
    old, new = came(web, source, 5), came(web, source, 1, published_at=NOW - timedelta(days=9))
    between = (NOW - timedelta(hours=3)).timestamp()

    for unit in (1, 1e3, 1e6, 1e9):
        assert reader.ids(ot=f"{between * unit:.0f}") == [new]
        assert reader.ids(nt=f"{between * unit:.0f}") == [old]
    assert reader.ids(ot=f"{between}") == reader.ids(ot=str(between + 0.125)) == [new]
    assert reader.ids(ot="0", nt="") == [new, old]


def test_a_briefing_is_a_label_of_what_it_would_take(
    web: Website, reader: ReaderApp, user: int, source: int
) -> None:
    taken, refused = came(web, source, 2), came(web, source, 1)
    briefing = web.stock.briefing(user, title="Morning/Ähre")
    web.stock.score(taken, briefing, 40)
    web.stock.score(refused, briefing, 39)
    label = LABEL + "Morning/Ähre"

    assert reader.ids(label) == [taken]
    assert {"id": label, "type": "tag"} in reader.asks("tag/list")["tags"]
    by_path = reader.asks("stream/contents/" + label)["items"]
    assert [one["id"] for one in by_path] == [f"{LONG}{taken:016x}"]
    assert label in by_path[0]["categories"]


def test_a_folder_and_a_briefing_of_one_name_are_one_label(
    web: Website, reader: ReaderApp, user: int, source: int
) -> None:
    other = web.stock.source(user, f"https://more.example/{user}")
    filed, chosen, neither = came(web, source, 3), came(web, other, 2), came(web, other, 1)
    for _ in "12":
        web.stock.score(chosen, web.stock.briefing(user, title="Sea"), 80)

    assert reader.ids(LABEL + "Sea") == [chosen, filed]
    assert [tag["id"] for tag in reader.asks("tag/list")["tags"]].count(LABEL + "Sea") == 1
    assert neither in reader.ids()


def test_unread_items_are_counted(web: Website, reader: ReaderApp, user: int, source: int) -> None:
    silent = web.stock.source(user, f"https://silent.example/{user}")
    items = [came(web, source, hours) for hours in (3, 2, 1)]
    reader.does("edit-tag", i=str(items[2]), a=READ)
    briefing = web.stock.briefing(user, title="Morning")
    web.stock.score(items[0], briefing, 80)
    web.stock.score(items[2], briefing, 80)

    told = reader.asks("unread-count")

    counts = {one["id"]: one for one in told["unreadcounts"]}
    assert {name: one["count"] for name, one in counts.items()} == {
        f"feed/{source}": 2,
        f"feed/{silent}": 0,
        LABEL + "Sea": 2,
        LABEL + "Morning": 1,
        READING_LIST: 2,
    }
    newest = int((NOW - timedelta(hours=1)).timestamp())
    assert counts[READING_LIST]["newestItemTimestampUsec"] == f"{newest}000000"
    assert told["max"] == 2


def test_sources_are_listed_with_their_folders(
    web: Website, reader: ReaderApp, user: int, source: int
) -> None:
    (told,) = reader.asks("subscription/list")["subscriptions"]

    assert told["id"] == f"feed/{source}"
    assert (told["title"], told["url"]) == ("Harbour", f"https://news.example/{user}")
    assert told["categories"] == [{"id": LABEL + "Sea", "label": "Sea"}]
    assert {"id": LABEL + "Sea", "type": "folder"} in reader.asks("tag/list")["tags"]


def test_what_a_client_has_already_is_not_sent_again(
    web: Website, reader: ReaderApp, source: int
) -> None:
    came(web, source, 1)
    for path in ("stream/contents", "subscription/list", "unread-count"):
        first = reader.get(f"api/0/{path}")
        known = {"If-None-Match": first.headers["etag"]}
        again = reader.client.get(str(first.url), headers=known)
        assert (first.status_code, again.status_code) == (200, 304)


def test_lists_are_xml_for_whoever_asks_for_it(
    web: Website, reader: ReaderApp, source: int
) -> None:
    item = came(web, source, 1, title="A \x0b& <b>")

    answer = reader.get("api/0/stream/contents", output="xml")

    root = ElementTree.fromstring(answer.text)
    assert answer.headers["content-type"] == "text/xml; charset=utf-8"
    entry = root.find("list[@name='items']/object")
    assert entry is not None
    assert entry.findtext("string[@name='id']") == f"{LONG}{item:016x}"
    assert entry.findtext("string[@name='title']") == "A & <b>"
    assert int(entry.findtext("number[@name='published']") or 0) > 0


def test_a_stream_is_a_feed(web: Website, reader: ReaderApp, source: int) -> None:
    read, unread = came(web, source, 1, url="https://x.example/?a&b"), came(web, source, 2)
    reader.does("edit-tag", i=str(read), a=[READ, STARRED])

    answer = reader.client.get(f"/api/greader.php/reader/atom/feed%2F{source}?n=20")

    assert answer.headers["content-type"] == "application/atom+xml; charset=utf-8"
    feed = ElementTree.fromstring(answer.text)
    assert feed.findtext(ATOM + "title") == "Harbour"
    entries = feed.findall(ATOM + "entry")
    assert [one.findtext(ATOM + "id") for one in entries] == [
        f"{LONG}{item:016x}" for item in (read, unread)
    ]
    labels = [{c.get("label") for c in one.findall(ATOM + "category")} for one in entries]
    assert labels == [{"reading-list", "read", "starred", "Sea"}, {"reading-list", "fresh", "Sea"}]
    link = entries[0].find(ATOM + "link")
    assert link is not None
    assert link.get("href") == "https://x.example/?a&b"


# ---- logging in


def test_a_login_is_answered_in_three_lines(web: Website, email: str) -> None:
    token = web.token(email, "write")
    said = {"Email": email.upper(), "Passwd": token, "service": "reader", "output": "json"}
    address = f"{web.url}/api/greader.php/accounts/ClientLogin"

    for answer in (httpx2.post(address, data=said), httpx2.get(address, params=said)):
        assert answer.text == f"SID={token}\nLSID=null\nAuth={token}\n"
        assert answer.headers["content-type"].startswith("text/plain")
        assert answer.headers["cache-control"] == "no-store"


@pytest.mark.parametrize("wrong", ["email", "token", "none", "scope"])
def test_a_wrong_login_says_what_the_password_is(web: Website, email: str, wrong: str) -> None:
    token = web.token(email, "read" if wrong == "scope" else "write")
    said = {
        "Email": "somebody@example.org" if wrong == "email" else email,
        "Passwd": "secret" if wrong == "token" else token,
    }
    address = f"{web.url}/api/greader.php/accounts/ClientLogin"

    answer = httpx2.post(address, data={} if wrong == "none" else said)

    assert answer.status_code == (403 if wrong == "scope" else 401)
    assert "write" in answer.json()["detail"]


def test_a_user_is_told_of_themselves(reader: ReaderApp, user: int, email: str) -> None:
    told = reader.asks("user-info")

    assert (told["userId"], told["userEmail"]) == (str(user), email)
    assert reader.asks("preference/list") == {"prefs": []}
    assert reader.asks("friend/list") == {"friends": []}
    assert reader.client.get("/api/greader.php").text == "OK"


def test_images_come_by_way_of_the_deck_alone(web: Website, reader: ReaderApp, source: int) -> None:
    item = came(web, source, 1)
    raw = '<p>A <img src="https://x.example/a.png?b=1&amp;c=2" width="9" alt="a &quot;crane&quot;">'
    raw += '<img alt="none"></p>'
    web.stock.set_text(item, raw_content=raw)

    (told,) = reader.asks("stream/items/contents", i=f"{LONG}{item:016x}")["items"]

    outlets, deck = web.app.adapters.outlets, web.app.settings.web.address
    path = image_path(outlets, "https://x.example/a.png?b=1&c=2")
    shown = f'<p>A <img src="{deck}{path}" alt="a &quot;crane&quot;"></p>'
    assert told["summary"]["content"] == shown
