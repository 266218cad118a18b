"""What a fetch leaves behind of the source itself: how it is, and who is told."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from sqlalchemy import select, update

from morningdeck.model.kinds import Health, SourceType
from morningdeck.model.reading import Fetched, Reading, Validators
from morningdeck.model.wanting import NewSource
from morningdeck.store.database.connect import Database
from morningdeck.store.queue.protocol import SqlJobStore
from morningdeck.store.rows.sources import SqlSourceRows
from morningdeck.store.tables.news import sources
from morningdeck.store.tables.running import notices
from morningdeck.store.views.retention import Keep, Retention
from morningdeck.store.views.subscriptions import Subscriptions
from morningdeck.work import Stage
from tests.conftest import NOW
from tests.factories import make_source, make_subscription, make_user, row_of
from tests.store.making import keep_fetched, keep_trouble


def told(database: Database, *, over: bool = False) -> list[tuple[int, str, str]]:
    ended = notices.c.ended_at.is_not(None) if over else notices.c.ended_at.is_(None)
    with database.read() as connection:
        rows = connection.execute(select(notices).where(ended).order_by(notices.c.id)).all()
    return [(row.user_id, row.kind, row.text) for row in rows]


# ---- the source itself


def test_a_source_is_loaded_with_all_that_its_reader_needs(database: Database) -> None:
    source = make_source(database, title="News", etag='W/"1"', refresh_seconds=60)
    found = SqlSourceRows(database).load(source)

    assert found is not None
    assert (found.type, found.title) == (SourceType.RSS, "News")
    assert (found.etag, found.refresh) == ('W/"1"', timedelta(minutes=1))
    assert found.first_import
    assert SqlSourceRows(database).load(source + 1) is None


@pytest.mark.parametrize(
    "since", [{}, {"last_success_at": NOW, "moved_to": "https://new.example/"}]
)
def test_a_start_brings_along_what_would_be_loaded(
    database: Database, since: dict[str, Any]
) -> None:
    source = make_source(database, etag='W/"1"', to_ask=["https://a.example/feed"], **since)
    loaded = SqlSourceRows(database).load(source)
    jobs = SqlJobStore(database, {}, lease=timedelta(seconds=90))
    assert jobs.claim_one(Stage.FETCH, source, "me", NOW)

    job = jobs.start(Stage.FETCH, source, "me", NOW)

    assert job is not None
    assert job.subject == loaded


def test_after_a_success_it_is_no_first_import_any_more(database: Database, source: int) -> None:
    with database.write() as connection:
        connection.execute(update(sources).values(last_success_at=NOW))

    found = SqlSourceRows(database).load(source)
    assert found is not None
    assert not found.first_import


def test_validators_are_kept_byte_for_byte_and_titles_unless_empty(
    database: Database, source: int
) -> None:
    date = "Wed, 18 Nov 2026 08:00:00 GMT"
    keep_fetched(database, source, Fetched(Reading(title="News", validators=Validators('"a b"'))))
    keep_fetched(database, source, Fetched(Reading(validators=Validators(None, date))))

    row = row_of(database, sources, source)
    assert (row.title, row.etag, row.last_modified) == ("News", None, date)


def test_an_unchanged_feed_keeps_its_warnings(database: Database, source: int) -> None:
    keep_fetched(database, source, Fetched(Reading(warnings=("entry 3 is empty",))))
    keep_fetched(database, source, Fetched(Reading(unchanged=True)))

    assert row_of(database, sources, source).warnings == ("entry 3 is empty",)


def test_the_feed_behind_a_page_takes_its_place(database: Database, source: int) -> None:
    keep_fetched(database, source, Fetched(Reading(feed_url="https://news.example/feed")))

    assert row_of(database, sources, source).url == "https://news.example/feed"


def test_a_feed_that_is_a_source_already_is_not_taken_twice(database: Database) -> None:
    taken = "https://news.example/feed"
    page, _ = make_source(database, url="https://news.example/"), make_source(database, url=taken)
    keep_fetched(database, page, Fetched(Reading(feed_url=taken)))

    assert row_of(database, sources, page).url == "https://news.example/"


def test_a_source_of_which_only_a_part_was_read_is_not_well_again(
    database: Database, source: int
) -> None:
    reader = make_user(database)
    make_subscription(database, reader, source)
    keep_trouble(database, source, Health.DEGRADED, "News cannot be read")

    keep_fetched(database, source, Fetched(Reading(to_ask=("https://a.example/1",))))

    assert row_of(database, sources, source).health == Health.DEGRADED
    assert len(told(database)) == 1


def test_what_is_left_to_ask_is_kept_until_it_was_asked_or_has_failed(
    database: Database, source: int
) -> None:
    def left() -> tuple[str, ...]:
        found = SqlSourceRows(database).load(source)
        assert found is not None
        return found.to_ask

    links = ("https://a.example/1", "https://a.example/2")
    keep_fetched(database, source, Fetched(Reading(to_ask=links)))
    assert left() == links
    keep_fetched(database, source, Fetched(Reading()))
    assert left() == ()
    keep_fetched(database, source, Fetched(Reading(to_ask=links)))
    keep_trouble(database, source, Health.ACTIVE, None)
    assert left() == ()


# ---- trouble


def test_trouble_is_told_once_to_everybody_who_reads_the_source(
    database: Database, source: int
) -> None:
    ada, bob, eve = (make_user(database) for _ in range(3))
    make_subscription(database, ada, source)
    make_subscription(database, bob, source)
    make_subscription(database, eve, source, paused=True)

    for _ in range(2):
        keep_trouble(database, source, Health.DEGRADED, "News cannot be read")

    assert row_of(database, sources, source).health == "degraded"
    assert told(database) == [
        (reader, "source-degraded", "News cannot be read") for reader in (ada, bob)
    ]


def test_a_success_ends_the_trouble_and_new_trouble_is_told_again(
    database: Database, source: int
) -> None:
    ada = make_user(database)
    make_subscription(database, ada, source)
    keep_trouble(database, source, Health.DEGRADED, "a timeout")
    keep_fetched(database, source, Fetched(Reading(unchanged=True)))

    assert row_of(database, sources, source).health == "active"
    assert told(database) == []
    assert told(database, over=True) == [(ada, "source-degraded", "a timeout")]

    keep_trouble(database, source, Health.DEGRADED, "no such host")
    assert told(database) == [(ada, "source-degraded", "no such host")]


def test_what_is_gone_is_not_wanted_any_more(database: Database, source: int) -> None:
    keep_trouble(database, source, Health.GONE, "News is gone")

    row = row_of(database, sources, source)
    assert (row.health, row.wanted) == ("gone", False)


def test_what_is_gone_is_not_in_trouble_too(database: Database, source: int) -> None:
    ada = make_user(database)
    make_subscription(database, ada, source)
    keep_trouble(database, source, Health.DEGRADED, "a timeout")
    keep_trouble(database, source, Health.GONE, "News is gone")

    assert told(database) == [(ada, "source-gone", "News is gone")]


@pytest.mark.parametrize("health", [Health.GONE, Health.DEGRADED])
def test_a_reset_ends_what_was_told_until_it_happens_again(
    database: Database, source: int, health: Health
) -> None:
    ada = make_user(database)
    make_subscription(database, ada, source)
    keep_trouble(database, source, health, "410")

    Subscriptions(database).reset(ada, source, now=NOW)
    assert told(database) == []

    keep_trouble(database, source, health, "410 again")
    assert told(database) == [(ada, f"source-{health.value}", "410 again")]


def test_a_new_reader_of_what_is_gone_ends_what_the_others_were_told(database: Database) -> None:
    ada, bob = make_user(database), make_user(database)
    subscriptions, new_source = Subscriptions(database), NewSource("https://news.example/feed")
    source = subscriptions.subscribe(ada, new_source, now=NOW).id
    keep_trouble(database, source, Health.GONE, "News is gone")

    subscriptions.subscribe(bob, new_source, now=NOW)

    assert told(database) == []
    assert row_of(database, sources, source).health == "active"


# ---- moves


def move(database: Database, source: int, url: str) -> None:
    for _ in range(3):
        keep_fetched(database, source, Fetched(Reading(moved_to=url)))


def test_a_move_that_is_believed_is_told_once_and_for_a_week(database: Database) -> None:
    ada = make_user(database)
    source = make_source(database, url="http://old.example/feed", title="News")
    make_subscription(database, ada, source)

    move(database, source, "https://new.example/feed")
    text = "News has moved for good: its new address at new.example is read from now on"
    assert told(database) == [(ada, "source-moved", text)]

    week = timedelta(days=7)
    now = datetime.now(UTC)
    Retention(database).apply(Keep(), now + week - timedelta(hours=1))
    assert len(told(database)) == 1
    Retention(database).apply(Keep(), now + week + timedelta(hours=1))
    assert told(database) == []


def test_a_second_move_is_told_too(database: Database, source: int) -> None:
    make_subscription(database, make_user(database), source)

    move(database, source, "https://new.example/feed")
    move(database, source, "https://newer.example/feed")

    assert len(told(database)) == 2


@pytest.mark.parametrize(
    ("old", "taken"),
    [("http://news.example/feed", "-"), ("http://old.example/", "https://news.example/feed")],
)
def test_what_changes_nothing_for_its_reader_is_no_move(
    database: Database, old: str, taken: str
) -> None:
    make_source(database, url=taken)
    source = make_source(database, url=old)
    make_subscription(database, make_user(database), source)

    move(database, source, "https://news.example/feed")

    assert told(database) == []


def test_the_feed_behind_a_page_is_no_move(database: Database, source: int) -> None:
    make_subscription(database, make_user(database), source)

    keep_fetched(database, source, Fetched(Reading(feed_url="https://feeds.example/1")))

    assert told(database) == []


def test_what_its_reader_has_deactivated_stays_so(database: Database) -> None:
    source = make_source(database, health="inactive")
    keep_trouble(database, source, Health.DEGRADED, None)

    assert row_of(database, sources, source).health == "inactive"
    assert told(database) == []
