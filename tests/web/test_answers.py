"""What the API answers: the same as the commands, by the page, and with words that help."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import httpx2
import pytest

from morningdeck.store.tables.briefs import briefings, deliveries
from morningdeck.store.tables.news import items
from morningdeck.views import as_json
from morningdeck.web.login import Allowance
from tests.conftest import NOW
from tests.factories import make
from tests.web.site import Website

NAUGHTY = (
    *("\0", "\u202e\x1b[31m\n", "x" * 20_000, "'; DROP TABLE items; --", "-1", "🦀" * 50),
    *("1e400", "[" * 3_000, "%00", "\\ud800", "9" * 5_000, "0001-01-01", "../../etc"),
)


@pytest.fixture
def ada(web: Website) -> Iterator[httpx2.Client]:
    with web.asked_with(web.token("ada@example.org", "write")) as client:
        yield client


@pytest.fixture
def her_id(ada: httpx2.Client) -> int:
    return int(ada.get("/api/v1/me").json()["id"])


def test_a_view_is_as_the_commands_print_it(web: Website, ada: httpx2.Client, her_id: int) -> None:
    source = web.stock.source(her_id, "https://same.example/feed")
    item = web.stock.item(source, published_at=NOW)

    assert ada.get(f"/api/v1/items/{item}").json() == as_json(
        web.app.store.items.show(her_id, item)
    )
    (listed,) = ada.get(f"/api/v1/items?source={source}").json()["items"]
    assert listed["id"] == item


def test_pages_of_a_list_go_on_while_items_arrive(
    web: Website, ada: httpx2.Client, her_id: int
) -> None:
    source = web.stock.source(her_id, "https://pages.example/feed")
    made = [web.stock.item(source, first_seen_at=NOW - timedelta(hours=n)) for n in range(5)]

    seen, cursor = [], ""
    while True:
        answer = ada.get(f"/api/v1/items?source={source}&limit=2{cursor}").json()
        seen += [one["id"] for one in answer["items"]]
        if answer["next_cursor"] is None:
            break
        cursor = f"&cursor={answer['next_cursor']}"
        web.stock.item(source, first_seen_at=NOW + timedelta(hours=1))

    assert seen == made


@pytest.mark.parametrize(
    "path", ["sources", "items", "briefings", "reports", "stories", "topics", "usage"]
)
@pytest.mark.parametrize("cursor", ["x", "WzFd", "W10", "WyIiLCIiLCIiXQ", "WzFlOTksMSwxXQ", "🦀"])
def test_a_cursor_of_somebody_elses_making_is_refused(
    ada: httpx2.Client, path: str, cursor: str
) -> None:
    answer = ada.get(f"/api/v1/{path}", params={"cursor": cursor})

    assert answer.status_code in (200, 400)  # some are a place in some list
    assert answer.status_code == 200 or "begin without" in answer.json()["detail"]


def test_what_a_client_has_already_is_not_sent_again(ada: httpx2.Client) -> None:
    first = ada.get("/api/v1/sources")
    again = ada.get("/api/v1/sources", headers={"If-None-Match": first.headers["etag"]})

    assert (again.status_code, again.content) == (304, b"")
    assert ada.post("/api/v1/sources", json={"url": "https://new.example", "check": False})
    changed = ada.get("/api/v1/sources", headers={"If-None-Match": f"W/{first.headers['etag']}"})
    assert changed.status_code == 200


@pytest.mark.parametrize(
    ("known", "code"),
    [
        *[(["{}"], 304), (["W/{}"], 304), (['"x", {}'], 304), (["*"], 304), (['"x"', "{}"], 304)],
        *[(['"x"'], 200), ([""], 200), (["x{}"], 200)],
    ],
)
def test_what_a_client_has_may_be_said_in_many_ways(
    ada: httpx2.Client, known: list[str], code: int
) -> None:
    tag = ada.get("/api/v1/briefings").headers["etag"]

    said = [("If-None-Match", one.format(tag)) for one in known]

    assert ada.get("/api/v1/briefings", headers=said).status_code == code


@pytest.mark.parametrize(
    ("path", "body", "code", "told"),
    [
        ("sources", {"url": "https://gone.example/"}, 422, "nothing there"),
        ("sources", {"url": "ftp://a.example/", "check": False}, 422, "http"),
        ("sources", {}, 422, "body.url"),
        ("sources", {"url": "https://a.example", "colour": "red"}, 422, "body.colour"),
        ("briefings", {"title": "A", "criteria": "b"}, 422, "say when: either daily"),
        ("briefings", {"title": "A", "criteria": "b", "daily": "25:00"}, 422, "time of day"),
        ("briefings", {"title": "A", "criteria": "b", "daily": "8:00", "source": [10**9]}, 404, ""),
        ("items/read", {}, 422, "either ids, or before"),
        ("items/read", {"before": "0001-01-01T00:00:00+14:00"}, 422, "no date"),
    ],
)
def test_a_refusal_says_what_to_do(
    ada: httpx2.Client, path: str, body: Any, code: int, told: str
) -> None:
    answer = ada.post(f"/api/v1/{path}", json=body)

    assert (answer.status_code, answer.json()["status"]) == (code, code)
    assert told in answer.json()["detail"]


@pytest.mark.parametrize(
    ("body", "kind", "code", "told"),
    [
        (b'{"url": "https://a.example/"}', "text/plain", 422, "Content-Type: application/json"),
        (b"url=https://a.example/", "application/x-www-form-urlencoded", 422, "an object of JSON"),
        (b'["https://a.example/"]', "application/json", 422, "an object of JSON"),
        (b'{"url": "\xff"}', "application/json", 400, "UTF-8"),
        (b"[" * 200_000, "application/json", 400, "brackets"),
        (b'{"url": ' + b"9" * 5_000 + b"}", "application/json", 400, "digits"),
    ],
)
def test_a_body_that_is_none_is_told_what_it_should_be(
    ada: httpx2.Client, body: bytes, kind: str, code: int, told: str
) -> None:
    answer = ada.post("/api/v1/sources", content=body, headers={"Content-Type": kind})

    assert (answer.status_code, answer.headers["content-type"]) == (
        code,
        "application/problem+json",
    )
    assert told in answer.json()["detail"]


def test_what_is_subscribed_already_is_a_conflict(ada: httpx2.Client) -> None:
    twice = {"url": "https://twice.example", "check": False}

    assert [ada.post("/api/v1/sources", json=twice).status_code for _ in "12"] == [201, 409]


def test_an_id_that_no_database_holds_is_not_there(ada: httpx2.Client) -> None:
    for number in (0, -1, 2**63, 10**30, "x", "9" * 5_000):
        assert ada.get(f"/api/v1/items/{number}").status_code == 404
    assert ada.get(f"/api/v1/items?source={2**63}").status_code == 404


@pytest.mark.parametrize("word", NAUGHTY)
def test_no_word_is_a_bug(ada: httpx2.Client, word: str) -> None:
    bodies = [
        ("sources", {"url": word, "name": word, "topics": [word], "check": False}),
        ("sources", {"url": "https://n.example/?" + word, "type": word, "every": word}),
        ("items", {"url": f"https://n.example/{word}"}),
        ("briefings", {"title": word, "criteria": word, "daily": "08:00", "language": word}),
        ("briefings", {"title": "A", "criteria": "b", "daily": word, "to": [word], "ping": word}),
        ("briefings", {"title": "A", "criteria": "b", "daily": "08:00", "section": [word + ":x"]}),
    ]
    answers = [ada.post(f"/api/v1/{path}", json=body) for path, body in bodies]
    answers += [ada.post("/api/v1/opml", content=word.encode())]
    for name in ("q", "since", "cursor", "status", "limit", "sort"):
        for path in ("search", "items", "usage"):
            query = {"q": "ships", name: word[:5_000]}
            answers += [ada.get(f"/api/v1/{path}", params=query)]

    assert {answer.status_code for answer in answers if answer.status_code >= 500} == set()


@pytest.mark.parametrize("body", [b"\xff", b"[" * 100_000, b'"', b'{"url": "\\ud800"}', b"[1]"])
def test_a_body_that_is_none_is_refused(ada: httpx2.Client, body: bytes) -> None:
    headers = {"Content-Type": "application/json"}

    answer = ada.post("/api/v1/items", content=body, headers=headers)

    assert answer.status_code in (400, 422)
    assert answer.headers["content-type"] == "application/problem+json"


# ---- what is left to the daemon


def test_a_manual_run_is_left_to_the_daemon_once(
    web: Website, ada: httpx2.Client, her_id: int
) -> None:
    briefing = web.stock.briefing(her_id)
    planned = web.stock.row(briefings, briefing).next_run_at

    codes = [ada.post(f"/api/v1/briefings/{briefing}/run").status_code for _ in "12"]

    row = web.stock.row(briefings, briefing)
    assert codes == [202, 202]
    assert (row.next_run_at, row.due_at > planned - timedelta(days=9999)) == (planned, True)
    assert row.run_requested_at is not None
    assert row.run_requested_at <= row.due_at
    web.stock.set(briefings, briefing, status="PROCESSING")
    assert ada.post(f"/api/v1/briefings/{briefing}/run").status_code == 409


def test_what_did_not_arrive_is_left_to_the_daemon(
    web: Website, ada: httpx2.Client, her_id: int
) -> None:
    report = web.stock.report(web.stock.briefing(her_id))
    sent = {"channel": "folder", "content": b"Hello", "report_id": report}
    lost = make(web.app.store.database, deliveries, address="a", status="UNKNOWN", **sent)
    there = make(web.app.store.database, deliveries, address="b", status="SENT", **sent)

    answer = ada.post(f"/api/v1/reports/{report}/send")

    assert answer.status_code == 202
    states = {one["id"]: one["state"] for one in answer.json()["deliveries"]}
    assert states == {lost: "PENDING", there: "SENT"}
    other = ada.post(f"/api/v1/reports/{report}/send", json={"to": "c"})
    assert other.status_code == 404


def test_where_reports_went_is_a_list_of_ones_own(
    web: Website, ada: httpx2.Client, her_id: int
) -> None:
    made = []
    for number, user in enumerate((her_id, her_id, her_id, web.user("bea@example.org").id)):
        report = web.stock.report(web.stock.briefing(user))
        sent = {"channel": "smtp", "address": f"{number}@example.org", "report_id": report}
        status = "REFUSED" if number == 1 else "SENT"
        kept = {"content": b"Hello", "status": status}
        made.append(make(web.app.store.database, deliveries, **sent, **kept))

    first = ada.get("/api/v1/deliveries?limit=2").json()
    rest = ada.get(f"/api/v1/deliveries?limit=2&cursor={first['next_cursor']}").json()
    (refused,) = ada.get("/api/v1/deliveries?state=REFUSED").json()["items"]

    assert [one["id"] for one in first["items"]] == [made[2], made[1]]
    assert made[0] in [one["id"] for one in rest["items"]]
    assert made[3] not in [one["id"] for one in rest["items"]]
    assert (refused["id"], refused["address"]) == (made[1], "1@example.org")
    assert "content" not in refused


# ---- marks


def test_an_item_is_marked_as_one_says(web: Website, ada: httpx2.Client, her_id: int) -> None:
    item = web.stock.item(web.stock.source(her_id, "https://marks.example/feed"))

    marked = ada.patch(f"/api/v1/items/{item}", json={"read": True, "saved": True}).json()

    assert (marked["read"], marked["saved"]) == (True, True)
    assert ada.patch(f"/api/v1/items/{item}", json={"read": False}).json()["read"] is False
    assert ada.patch(f"/api/v1/items/{item}", json={"feedback": 1}).status_code == 409
    assert ada.patch(f"/api/v1/items/{item}", json={}).status_code == 422


def test_items_are_read_by_their_ids_or_up_to_a_date(
    web: Website, ada: httpx2.Client, her_id: int
) -> None:
    source = web.stock.source(her_id, "https://read.example/feed")
    old, new = (web.stock.item(source, first_seen_at=NOW - timedelta(hours=n)) for n in (2, 1))
    others = web.stock.item(web.stock.source(web.stock.user("far@example.org")))
    before = (NOW - timedelta(hours=2)).isoformat()

    def read(**body: Any) -> Any:
        return ada.post("/api/v1/items/read", json=body).json()["read"]

    assert read(before=before, source=source) == 1
    assert read(ids=[old, new, others]) == 1
    assert read(ids=[new]) == 0
    assert web.stock.row(items, others).id == others


def test_what_has_failed_for_good_waits_again_when_asked(
    web: Website, ada: httpx2.Client, her_id: int
) -> None:
    source = web.stock.source(her_id, "https://dead.example/feed")
    dead = web.stock.item(source, status="ERROR", failures=3)

    answers = [ada.post(f"/api/v1/items/{dead}/retry") for _ in "12"]

    assert [one.status_code for one in answers] == [202, 409]
    assert (answers[0].json()["status"], answers[0].json()["failures"]) == ("NEW", 0)
    assert "no dead letter" in answers[1].json()["detail"]


def test_a_page_that_is_saved_twice_is_one(ada: httpx2.Client) -> None:
    page = {"url": "https://twice.example/saved"}

    first, second = (ada.post("/api/v1/items", json=page) for _ in "12")

    assert [first.status_code, second.status_code] == [202, 202]
    assert first.json()["id"] == second.json()["id"]


# ---- limits


def test_a_token_that_asks_too_often_waits() -> None:
    now = [0.0]
    allowance = Allowance(per_minute=60, clock=lambda: now[0])

    taken = [allowance.take(1)[0] for _ in range(61)]

    assert taken == [True] * 60 + [False]
    assert allowance.take(2)[0]
    now[0] = 1.0
    allowed, told = allowance.take(1)
    assert (allowed, told["RateLimit-Limit"], told["RateLimit-Remaining"]) == (True, "60", "0")
