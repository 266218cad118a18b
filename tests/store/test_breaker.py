"""Endpoints that are held: for how long, for whom, and who finds out that it is over."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime, timedelta

import pytest

from morningdeck.errors import EndpointHeldError
from morningdeck.model.asking import Admission, FailureKind
from morningdeck.store.database.connect import Database
from morningdeck.store.rows.breaker import NEXT_LOOK, OF_MAIL, SqlBreaker
from morningdeck.store.tables.running import endpoints, notices
from morningdeck.store.views.retention import Keep, Retention
from tests.conftest import NOW, ManualClock
from tests.contracts.breaker import ENDPOINT, BreakerContract
from tests.factories import make_user, rows_of

LEASE = timedelta(seconds=90)
SERVER, LIMITED, DENIED = FailureKind.SERVER, FailureKind.LIMITED, FailureKind.DENIED


@pytest.fixture
def breaker(database: Database, clock: ManualClock) -> SqlBreaker:
    return SqlBreaker(database, clock, settings="a key", lease=LEASE)


class TestSqlBreaker(BreakerContract):
    """Its fixture is everybody's here."""


def admitted(breaker: SqlBreaker) -> Admission | None:
    try:
        return breaker.admit(ENDPOINT)
    except EndpointHeldError:
        return None


def held_until(breaker: SqlBreaker) -> datetime | None:
    try:
        breaker.admit(ENDPOINT)
    except EndpointHeldError as held:
        return held.until
    return None


def fail(breaker: SqlBreaker, times: int = 3) -> None:
    """So often that it is held."""
    admissions = [breaker.admit(ENDPOINT) for _ in range(times)]
    for admission in admissions:
        breaker.failed(admission, None, SERVER)


def test_three_failures_in_a_row_hold_an_endpoint(breaker: SqlBreaker) -> None:
    fail(breaker, 2)
    assert held_until(breaker) is None

    fail(breaker, 1)
    assert held_until(breaker) == NOW + timedelta(seconds=5)


def test_a_success_forgets_the_failures_before_it(breaker: SqlBreaker) -> None:
    for _ in range(5):
        fail(breaker, 2)
        breaker.succeeded(breaker.admit(ENDPOINT))

    assert held_until(breaker) is None


@pytest.mark.parametrize(
    ("header", "kind", "seconds"),
    [
        ("7", SERVER, 7),
        ("Wed, 18 Nov 2026 07:00:30 GMT", LIMITED, 30),
        ("99999999999999", LIMITED, 86_400),
        ("0", LIMITED, 1),
        ("Tue, 17 Nov 2026 07:00:00 GMT", LIMITED, 1),
        ("soon", LIMITED, 5),
        (None, LIMITED, 5),
        (None, DENIED, 86_400),
    ],
)
def test_one_word_of_an_endpoint_is_enough(
    breaker: SqlBreaker, header: str | None, kind: FailureKind, seconds: int
) -> None:
    until = breaker.failed(breaker.admit(ENDPOINT), header, kind)

    assert until == held_until(breaker) == NOW + timedelta(seconds=seconds)


def test_after_a_hold_exactly_one_call_of_all_finds_out(
    breaker: SqlBreaker, database: Database, clock: ManualClock
) -> None:
    other = SqlBreaker(database, clock, settings="a key", lease=LEASE)
    fail(breaker)
    clock.pass_(seconds=5)

    together = threading.Barrier(16)

    def at_once(number: int) -> Admission | None:
        together.wait()
        return admitted(breaker if number % 2 else other)

    with ThreadPoolExecutor(16) as threads:
        won = [one for one in threads.map(at_once, range(16)) if one is not None]

    assert [one.probe for one in won] == [1]
    assert held_until(other) == clock() + NEXT_LOOK


def test_a_probe_that_succeeds_ends_the_hold(breaker: SqlBreaker, clock: ManualClock) -> None:
    fail(breaker)
    clock.pass_(seconds=5)

    breaker.succeeded(breaker.admit(ENDPOINT))

    assert admitted(breaker) == Admission(ENDPOINT)
    assert admitted(breaker) == Admission(ENDPOINT)


def test_each_hold_in_a_row_is_twice_as_long_up_to_five_minutes(
    breaker: SqlBreaker, clock: ManualClock
) -> None:
    fail(breaker)
    lengths = []
    for _ in range(8):
        until = held_until(breaker)
        assert until is not None
        lengths.append((until - clock()).total_seconds())
        clock.now = until
        breaker.failed(breaker.admit(ENDPOINT), None, SERVER)

    assert lengths == [5, 10, 20, 40, 80, 160, 300, 300]


def test_a_hold_after_a_success_is_short_again(breaker: SqlBreaker, clock: ManualClock) -> None:
    fail(breaker)
    clock.pass_(seconds=5)
    breaker.failed(breaker.admit(ENDPOINT), None, SERVER)
    clock.pass_(seconds=10)
    breaker.succeeded(breaker.admit(ENDPOINT))

    fail(breaker)

    assert held_until(breaker) == clock() + timedelta(seconds=5)


def test_a_probe_whose_process_died_holds_nobody_up_for_longer_than_its_lease(
    breaker: SqlBreaker, clock: ManualClock
) -> None:
    fail(breaker)
    clock.pass_(seconds=5)
    breaker.admit(ENDPOINT)

    clock.pass_(seconds=89)
    assert admitted(breaker) is None
    clock.pass_(seconds=1)
    assert admitted(breaker) == Admission(ENDPOINT, probe=2)


def test_a_probe_that_was_given_up_can_end_nothing_any_more(
    breaker: SqlBreaker, clock: ManualClock
) -> None:
    fail(breaker)
    clock.pass_(seconds=5)
    late = breaker.admit(ENDPOINT)
    clock.pass_(seconds=90)
    breaker.admit(ENDPOINT)

    breaker.succeeded(late)
    assert admitted(breaker) is None
    assert breaker.failed(late, None, SERVER) == NOW + timedelta(seconds=5)


def test_calls_under_way_prolong_a_hold_where_they_are_asked_to_and_else_not(
    breaker: SqlBreaker,
) -> None:
    under_way = [breaker.admit(ENDPOINT) for _ in range(5)]
    breaker.failed(under_way[0], "60", LIMITED)

    assert breaker.failed(under_way[1], None, SERVER) == NOW + timedelta(seconds=60)
    assert breaker.failed(under_way[2], "30", LIMITED) == NOW + timedelta(seconds=60)
    assert breaker.failed(under_way[3], "90", LIMITED) == NOW + timedelta(seconds=90)
    breaker.succeeded(under_way[4])
    assert held_until(breaker) == NOW + timedelta(seconds=90)


def test_a_probe_ends_no_hold_that_was_prolonged_meanwhile(
    breaker: SqlBreaker, clock: ManualClock
) -> None:
    under_way = breaker.admit(ENDPOINT)
    fail(breaker)
    clock.pass_(seconds=5)
    probe = breaker.admit(ENDPOINT)
    breaker.failed(under_way, "60", LIMITED)

    breaker.succeeded(probe)

    assert held_until(breaker) == clock() + timedelta(seconds=60)
    clock.pass_(seconds=60)
    assert admitted(breaker) == Admission(ENDPOINT, probe=2)


def test_who_was_denied_asks_again_with_other_settings(
    breaker: SqlBreaker, database: Database, clock: ManualClock
) -> None:
    breaker.failed(breaker.admit(ENDPOINT), None, DENIED)
    mended = SqlBreaker(database, clock, settings="another key", lease=LEASE)

    assert admitted(breaker) is None
    mended.succeeded(mended.admit(ENDPOINT))
    assert admitted(breaker) == Admission(ENDPOINT)


def test_other_settings_end_no_hold_that_the_endpoint_asked_for(
    breaker: SqlBreaker, database: Database, clock: ManualClock
) -> None:
    breaker.failed(breaker.admit(ENDPOINT), "60", LIMITED)

    assert admitted(SqlBreaker(database, clock, settings="another key", lease=LEASE)) is None


def test_the_admins_are_told_of_a_hold_that_lasts_and_of_its_end(
    breaker: SqlBreaker, database: Database, clock: ManualClock
) -> None:
    ada, _ = make_user(database, role="admin"), make_user(database)
    fail(breaker)
    assert rows_of(database, notices) == []
    clock.pass_(seconds=5)
    breaker.failed(breaker.admit(ENDPOINT), None, DENIED)

    (told,) = rows_of(database, notices, notices.c.ended_at.is_(None))
    assert told.user_id == ada
    assert "check enricher.api_key" in told.text
    clock.pass_(days=1)
    breaker.succeeded(breaker.admit(ENDPOINT))
    assert rows_of(database, notices, notices.c.ended_at.is_(None)) == []


def test_of_a_mail_server_the_admins_are_told_why_once(
    database: Database, clock: ManualClock
) -> None:
    make_user(database, role="admin")
    hour = timedelta(hours=1)
    breaker = SqlBreaker(database, clock, lease=LEASE, notice=OF_MAIL, denied_for=hour)

    for why in ("refuses the login", "refuses it again"):
        until = breaker.failed(breaker.admit("smtp"), None, DENIED, why)
        assert until == clock() + hour
        clock.pass_(hours=1)

    (told,) = rows_of(database, notices, notices.c.ended_at.is_(None))
    assert told.kind == "mail-held"
    assert "refuses the login" in told.text
    breaker.succeeded(breaker.admit("smtp"))
    assert rows_of(database, notices, notices.c.ended_at.is_(None)) == []


def test_an_endpoint_that_is_not_used_any_more_is_forgotten_with_its_notice(
    breaker: SqlBreaker, database: Database, clock: ManualClock
) -> None:
    make_user(database, role="admin")
    until = breaker.failed(breaker.admit(ENDPOINT), None, DENIED)
    assert until is not None

    for at, kept in ((until + timedelta(days=1), 1), (until + timedelta(days=1, seconds=1), 0)):
        Retention(database).apply(Keep(), at)
        assert len(rows_of(database, endpoints)) == kept
        assert len(rows_of(database, notices, notices.c.ended_at.is_(None))) == kept


def test_a_sound_endpoint_costs_no_write(breaker: SqlBreaker, database: Database) -> None:
    breaker.succeeded(breaker.admit(ENDPOINT))

    assert rows_of(database, endpoints) == []
