"""Users, for admins: added, let in, given credits, switched off and on."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser

from morningdeck.model.kinds import TokenScope
from morningdeck.store.tables.news import sources
from tests.pictures import browser
from tests.web.screen import screen
from tests.web.site import Website

ADMIN = "me@localhost"
CODE = r"[2-9A-HJ-NP-Z]{4}-[2-9A-HJ-NP-Z]{4}-[2-9A-HJ-NP-Z]{4}"
_numbers = itertools.count(1)


@pytest.fixture(scope="module")
def chromium() -> Iterator[Browser]:
    with browser() as opened:
        yield opened


@pytest.fixture
def ada(web: Website) -> str:
    email = f"ada{next(_numbers)}@example.org"
    web.user(email)
    return email


def test_whoever_is_added_gets_in_by_the_code_that_is_shown_once(web: Website) -> None:
    email = f"new{next(_numbers)}@example.org"
    with web.browser(ADMIN) as admin, web.browser() as new:
        added = admin.send("/users", email=email, name="<b>Eve</b>", timezone="Europe/Paris")
        code = re.search(CODE, added.text)
        assert added.status_code == 201
        assert code is not None
        assert "<b>Eve</b>" not in added.text
        assert re.search(CODE, admin.get("/users").text) is None

        new.get("/claim")
        claim = {"code": code[0], "email": email, "password": "a few good words"}
        assert new.send("/claim", **claim).status_code == 303
        assert new.get("/").status_code == 200


@pytest.mark.parametrize(
    "form", [{"email": "nobody"}, {"email": ADMIN}, {"email": "x@y.example", "timezone": "Mars"}]
)
def test_what_is_wrong_is_said_and_what_was_written_stays(
    web: Website, form: dict[str, str]
) -> None:
    with web.browser(ADMIN) as admin:
        told = admin.send("/users", **form)

    assert told.status_code == 422
    assert 'role="alert"' in told.text
    assert f'value="{form["email"]}"' in told.text


def test_credits_are_set_and_lifted(web: Website, ada: str) -> None:
    users = web.app.store.users
    with web.browser(ADMIN) as admin:
        assert admin.send("/users/credits", email=ada, credits="12").status_code == 303
        assert users.by_email(ada).credits == 12
        assert admin.send("/users/credits", email=ada, credits="-1").status_code == 422
        assert admin.send("/users/credits", email=ada, credits="unlimited").status_code == 303
        assert users.by_email(ada).credits is None


def test_whoever_is_switched_off_gets_in_nowhere_until_switched_on(web: Website, ada: str) -> None:
    token = web.token(ada, TokenScope.READ.value)
    with web.browser(ADMIN) as admin, web.browser(ada) as hers, web.asked_with(token) as program:
        assert admin.send("/users/switch", email=ada, on="").status_code == 303
        assert hers.get("/").status_code == 303
        assert program.get("/api/v1/me").status_code == 401
        assert admin.send("/users/code", email=ada).status_code == 422

        assert admin.send("/users/switch", email=ada, on="1").status_code == 303
        assert program.get("/api/v1/me").status_code == 200
        assert hers.get("/").status_code == 303  # she has to log in again


def test_what_only_somebody_switched_off_reads_is_not_fetched(web: Website, ada: str) -> None:
    user = web.user(ada)
    source = web.stock.source(user.id, f"https://only{user.id}.example/feed")
    with web.browser(ADMIN) as admin:
        admin.send("/users/switch", email=ada, on="")
        assert not web.stock.row(sources, source).wanted
        admin.send("/users/switch", email=ada, on="1")
        assert web.stock.row(sources, source).wanted


def test_an_admin_cannot_switch_off_themselves(web: Website) -> None:
    with web.browser(ADMIN) as admin:
        assert admin.send("/users/switch", email=ADMIN, on="").status_code == 422
        assert admin.get("/users").status_code == 200


@pytest.mark.parametrize("script", [True, False])
def test_somebody_is_added_from_the_keyboard(web: Website, chromium: Browser, script: bool) -> None:
    email = f"typed{next(_numbers)}@example.org"
    with screen(chromium, web, ADMIN, "/users", java_script_enabled=script) as page:
        page.get_by_label("E-mail address").fill(email)
        page.keyboard.press("Enter")
        page.get_by_text(f"lets {email} set a password").wait_for()
