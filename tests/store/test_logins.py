"""Accounts and sessions: what is kept of them, what ends them."""

from __future__ import annotations

from datetime import timedelta

import pytest

from morningdeck.actions import accounts
from morningdeck.actions.tokens import digest
from morningdeck.errors import ConfigError, ConflictError, NotFoundError
from morningdeck.store.database.connect import Database
from morningdeck.store.tables.people import sessions as session_rows
from morningdeck.store.tables.people import users as user_rows
from morningdeck.store.views.accounts import BROWSER_KNOWN_FOR, Accounts
from morningdeck.store.views.sessions import UNSEEN, Sessions
from morningdeck.store.views.users import Users
from morningdeck.views.reading import UserView
from tests.conftest import NOW
from tests.factories import change, row_of, rows_of

GOOD, BETTER = "a few good words", "a few better words"
HOUR = timedelta(hours=1)
FROM = {"browser": "Firefox", "address": "192.0.2.1"}


@pytest.fixture
def sessions(database: Database) -> Sessions:
    return Sessions(database)


@pytest.fixture
def kept(database: Database) -> Accounts:
    return Accounts(database)


@pytest.fixture
def ada(database: Database) -> UserView:
    return Users(database).add("ada@example.org", now=NOW)


def test_whoever_has_the_password_comes_in(kept: Accounts, ada: UserView) -> None:
    assert accounts.known_by(kept, ada.email, GOOD) is None

    accounts.set_password(kept, ada, GOOD)

    assert accounts.known_by(kept, " ADA@example.org ", GOOD) == ada
    assert accounts.known_by(kept, ada.email, BETTER) is None
    assert accounts.known_by(kept, "eve@example.org", GOOD) is None


def test_whoever_is_switched_off_stays_outside(
    kept: Accounts, sessions: Sessions, ada: UserView, database: Database
) -> None:
    accounts.set_password(kept, ada, GOOD)
    sessions.begin(ada.id, digest("t"), now=NOW, **FROM)
    assert kept.any_claimed()

    change(database, user_rows, ada.id, enabled=False)

    assert accounts.known_by(kept, ada.email, GOOD) is None
    assert sessions.visitor(digest("t"), now=NOW) is None
    assert not kept.any_claimed()


def test_a_code_opens_its_account_once(kept: Accounts, ada: UserView, database: Database) -> None:
    told = accounts.new_code(kept, ada, now=NOW)
    assert told.code.replace("-", "") not in str(row_of(database, user_rows, ada.id))

    typed = told.code.lower().replace("-", " ")
    claimed = accounts.claim(kept, typed, "Ada@Home.example", GOOD, now=NOW + HOUR)

    assert (claimed.id, claimed.email) == (ada.id, "ada@home.example")
    assert accounts.known_by(kept, "ada@home.example", GOOD) == claimed
    with pytest.raises(NotFoundError, match="opens nothing"):
        accounts.claim(kept, typed, "eve@example.org", BETTER, now=NOW + HOUR)


def test_a_code_ends_with_the_day_and_with_the_next_one(kept: Accounts, ada: UserView) -> None:
    first = accounts.new_code(kept, ada, now=NOW).code
    second = accounts.new_code(kept, ada, now=NOW).code

    for code, at in ((first, NOW), (second, NOW + timedelta(hours=24)), ("", NOW), ("-", NOW)):
        with pytest.raises(NotFoundError):
            accounts.claim(kept, code, ada.email, GOOD, now=at)


def test_a_code_is_not_spent_by_a_bad_password_or_the_address_of_another(
    kept: Accounts, ada: UserView, database: Database
) -> None:
    Users(database).add("bob@example.org", now=NOW)
    code = accounts.new_code(kept, ada, now=NOW).code

    with pytest.raises(ConfigError, match="10 characters"):
        accounts.claim(kept, code, ada.email, "short", now=NOW)
    with pytest.raises(ConflictError, match="another user has"):
        accounts.claim(kept, code, "bob@example.org", GOOD, now=NOW)
    with pytest.raises(ConfigError, match="not an e-mail"):
        accounts.claim(kept, code, "nobody", GOOD, now=NOW)

    assert accounts.claim(kept, code, ada.email, GOOD, now=NOW).id == ada.id


def test_a_new_password_ends_all_sessions_and_codes(
    kept: Accounts, sessions: Sessions, ada: UserView
) -> None:
    sessions.begin(ada.id, digest("t"), now=NOW, **FROM)
    code = accounts.new_code(kept, ada, now=NOW).code

    accounts.set_password(kept, ada, GOOD)

    assert sessions.visitor(digest("t"), now=NOW) is None
    with pytest.raises(NotFoundError):
        accounts.claim(kept, code, ada.email, BETTER, now=NOW)


def test_a_session_knows_its_user_and_not_its_token(
    sessions: Sessions, ada: UserView, database: Database
) -> None:
    begun = sessions.begin(ada.id, digest("t0ken"), now=NOW, **FROM)

    assert begun.user == ada
    assert sessions.visitor(digest("t0ken"), now=NOW) == begun
    assert sessions.visitor(digest("other"), now=NOW) is None
    assert "t0ken" not in str(rows_of(database, session_rows))


def test_a_session_lasts_as_long_as_somebody_comes(sessions: Sessions, ada: UserView) -> None:
    sessions.begin(ada.id, digest("t"), now=NOW, **FROM)
    for _ in range(3):
        now = NOW + UNSEEN - HOUR
        assert sessions.visitor(digest("t"), now=now) is not None
    (listed,) = sessions.list(ada.id, now=now)
    assert listed.last_seen_at == now

    assert sessions.visitor(digest("t"), now=now + UNSEEN) is None
    assert sessions.list(ada.id, now=now + UNSEEN) == ()


def test_only_its_user_ends_a_session(
    sessions: Sessions, ada: UserView, database: Database
) -> None:
    bob = Users(database).add("bob@example.org", now=NOW)
    begun = sessions.begin(ada.id, digest("t"), now=NOW, **FROM)

    with pytest.raises(NotFoundError):
        sessions.end(bob.id, begun.session_id)
    sessions.end(ada.id, begun.session_id)

    assert sessions.visitor(digest("t"), now=NOW) is None


def test_all_others_end_at_once(sessions: Sessions, ada: UserView) -> None:
    here, *_ = (sessions.begin(ada.id, digest(name), now=NOW, **FROM).session_id for name in "abc")

    assert sessions.end_others(ada.id, here) == 2

    assert [one.id for one in sessions.list(ada.id, now=NOW)] == [here]


def test_what_has_run_out_is_deleted(sessions: Sessions, ada: UserView, database: Database) -> None:
    sessions.begin(ada.id, digest("old"), now=NOW, **FROM)
    sessions.begin(ada.id, digest("new"), now=NOW + UNSEEN, **FROM)

    assert len(rows_of(database, session_rows)) == 1


def test_a_browser_is_known_for_a_while(kept: Accounts, ada: UserView) -> None:
    kept.know_browser(ada.id, digest("b"), now=NOW)
    kept.know_browser(ada.id, digest("b"), now=NOW + HOUR)

    assert kept.knows_browser(ada.id, digest("b"), now=NOW + BROWSER_KNOWN_FOR)
    assert not kept.knows_browser(ada.id, digest("b"), now=NOW + BROWSER_KNOWN_FOR + HOUR)
    assert not kept.knows_browser(ada.id + 1, digest("b"), now=NOW)
