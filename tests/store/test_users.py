"""Who reads."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from sqlalchemy import Engine, event

from morningdeck.errors import ConfigError, ConflictError, NotFoundError
from morningdeck.store import tables
from morningdeck.store.database.connect import Database, Lock, open_database
from morningdeck.store.views.users import FIRST_EMAIL, Users
from tests.conftest import NOW
from tests.factories import change, rows_of


@pytest.fixture
def users(database: Database) -> Users:
    return Users(database)


def test_a_user_is_found_however_the_address_is_written(users: Users) -> None:
    added = users.add(" Ada@Example.org ", now=NOW, name="Ada", timezone="Europe/Paris")

    assert users.by_email("ADA@example.org") == added
    assert (added.email, added.name, added.role) == ("ada@example.org", "Ada", "user")


def test_an_address_belongs_to_one_user(users: Users) -> None:
    users.add("ada@example.org", now=NOW)

    with pytest.raises(ConflictError, match=r"ada@example\.org already"):
        users.add("ADA@example.org", now=NOW)


@pytest.mark.parametrize("email", ["", "ada", "ada@", "@example.org", "a b@c", "a@b, c@d"])
def test_what_is_no_address_is_refused(users: Users, email: str) -> None:
    with pytest.raises(ConfigError, match="not an e-mail address"):
        users.add(email, now=NOW)


@pytest.mark.parametrize("zone", ["", "Mars/Olympus", "Europe", "../etc/passwd"])
def test_what_is_no_time_zone_is_refused(users: Users, zone: str) -> None:
    with pytest.raises(ConfigError, match="no timezone"):
        users.add("ada@example.org", now=NOW, timezone=zone)


def test_an_unknown_user_is_not_found(users: Users) -> None:
    with pytest.raises(NotFoundError, match="user list"):
        users.by_email("nobody@example.org")


def test_lists_start_with_the_newest(users: Users) -> None:
    for name in ("one", "two", "three"):
        users.add(f"{name}@example.org", now=NOW)

    assert [user.email for user in users.list(limit=2)] == ["three@example.org", "two@example.org"]


def test_an_empty_database_gets_one_admin_even_if_many_commands_come_at_once(users: Users) -> None:
    with ThreadPoolExecutor(4) as threads:
        found = list(threads.map(lambda _: users.ensure_first(NOW), range(8)))

    assert {user.email for user in found} == {"me@localhost"}
    assert [(user.email, user.role) for user in users.list()] == [("me@localhost", "admin")]


def test_nobody_is_made_where_somebody_is(users: Users) -> None:
    users.add("ada@example.org", now=NOW)

    assert users.ensure_first(NOW).email == "ada@example.org"
    assert len(users.list()) == 1


def test_only_what_is_named_is_changed(users: Users) -> None:
    users.add("ada@example.org", now=NOW, name="Ada", timezone="Asia/Tokyo")

    users.edit("Ada@example.org", name="Lady Ada")
    view = users.edit("ada@example.org", timezone="Europe/Paris")

    assert (view.name, view.timezone) == ("Lady Ada", "Europe/Paris")
    with pytest.raises(ConfigError, match="Mars"):
        users.edit("ada@example.org", timezone="Mars/Base")


def test_an_edit_keeps_what_somebody_else_has_changed_meanwhile(
    users: Users, database: Database
) -> None:
    ada = users.add("ada@example.org", now=NOW, name="Ada")

    def meanwhile(*_: Any) -> None:
        change(database, tables.people.users, ada.id, name="Countess")

    event.listen(Engine, "after_cursor_execute", meanwhile, once=True)
    view = users.edit("ada@example.org", timezone="Europe/Paris")

    assert (view.name, view.timezone) == ("Countess", "Europe/Paris")


def test_credits_are_set_and_the_ledger_has_the_difference(
    users: Users, database: Database
) -> None:
    users.add("ada@example.org", now=NOW)

    left = [users.set_credits("Ada@example.org", n, now=NOW).credits for n in (300, 100, None)]

    assert left == [300, 100, None]
    given = [(row.amount, row.reason) for row in rows_of(database, tables.running.credit_ledger)]
    assert given == [(300, "set to 300"), (-200, "set to 100"), (-100, "set to unlimited")]


def test_the_first_user_need_not_wait_for_a_story(postgres_url: str) -> None:
    database = open_database(postgres_url)
    with database.write() as connection:
        database.hold(connection, Lock.STORIES)
        assert Users(database).ensure_first(NOW).email == FIRST_EMAIL
    database.close()
