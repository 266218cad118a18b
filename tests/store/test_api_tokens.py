"""Keys to the interface."""

from __future__ import annotations

from datetime import timedelta

import pytest

from morningdeck.actions import tokens
from morningdeck.errors import ConfigError, NotFoundError
from morningdeck.model.kinds import TokenScope
from morningdeck.store.database.connect import Database
from morningdeck.store.tables.people import api_tokens
from morningdeck.store.tables.people import users as user_rows
from morningdeck.store.views.api_tokens import ApiTokens
from morningdeck.store.views.users import Users
from morningdeck.views.reading import UserView
from tests.conftest import NOW
from tests.factories import change, rows_of

ADMIN, READ, WRITE = TokenScope.ADMIN, TokenScope.READ, TokenScope.WRITE


@pytest.fixture
def keys(database: Database) -> ApiTokens:
    return ApiTokens(database)


@pytest.fixture
def ann(database: Database) -> UserView:
    return Users(database).add("ann@example.org", now=NOW, admin=True)


def test_a_token_opens_as_far_as_it_reaches(keys: ApiTokens, ann: UserView) -> None:
    made = tokens.issue(keys, ann, " phone ", READ, now=NOW)

    bearer = keys.bearer(tokens.digest(made.token), now=NOW)

    assert (made.name, bearer.scope, bearer.user) == ("phone", READ, ann)
    assert [WRITE.covers(scope) for scope in TokenScope] == [True, True, False]


def test_the_database_has_no_token_in_it(
    keys: ApiTokens, ann: UserView, database: Database
) -> None:
    made = tokens.issue(keys, ann, "phone", READ, now=NOW)

    (row,) = rows_of(database, api_tokens)
    assert row.token_hash == tokens.digest(made.token)
    assert made.token not in str(row)


@pytest.mark.parametrize("other", ["", "mdk_", "mdk_wrong", "\ud800", "x" * 10_000])
def test_another_word_opens_nothing(keys: ApiTokens, ann: UserView, other: str) -> None:
    tokens.issue(keys, ann, "phone", READ, now=NOW)

    with pytest.raises(NotFoundError):
        keys.bearer(tokens.digest(other), now=NOW)


def test_a_token_that_is_revoked_or_of_somebody_switched_off_opens_nothing(
    keys: ApiTokens, ann: UserView, database: Database
) -> None:
    first, second = (tokens.issue(keys, ann, name, READ, now=NOW) for name in ("one", "two"))
    keys.remove(first.id)
    with pytest.raises(NotFoundError):
        keys.bearer(tokens.digest(first.token), now=NOW)

    change(database, user_rows, ann.id, enabled=False)
    with pytest.raises(NotFoundError):
        keys.bearer(tokens.digest(second.token), now=NOW)


def test_only_an_admin_has_an_admins_token_and_only_as_long(
    keys: ApiTokens, ann: UserView, database: Database
) -> None:
    ben = Users(database).add("ben@example.org", now=NOW)
    with pytest.raises(ConfigError, match="no admin"):
        tokens.issue(keys, ben, "phone", ADMIN, now=NOW)
    made = tokens.issue(keys, ann, "phone", ADMIN, now=NOW)

    change(database, user_rows, ann.id, role="user")

    assert keys.bearer(tokens.digest(made.token), now=NOW).scope is WRITE


def test_a_list_says_when_each_was_used_to_the_minute(keys: ApiTokens, ann: UserView) -> None:
    made = tokens.issue(keys, ann, "phone", READ, now=NOW)
    assert [view.last_used_at for view in keys.list(ann.id)] == [None]

    for seconds in (0, 59, 60, 61):
        keys.bearer(tokens.digest(made.token), now=NOW + timedelta(seconds=seconds))

    (view,) = keys.list(ann.id)
    assert (view.name, view.last_used_at) == ("phone", NOW + timedelta(seconds=60))


@pytest.mark.parametrize("name", ["", "  ", "x" * 101])
def test_a_token_needs_a_name(keys: ApiTokens, ann: UserView, name: str) -> None:
    with pytest.raises(ConfigError, match="name"):
        tokens.issue(keys, ann, name, READ, now=NOW)
