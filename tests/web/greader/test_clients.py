"""The requests of well-known apps, one after the other as they send them."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import httpx2
import pytest

from morningdeck.store.tables.news import item_states
from tests.conftest import NOW
from tests.factories import rows_of
from tests.web.greader.app import BASE, LABEL, LONG, READ, READING_LIST, STARRED
from tests.web.site import Website

API = f"{BASE}/reader/api/0"
FORM = {"Content-Type": "application/x-www-form-urlencoded"}


@pytest.fixture
def made(web: Website, user: int) -> list[int]:
    """Ten and more of one source, so that the hexadecimal digits of ids are others."""
    source = web.stock.source(user, f"https://news.example/{user}", tags=("Sea",), name="Harbour")
    return [
        web.stock.item(source, title=f"Ferry {n}", first_seen_at=NOW - timedelta(hours=20 - n))
        for n in range(12)
    ]


def marks(web: Website, user: int) -> dict[int, tuple[bool, bool]]:
    rows = rows_of(web.app.store.database, item_states, item_states.c.user_id == user)
    return {row.item_id: (row.read_at is not None, row.saved_at is not None) for row in rows}


def hexed(item: int) -> str:
    return f"{LONG}{item:x}"


def test_netnewswire_reads_and_marks(web: Website, user: int, email: str, made: list[int]) -> None:
    """Its forms are not encoded, its ids not filled up, its times have a fraction."""
    token = web.token(email, "write")
    with httpx2.Client(base_url=web.url, timeout=60) as app:
        body = f"Email={email}&Passwd={token}"
        lines = app.post(f"{BASE}/accounts/ClientLogin", content=body, headers=FORM).text
        auth = {line.split("=")[0]: line.split("=")[1] for line in lines.strip().split("\n")}
        app.headers["Authorization"] = f"GoogleLogin auth={auth['Auth']}"
        edit = app.get(f"{API}/token").text
        tags = app.get(f"{API}/tag/list?output=json").json()["tags"]
        feeds = app.get(f"{API}/subscription/list?output=json").json()["subscriptions"]
        since = f"{(NOW - timedelta(days=90)).timestamp()}123"
        unread = app.get(
            f"{API}/stream/items/ids",
            params={"s": READING_LIST, "n": "10000", "xt": READ, "ot": since, "output": "json"},
        ).json()["itemRefs"]
        starred = app.get(f"{API}/stream/items/ids?s={STARRED}&n=10000&output=json").json()
        ids = "&".join(f"i={hexed(int(one['id']))}" for one in unread)
        contents = app.post(
            f"{API}/stream/items/contents",
            content=f"T={edit}&output=json&{ids}",
            headers=FORM,
        ).json()
        marked = app.post(
            f"{API}/edit-tag",
            content=f"T={edit}&i={LONG}{made[0]:016x}&i={LONG}{made[11]:016x}&a={READ}",
            headers=FORM,
        )
        kept = app.post(
            f"{API}/edit-tag", content=f"T={edit}&i={LONG}{made[3]:016x}&a={STARRED}", headers=FORM
        )
        moved = app.post(
            f"{API}/subscription/edit",
            content=f"T={edit}&s={feeds[0]['id']}&ac=edit&r={LABEL}Sea&a={LABEL}Big ships",
            headers=FORM,
        )

    assert {tag["id"] for tag in tags} == {STARRED, LABEL + "Sea"}
    assert feeds[0]["categories"][0]["label"] == "Sea"
    assert [int(one["id"]) for one in unread] == made[::-1]
    assert starred["itemRefs"] == []
    assert [one["title"] for one in contents["items"]] == [f"Ferry {n}" for n in range(11, -1, -1)]
    for entry in contents["items"]:
        assert {"id", "title", "published", "crawlTimeMsec", "summary", "origin"} <= entry.keys()
    assert [one.text for one in (marked, kept, moved)] == ["OK"] * 3
    assert marks(web, user) == {
        made[0]: (True, False),
        made[11]: (True, False),
        made[3]: (False, True),
    }
    (source,) = web.app.store.subscriptions.followed(user)
    assert source.tags == ("Big ships",)


def test_read_you_reads_and_marks(web: Website, user: int, email: str, made: list[int]) -> None:
    """`output=json` stands in the address of everything, also of what it posts."""
    token = web.token(email, "write")
    with httpx2.Client(base_url=web.url, timeout=60) as app:
        form = {"output": "json", "Email": email, "Passwd": token, "client": "ReadYou/1"}
        form |= {"accountType": "HOSTED_OR_GOOGLE", "service": "reader"}
        lines = app.post(f"{BASE}/accounts/ClientLogin", data=form).text.split("\n")
        auth = next(line for line in lines if line.startswith("Auth="))[5:]
        app.headers["Authorization"] = f"GoogleLogin auth={auth}"
        edit = app.get(f"{API}/token").text

        def ids(stream: str, **more: str) -> list[int]:
            said = {"output": "json", "s": stream, "n": "10000", **more}
            refs = app.get(f"{API}/stream/items/ids", params=said).json()["itemRefs"]
            return [int(one["id"]) for one in refs]

        def post(path: str, **form: Any) -> httpx2.Response:
            return app.post(f"{API}/{path}?output=json", data={**form, "T": edit})

        who = app.get(f"{API}/user-info?output=json").json()
        since = str(int((NOW - timedelta(days=30)).timestamp()))
        first = ids(READING_LIST, xt=READ)
        contents = post("stream/items/contents", i=[f"{one:016x}" for one in first]).json()
        marked = post("edit-tag", i=f"{LONG}{made[0]:016x}", a=READ)
        kept = post("edit-tag", i=f"{LONG}{made[1]:016x}", a=STARRED)
        unmarked = post("edit-tag", i=f"{LONG}{made[0]:016x}", r=READ)
        again = post("edit-tag", i=[f"{LONG}{one:016x}" for one in made[2:4]], a=READ)
        read, starred = ids(READ, ot=since), ids(STARRED)
        until = str(int((NOW - timedelta(hours=20 - 8)).timestamp() * 1_000_000))
        all_marked = post(
            "mark-all-as-read", s=contents["items"][0]["origin"]["streamId"], ts=until
        )
        renamed = post("rename-tag", s=LABEL + "Sea", dest=LABEL + "Port")
        left = ids(READING_LIST, xt=READ)
        (feed,) = app.get(f"{API}/subscription/list?output=json").json()["subscriptions"]
        gone = post("subscription/edit", ac="unsubscribe", s=feed["id"])

    assert who["userEmail"] == email
    assert first == made[::-1]
    assert [int(one["id"].removeprefix(LONG), 16) for one in contents["items"]] == first
    answers = (marked, kept, unmarked, again, all_marked, renamed, gone)
    assert [one.text for one in answers] == ["OK"] * 7
    assert (read, starred) == ([made[3], made[2]], [made[1]])
    assert left == made[:8:-1]
    assert feed["categories"] == [{"id": LABEL + "Port", "label": "Port"}]
    assert web.app.store.subscriptions.followed(user) == ()


def test_easyrss_reads_and_marks_a_thousand_at_once(
    web: Website, user: int, email: str, made: list[int]
) -> None:
    """It names the reading list by its bare word; long forms are 62 bytes each in a body."""
    token = web.token(email, "write")
    with httpx2.Client(base_url=web.url, timeout=60) as app:
        app.headers["Authorization"] = f"GoogleLogin auth={token}"
        listed = app.get(f"{API}/stream/contents/reading-list", params={"n": "20", "xt": READ})
        ids = [f"{LONG}{one:016x}" for one in (*made, *range(10**6, 10**6 + 988))]
        marked = app.post(f"{API}/edit-tag", data={"i": ids, "a": [READ, STARRED], "T": "x"})
        contents = app.post(f"{API}/stream/items/contents", data={"i": ids}).json()["items"]

    assert [one["title"] for one in listed.json()["items"]] == [
        f"Ferry {n}" for n in range(11, -1, -1)
    ]
    assert (len(ids), marked.text, len(contents)) == (1000, "OK", 12)
    assert marks(web, user) == dict.fromkeys(made, (True, True))


def test_fluent_reader_finds_a_link_in_each_item(
    web: Website, user: int, email: str, made: list[int]
) -> None:
    """It takes `canonical[0].href` of each, and shows nothing of a stream where one has none: an
    article of a mail has our own page.
    """
    source = web.stock.source(user, f"imap://letters/{user}", type="email")
    letter = web.stock.item(source, title="A letter", url=None, first_seen_at=NOW)
    token = web.token(email, "write")
    with httpx2.Client(base_url=web.url, timeout=60) as app:
        form = {"Email": email, "Passwd": token}
        lines = app.post(f"{BASE}/accounts/ClientLogin", data=form).text
        app.headers["Authorization"] = f"GoogleLogin auth={lines.partition('Auth=')[2].split()[0]}"
        unread = f"{API}/stream/items/ids?output=json&s={READING_LIST}&xt={READ}&n=1000"
        assert [int(one["id"]) for one in app.get(unread).json()["itemRefs"]] == [
            letter,
            *made[::-1],
        ]
        entries = app.get(f"{API}/stream/contents?output=json&n=125&ot=1").json()["items"]
        ids = [int(one["id"].rpartition("/")[2], 16) for one in entries]
        marked = app.post(
            f"{API}/edit-tag", content=f"i={'&i='.join(map(str, ids))}&a={READ}", headers=FORM
        )

    assert ids == [letter, *made[::-1]]
    assert entries[0]["canonical"][0]["href"].endswith(f"/items/{letter}")
    assert all(one["canonical"][0]["href"].startswith("http") for one in entries)
    assert marked.text == "OK"
    assert all(read for read, _ in marks(web, user).values())


def test_reeder_and_feedme_read_and_mark(
    web: Website, user: int, email: str, made: list[int]
) -> None:
    """They ask for whole streams page by page, and send an `x` or nothing for an edit token."""
    token = web.token(email, "write")
    said = {"Email": email, "Passwd": token, "service": "reader", "source": "Reeder"}
    with httpx2.Client(base_url=web.url, timeout=60) as app:
        lines = dict(
            line.split("=", 1)
            for line in app.get(f"{BASE}/accounts/ClientLogin", params=said).text.split()
        )
        app.headers["Authorization"] = f"GoogleLogin auth={lines['Auth']}"
        counts = app.get(f"{API}/unread-count", params={"all": "1", "output": "json"}).json()
        titles: list[str] = []
        more: dict[str, str] = {}
        while True:
            page = app.get(
                f"{API}/stream/contents/{READING_LIST}",
                params={"n": "5", "xt": READ, "r": "o", "ck": "1", "output": "json", **more},
            ).json()
            titles += [entry["title"] for entry in page["items"]]
            if "continuation" not in page:
                break
            more = {"c": page["continuation"]}
        decimal = {"i": [str(one) for one in made[:2]], "a": READ, "s": "feed/1", "T": "x"}
        marked = app.post(f"{API}/edit-tag", data=decimal)
        kept = app.post(f"{API}/edit-tag", data={"i": hexed(made[2]), "a": STARRED, "ac": "edit"})
        feed = counts["unreadcounts"][0]["id"]
        named = app.post(f"{API}/subscription/edit", data={"ac": "edit", "s": feed, "t": "Port"})
        left = app.post(f"{API}/mark-all-as-read", data={"s": LABEL + "Sea", "T": "x"})

    assert counts["max"] == 12
    assert titles == [f"Ferry {n}" for n in range(12)]
    assert [one.text for one in (marked, kept, named, left)] == ["OK"] * 4
    assert marks(web, user) == {one: (True, one == made[2]) for one in made}
    (source,) = web.app.store.subscriptions.followed(user)
    assert source.name == "Port"
