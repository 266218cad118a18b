"""What saved searches tell, in a briefing and at once, on the real store."""

from __future__ import annotations

from datetime import timedelta

import pytest

from morningdeck.edition import MOST_OF_A_SEARCH
from morningdeck.errors import NotFoundError
from morningdeck.model.reading import Bounce, BounceKind
from morningdeck.model.sending import WhyNot
from morningdeck.store.database.connect import Database
from morningdeck.store.rows.bounces import SqlBounces
from morningdeck.store.tables.briefs import briefings, deliveries, reports
from morningdeck.store.tables.news import stories, subscriptions
from morningdeck.store.tables.people import users
from morningdeck.store.tables.running import notices
from morningdeck.store.tables.searches import saved_searches, search_hits
from morningdeck.store.views.briefings import Briefings
from morningdeck.store.views.subscriptions import Subscriptions
from morningdeck.store.views.users import Users
from morningdeck.work import Postponed
from tests.conftest import NOW
from tests.factories import change, make, make_score, rows_of
from tests.store.alerts import Watcher

DAY, HOUR = timedelta(days=1), timedelta(hours=1)


@pytest.fixture
def ada(database: Database) -> Watcher:
    return Watcher(database)


# ---- in a briefing


def test_a_find_stands_in_the_section_of_its_search_whatever_it_scores(ada: Watcher) -> None:
    briefing = ada.briefing(min_score=60)
    ada.save("Ports & piers", "harbour", briefing_id=briefing)
    item = ada.news("Harbour opens")
    ada.look()
    report = ada.run(briefing)

    assert report is not None
    assert [(section.title, section.items[0].item_id) for section in report.sections] == [
        ("Ports & piers", item)
    ]
    assert (report.weighed, report.left_out) == (1, {})
    assert ada.told(briefing, NOW + DAY) == []


def test_one_story_has_one_place_and_one_mail_tells_nothing_twice(ada: Watcher) -> None:
    briefing = ada.briefing()
    ada.save("Ports", "harbour", briefing_id=briefing)
    ada.save("Ships", "ship", briefing_id=briefing)
    story = make(ada.database, stories, label="Harbour")
    both = [ada.news(f"Ship in harbour {n}", story_id=story) for n in range(2)]
    third = ada.news("Another ship")
    ada.look()
    report = ada.run(briefing)

    assert report is not None
    assert [(place.section, place.item_id) for place in report.items] == [
        ("Ports", both[1]),
        ("Ships", third),
    ]
    assert (report.weighed, report.left_out) == (3, {WhyNot.TOLD_TWICE: 1})
    assert ada.told(briefing, NOW + DAY) == []


def test_what_a_search_tells_has_no_place_elsewhere(ada: Watcher) -> None:
    briefing = ada.briefing(max_items=5, min_score=40)
    ada.save("Ports", "harbour", briefing_id=briefing)
    story = make(ada.database, stories, label="Harbour")
    found, same = ada.news("Harbour opens", story_id=story), ada.news("It opens", story_id=story)
    other = ada.news("Chess begins")
    for item in (found, same, other):
        make_score(ada.database, item, briefing, 90)
    ada.look()
    report = ada.run(briefing)

    assert report is not None
    assert [(place.section, place.item_id) for place in report.items] == [
        ("", other),
        ("Ports", found),
    ]
    assert (report.weighed, report.left_out) == (3, {WhyNot.TOLD_TWICE: 1})
    assert report.items[1].score == 90


def test_the_best_of_a_search_that_finds_too_much_have_a_place(ada: Watcher) -> None:
    briefing = ada.briefing()
    ada.save("Ports", "harbour", briefing_id=briefing)
    for number in range(MOST_OF_A_SEARCH + 2):
        ada.news(f"Harbour {number}")
    ada.look()
    report = ada.run(briefing)

    assert report is not None
    assert len(report.items) == MOST_OF_A_SEARCH
    assert report.left_out == {WhyNot.NO_PLACE: 2}
    assert ada.told(briefing, NOW + DAY) == []


def test_what_a_report_told_that_reached_nobody_comes_again(ada: Watcher) -> None:
    briefing = ada.briefing()
    ada.save("Ports", "harbour", briefing_id=briefing)
    item = ada.news("Harbour opens")
    ada.look()
    ada.told(briefing)
    ada.refuse_all()

    assert ada.told(briefing, NOW + DAY) == [item]


def test_a_mail_that_all_refuse_is_not_written_again_by_itself(ada: Watcher) -> None:
    told_by = ada.at_once("Ports", "harbour")
    ada.news("Harbour opens")
    ada.look()
    ada.told(told_by)
    ada.refuse_all()
    ada.look()

    assert not ada.asked(told_by)
    (notice,) = rows_of(ada.database, notices)
    assert "report send" in notice.text


def test_the_last_word_of_a_saved_search_is_a_whole_one(ada: Watcher) -> None:
    ada.save("Ports", "port", briefing_id=ada.briefing())
    item = ada.news("Port opens")
    ada.news("Portfolio of stocks")
    ada.look()

    assert ada.hits() == [item]


def test_what_came_too_long_ago_is_no_news(ada: Watcher) -> None:
    briefing = ada.briefing()
    ada.save("Ports", "harbour", briefing_id=briefing)
    ada.news("Harbour opens", first_seen_at=NOW - 8 * DAY)
    ada.look()

    assert ada.told(briefing) == []


def test_a_briefing_that_is_paused_tells_what_is_still_news_when_it_goes_on(ada: Watcher) -> None:
    briefing = ada.briefing(paused=True)
    ada.save("Ports", "harbour", briefing_id=briefing)
    item = ada.news("Harbour opens")
    ada.look()
    change(ada.database, briefings, briefing, paused=False)

    assert ada.told(briefing, NOW + DAY) == [item]


def test_a_search_outlives_its_briefing_and_tells_nobody_then(ada: Watcher) -> None:
    briefing = ada.briefing()
    ada.save("Ports", "harbour", briefing_id=briefing)
    Briefings(ada.database).remove(ada.user, briefing)
    ada.news("Harbour opens")
    ada.look()

    (view,) = ada.searches.list(ada.user)
    assert (view.name, view.query, view.alert) == ("Ports", "harbour", None)
    assert ada.hits() == []


def test_what_comes_from_a_source_that_was_left_is_not_told(ada: Watcher) -> None:
    briefing, told_at_once = ada.briefing(), ada.at_once("Now", "harbour")
    ada.save("Ports", "harbour", briefing_id=briefing)
    ada.news("Harbour opens")
    ada.look()
    Subscriptions(ada.database).remove(ada.user, ada.source)

    assert (ada.told(briefing), ada.told(told_at_once)) == ([], [])
    assert not ada.alerting.waits()


def test_a_paused_source_alerts_when_it_is_resumed(ada: Watcher) -> None:
    briefing = ada.briefing()
    ada.save("Ports", "harbour", briefing_id=briefing)
    change(ada.database, subscriptions, ada.subscription, paused=True)
    item = ada.news("Harbour opens")
    ada.look()
    while_paused = ada.told(briefing)
    change(ada.database, subscriptions, ada.subscription, paused=False)

    assert (while_paused, ada.told(briefing, NOW + DAY)) == ([], [item])


def test_with_its_user_everything_goes(ada: Watcher) -> None:
    told_by = ada.at_once("Ports", "harbour")
    ada.news("Harbour opens")
    ada.look()
    ada.told(told_by)
    with ada.database.write() as connection:
        connection.execute(users.delete().where(users.c.id == ada.user))

    for table in (saved_searches, search_hits, briefings, reports, deliveries):
        assert rows_of(ada.database, table) == []


def test_who_is_disabled_is_told_nothing(ada: Watcher) -> None:
    ada.save("Ports", "harbour", briefing_id=ada.briefing())
    change(ada.database, users, ada.user, enabled=False)
    ada.news("Harbour opens")
    ada.look()

    assert ada.hits() == []


# ---- at once


def test_a_find_goes_out_at_once_and_once(ada: Watcher) -> None:
    told_by = ada.at_once("Ports", "harbour")
    item = ada.news("Harbour opens")
    ada.look()
    asked, woken = ada.asked(told_by), ada.woken
    report = ada.run(told_by)
    ada.look()

    assert (asked, woken) == (True, 1)
    assert report is not None
    assert (report.slot[:19], report.at_once, report.briefing_title) == (
        "at-once:2026-11-18"[:19],
        True,
        "Ports",
    )
    assert [place.item_id for place in report.items] == [item]
    assert len(rows_of(ada.database, deliveries)) == 1
    assert (ada.asked(told_by), ada.woken, ada.alerting.waits()) == (False, 1, False)


def test_what_is_found_while_a_mail_is_written_goes_with_the_next(ada: Watcher) -> None:
    told_by = ada.at_once("Ports", "harbour")
    change(ada.database, briefings, told_by, status="PROCESSING")
    item = ada.news("Harbour opens")
    ada.look()
    meanwhile = ada.asked(told_by)
    change(ada.database, briefings, told_by, status="ACTIVE")
    waits = ada.alerting.waits()
    ada.look()

    assert (meanwhile, waits, ada.asked(told_by)) == (False, True, True)
    assert ada.told(told_by) == [item]


def test_quiet_hours_put_a_mail_off_until_they_are_over(ada: Watcher) -> None:
    told_by = ada.at_once("Ports", "harbour")
    item = ada.news("Harbour opens")
    ada.look()

    until_nine = ada.outcome(told_by, quiet=lambda at, timezone: at < NOW + 2 * HOUR)

    assert until_nine == Postponed(NOW + 2 * HOUR)
    assert ada.told(told_by, NOW + 2 * HOUR) == [item]


def test_more_than_so_many_a_day_wait_for_the_next_and_go_together(ada: Watcher) -> None:
    ports, ships = ada.at_once("Ports", "harbour"), ada.at_once("Ships", "ship")
    one = ada.news("Harbour 1")
    ada.look()
    first = ada.told(ports, most=2)
    two = ada.news("Ship 2")
    ada.look()
    second = ada.told(ships, most=2)
    three, four = ada.news("Ship 3"), ada.news("Ship 4")
    ada.look()

    assert (first, second) == ([one], [two])
    midnight = NOW.replace(hour=0) + DAY
    assert ada.outcome(ships, NOW + HOUR, most=2) == Postponed(midnight)
    assert ada.told(ships, midnight, most=2) == [four, three]


def test_the_day_of_a_limit_is_its_readers(ada: Watcher) -> None:
    ada.at_once("Ports", "harbour")
    email = rows_of(ada.database, users)[0].email
    Users(ada.database).edit(email, timezone="Asia/Tokyo")
    told_by = rows_of(ada.database, briefings)[0].id
    for number in range(2):
        ada.news(f"Harbour {number}")
    ada.look()
    ada.told(told_by, most=1)
    ada.news("Harbour 9")
    ada.look()

    assert ada.outcome(told_by, most=1) == Postponed(NOW.replace(hour=15))


def test_a_mail_that_was_cut_off_is_written_once(ada: Watcher) -> None:
    """Its process died with the report opened: the next takes that up, and it counts once."""
    told_by = ada.at_once("Ports", "harbour")
    item = ada.news("Harbour opens")
    ada.look()
    ada.outcome(told_by)

    assert ada.told(told_by, most=1) == [item]
    assert [row.status for row in rows_of(ada.database, reports)] == ["GENERATED"]


def test_who_leaves_a_search_is_told_how_to_come_back(ada: Watcher) -> None:
    told_by = ada.at_once("Ports", "harbour", recipients=("ada@example.org",))
    ada.news("Harbour opens")
    ada.look()
    ada.told(told_by)
    (sent,) = rows_of(ada.database, deliveries)
    values = {"channel": "smtp", "address": "ada@example.org", "attempts": 1}
    change(ada.database, deliveries, sent.id, message_id="<1@x>", **values)
    left = Bounce(BounceKind.LEFT, reason="unsubscribed", message_ids=("1@x",))

    ended = SqlBounces(ada.database).save("box", "1", left, NOW)

    (notice,) = rows_of(ada.database, notices)
    loaded = ada.rows.load(told_by)
    assert ended == "ada@example.org"
    assert "search save" in notice.text
    assert loaded is not None
    assert loaded.recipients == ()


def test_what_tells_of_a_search_is_no_briefing_to_its_reader(ada: Watcher) -> None:
    told_by = ada.at_once("Ports", "harbour")
    table = Briefings(ada.database)

    assert table.list(ada.user) == ()
    for do in (table.show, table.pause, table.remove):
        with pytest.raises(NotFoundError):
            do(ada.user, told_by)


def test_a_search_that_is_removed_takes_its_mails_along(ada: Watcher) -> None:
    told_by = ada.at_once("Ports", "harbour")
    ada.news("Harbour opens")
    ada.look()
    ada.told(told_by)

    ada.searches.remove(ada.user, "Ports")

    for table in (saved_searches, search_hits, briefings, reports, deliveries):
        assert rows_of(ada.database, table) == []
