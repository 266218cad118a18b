"""Editions over days and weeks on the real store: what is news again, and what was told where."""

from __future__ import annotations

from datetime import timedelta

import pytest
from sqlalchemy import update

from morningdeck.edition import draw_up
from morningdeck.model.sending import Report, Undelivered
from morningdeck.store.database.connect import Database
from morningdeck.store.rows.briefings import SqlBriefingRows
from morningdeck.store.tables.briefs import (
    briefings,
    deliveries,
    reports,
)
from morningdeck.store.tables.news import item_texts, items, stories
from tests.conftest import NOW
from tests.factories import (
    change,
    make,
    make_report,
    rows_of,
)
from tests.store.desk import DAY, Reader

HOUR = timedelta(hours=1)
GROUNDED = "The Harwich ferry Stena Hollandica ran aground with 412 people aboard."
SAME_IN_SHORT = "All 412 aboard the Stena Hollandica are safe."
REVIEW = "Transport secretary Lucy Powell ordered a review of all 31 crossings."


@pytest.fixture
def ada(database: Database) -> Reader:
    return Reader(database)


def a_story(database: Database) -> int:
    return make(database, stories, label="Harbour")


def drawn(ada: Reader, briefing: int | None = None) -> Report:
    found = ada.table.load(briefing or ada.briefing)
    assert found is not None
    return draw_up(0, "preview", found, ada.table, NOW).report


# ---- a story that was told before


def told_yesterday(ada: Reader) -> int:
    """The story that yesterday's report told."""
    story = a_story(ada.database)
    first = ada.item(80, story_id=story, summary=GROUNDED)
    assert ada.run(NOW) == [first]
    return story


def test_a_story_that_was_told_comes_back_when_something_is_new(ada: Reader) -> None:
    story = told_yesterday(ada)
    new = ada.item(70, story_id=story, summary=REVIEW, first_seen_at=NOW + 20 * HOUR)

    (place,) = draw_up(0, "x", ada.loaded(), ada.table, NOW + DAY).report.items

    assert (place.item_id, place.update, place.update_since) == (new, REVIEW, NOW)
    assert ada.run(NOW + DAY) == [new]
    assert ada.run(NOW + 2 * DAY) == []


def test_other_words_for_it_or_an_old_article_are_no_update(ada: Reader) -> None:
    story = told_yesterday(ada)
    ada.item(90, story_id=story, summary=SAME_IN_SHORT, first_seen_at=NOW + 20 * HOUR)
    ada.item(90, story_id=story, summary=REVIEW, first_seen_at=NOW - HOUR)
    ada.item(39, story_id=story, summary=REVIEW, first_seen_at=NOW + 20 * HOUR)
    change(ada.database, briefings, ada.briefing, min_score=40)

    assert ada.run(NOW + DAY) == []


def test_what_an_article_said_that_was_weighed_is_known(ada: Reader) -> None:
    story = a_story(ada.database)
    first = ada.item(80, story_id=story, summary=GROUNDED)
    other = ada.item(60, story_id=story, summary=GROUNDED)
    with ada.database.write() as connection:
        said = update(item_texts).where(item_texts.c.item_id == other)
        connection.execute(said.values(clean_content=REVIEW))
    assert ada.run(NOW) == [first]
    ada.item(90, story_id=story, summary=REVIEW, first_seen_at=NOW + 20 * HOUR)

    assert ada.run(NOW + DAY) == []


def test_an_update_is_told_once(ada: Reader) -> None:
    story = told_yesterday(ada)
    ada.item(70, story_id=story, summary=REVIEW, first_seen_at=NOW + 20 * HOUR)
    assert len(ada.run(NOW + DAY)) == 1
    ada.item(70, story_id=story, summary=REVIEW, first_seen_at=NOW + 40 * HOUR)

    assert ada.run(NOW + 2 * DAY) == []


# ---- yesterday's delivery


@pytest.mark.parametrize("state", ["UNKNOWN", "RETRY", "PENDING", "REFUSED"])
def test_a_report_names_the_one_before_that_may_not_have_arrived(
    database: Database, ada: Reader, state: str
) -> None:
    change(database, briefings, ada.briefing, recipients=("a@x", "b@x"))
    yesterday = make_report(
        database, ada.briefing, slot="2026-11-17", subject="Ships", generated_at=NOW - DAY
    )
    make(database, deliveries, report_id=yesterday, channel="smtp", address="a@x", status="SENT")
    assert drawn(ada).undelivered == ()

    make(database, deliveries, report_id=yesterday, channel="smtp", address="b@x", status=state)

    assert drawn(ada).undelivered == (Undelivered(yesterday, "2026-11-17", "Ships"),)


def test_who_is_no_recipient_any_more_is_in_nobodys_doubt(database: Database, ada: Reader) -> None:
    change(database, briefings, ada.briefing, recipients=("b@x",), channels=("smtp",))
    yesterday = make_report(database, ada.briefing, generated_at=NOW - DAY)
    lost = {"report_id": yesterday, "channel": "smtp", "status": "UNKNOWN"}
    make(database, deliveries, **lost, address="a@x")

    assert drawn(ada).undelivered == ()

    make(database, deliveries, **lost, address="b@x")
    assert len(drawn(ada).undelivered) == 1


def test_what_was_sent_since_or_closed_is_not_in_doubt(database: Database, ada: Reader) -> None:
    for days, state in ((3, "UNKNOWN"), (2, "SENT")):
        at = NOW - days * DAY
        report = make_report(database, ada.briefing, slot=f"{days}", generated_at=at)
        sent = {"report_id": report, "channel": "smtp", "address": "a@x", "status": state}
        make(database, deliveries, **sent)
    assert drawn(ada).undelivered == ()

    (last,) = rows_of(database, reports, reports.c.slot == "2")
    (sent_last,) = rows_of(database, deliveries, deliveries.c.report_id == last.id)
    change(database, deliveries, sent_last.id, status="REFUSED")
    change(database, reports, last.id, closed_at=NOW)
    assert drawn(ada).undelivered == ()


def test_rows_that_are_gone_have_nothing_told(ada: Reader) -> None:
    assert SqlBriefingRows(ada.database).told_before(ada.loaded(), ()) == {}
    assert rows_of(ada.database, items) == []
