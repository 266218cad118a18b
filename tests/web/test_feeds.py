"""Briefings as feeds: whoever knows the address may read them, and nobody else."""

from __future__ import annotations

import json
import logging
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path
from urllib.parse import urlsplit

import feedparser  # type: ignore[import-untyped]
import httpx2
import pytest

from morningdeck import logs
from morningdeck.store.database.connect import Database
from morningdeck.store.tables import metadata
from morningdeck.store.tables.briefs import report_items, reports
from morningdeck.store.tables.people import users
from tests.conftest import NOW
from tests.factories import rows_of
from tests.web.site import Website, website


@pytest.fixture
def ada(web: Website) -> Iterator[httpx2.Client]:
    with web.asked_with(web.token("ada@example.org", "write")) as client:
        yield client


@pytest.fixture
def briefing(web: Website, ada: httpx2.Client) -> int:
    return web.stock.briefing(ada.get("/api/v1/me").json()["id"], title="Ships & <harbours>")


def report_of(web: Website, briefing: int, slot: str, hours: int, **values: object) -> int:
    made = web.stock.report(briefing, slot)
    at = NOW - timedelta(hours=hours)
    web.stock.set(reports, made, generated_at=at, subject=f"News of {slot}", **values)
    story = {"report_id": made, "position": 1, "title": f"Story of {slot}"}
    with web.app.store.database.write() as connection:
        connection.execute(report_items.insert().values(**story, url="https://a.example/1"))
    return made


def at(address: str) -> str:
    return urlsplit(address).path


def opened(client: httpx2.Client, briefing: int, rotate: bool = False) -> dict[str, str]:
    answer = client.post(f"/api/v1/briefings/{briefing}/feed", json={"rotate": rotate})
    assert answer.status_code == 201, answer.text
    return {kind: at(address) for kind, address in answer.json().items() if kind != "briefing_id"}


def titles(web: Website, address: str) -> list[str]:
    with web.asked_with(None) as anybody:
        return [one.title for one in feedparser.parse(anybody.get(address).content).entries]


def test_its_reports_are_read_without_a_login(
    web: Website, ada: httpx2.Client, briefing: int
) -> None:
    report_of(web, briefing, "2026-11-17", 30)
    report_of(web, briefing, "2026-11-18", 6)

    feeds = opened(ada, briefing)

    with web.asked_with(None) as anybody:
        answers = {kind: anybody.get(address) for kind, address in feeds.items()}
    assert {kind: one.headers["content-type"] for kind, one in answers.items()} == {
        "rss": "application/rss+xml",
        "atom": "application/atom+xml",
        "json": "application/feed+json",
    }
    for kind in ("rss", "atom"):
        found = feedparser.parse(answers[kind].content)
        assert not found.bozo
        assert found.feed.title == "Ships & <harbours>"
        assert [one.title for one in found.entries] == ["News of 2026-11-18", "News of 2026-11-17"]
        assert "https://a.example/1" in found.entries[0].content[0].value
    assert [one["title"] for one in answers["json"].json()["items"]] == [
        "News of 2026-11-18",
        "News of 2026-11-17",
    ]


def test_what_a_reader_has_already_is_not_sent_again(
    web: Website, ada: httpx2.Client, briefing: int
) -> None:
    report_of(web, briefing, "2026-11-18", 6)
    address = opened(ada, briefing)["atom"]

    with web.asked_with(None) as anybody:
        first = anybody.get(address)
        again = anybody.get(address, headers={"If-None-Match": first.headers["etag"]})
        report_of(web, briefing, "2026-11-19", 1)
        new = anybody.get(address, headers={"If-None-Match": first.headers["etag"]})

    assert (again.status_code, again.content) == (304, b"")
    assert (new.status_code, new.headers["etag"] != first.headers["etag"]) == (200, True)


def test_a_new_address_ends_the_one_before(web: Website, ada: httpx2.Client, briefing: int) -> None:
    report_of(web, briefing, "2026-11-18", 6)
    old = opened(ada, briefing)
    again = ada.post(f"/api/v1/briefings/{briefing}/feed")
    names = feedparser.parse(ada.get(old["rss"]).content)

    new = opened(ada, briefing, rotate=True)

    assert again.status_code == 409
    assert "rotate" in again.json()["detail"]
    with web.asked_with(None) as anybody:
        assert [anybody.get(address).status_code for address in old.values()] == [404] * 3
        same = feedparser.parse(anybody.get(new["rss"]).content)
    assert [one.id for one in same.entries] == [one.id for one in names.entries]


def test_it_can_be_ended(web: Website, ada: httpx2.Client, briefing: int) -> None:
    address = opened(ada, briefing)["rss"]
    assert ada.get(f"/api/v1/briefings/{briefing}").json()["feed"] is True

    assert ada.delete(f"/api/v1/briefings/{briefing}/feed").status_code == 204

    assert ada.get(f"/api/v1/briefings/{briefing}").json()["feed"] is False
    assert ada.get(address).status_code == 404


def test_it_tells_what_was_sent_and_no_more(
    web: Website, ada: httpx2.Client, briefing: int
) -> None:
    report_of(web, briefing, "2026-11-18", 6)
    report_of(web, briefing, "2026-11-17", 30, status="SKIPPED")
    report_of(web, briefing, "2026-11-16", 50, status="PENDING")
    report_of(web, briefing, "2026-11-15", 70, closed_at=NOW)
    others = web.stock.briefing(ada.get("/api/v1/me").json()["id"])
    report_of(web, others, "2026-11-18", 5)

    assert titles(web, opened(ada, briefing)["rss"]) == ["News of 2026-11-18"]


def test_of_somebody_switched_off_it_is_closed(
    web: Website, ada: httpx2.Client, briefing: int
) -> None:
    address = opened(ada, briefing)["rss"]
    user = web.app.store.users.by_email("ada@example.org").id
    web.stock.set(users, user, enabled=False)
    try:
        with web.asked_with(None) as anybody:
            assert anybody.get(address).status_code == 404
    finally:
        web.stock.set(users, user, enabled=True)


def test_the_database_has_no_secret_in_it(web: Website, ada: httpx2.Client, briefing: int) -> None:
    secret = opened(ada, briefing)["rss"].removeprefix("/feeds/").removesuffix(".rss")

    assert len(secret) > 43  # 256 bits in base64, and what tells what it is
    everything = all_of(web.app.store.database)
    assert secret not in everything
    assert secret.removeprefix("mdf_") not in everything


def all_of(database: Database) -> str:
    return " ".join(
        str(row) for table in metadata.tables.values() for row in rows_of(database, table)
    )


def test_addresses_are_those_from_outside_and_the_log_has_none_of_them(
    tmp_path: Path, sqlite_url: str, capsys: pytest.CaptureFixture[str]
) -> None:
    logs.configure("INFO", "json")
    logging.getLogger("httpx2").setLevel(logging.WARNING)  # the client has a log too
    with website(tmp_path, sqlite_url, base_url="https://d.example/deck/") as web:
        token = web.token("ada@example.org", "write")
        user = web.app.store.users.by_email("ada@example.org").id
        briefing = web.stock.briefing(user)
        with web.asked_with(token) as client:
            made = client.post(f"/api/v1/briefings/{briefing}/feed").json()
            assert made["rss"].startswith("https://d.example/deck/feeds/mdf_")
            found = client.get(at(made["rss"])).content
            client.get("/feeds/mdf_guessed.rss")

    assert feedparser.parse(found).feed.link == "https://d.example/deck/"
    lines = capsys.readouterr().err
    routes = [json.loads(line)["route"] for line in lines.splitlines() if '"request"' in line]
    assert routes[1:] == ["/feeds/{secret}.rss"] * 2
    assert "mdf_" not in lines
    assert made["rss"].encode() not in found
