"""Coming in and going out, as browsers do it without a script."""

from __future__ import annotations

import re
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx2
import pytest
from sqlalchemy import Engine, event

from morningdeck.actions import accounts
from morningdeck.actions.tokens import digest
from morningdeck.store.tables.people import sessions as session_rows
from tests.factories import rows_of
from tests.web.site import Browser, Website, website

ADA, GOOD = "ada@example.org", "a few good words"
LOGIN = {"email": ADA, "password": GOOD}


@pytest.fixture
def fresh(tmp_path: Path, database_url: str) -> Iterator[Website]:
    """Nobody has claimed anything."""
    with website(tmp_path, database_url) as web:
        yield web


@pytest.fixture
def claimed(fresh: Website) -> Website:
    fresh.user(ADA, GOOD)
    return fresh


def code_of(web: Website, email: str = "me@localhost") -> str:
    user, now = web.app.store.users.by_email(email), web.app.clock()
    return accounts.new_code(web.app.store.accounts, user, now=now).code


def is_in(browser: Browser) -> bool:
    return browser.get("/").status_code == 200


# ---- the first visit


def test_before_the_first_claim_every_page_leads_to_it(fresh: Website) -> None:
    with fresh.browser() as nobody:
        for path in ("/", "/login"):
            assert nobody.get(path).headers["location"] == "/claim"
        assert nobody.get("/claim").status_code == 200


def test_a_code_makes_the_first_account_ones_own(fresh: Website) -> None:
    with fresh.browser() as ada:
        assert "One-time code" in ada.get("/claim").text
        led = ada.send("/claim", code=code_of(fresh), **LOGIN)

        assert (led.status_code, led.headers["location"]) == (303, "/start")
        assert is_in(ada)
    assert fresh.app.store.users.first().email == ADA
    with fresh.browser() as later:
        assert later.get("/").headers["location"] == "/login"
        later.get("/login")
        assert later.send("/login", **LOGIN).status_code == 303


def test_a_wrong_code_says_what_to_do_and_keeps_what_was_typed(fresh: Website) -> None:
    with fresh.browser() as eve:
        eve.get("/claim")
        told = eve.send("/claim", code="ABCD-EFGH-JKLM", **LOGIN)

        assert told.status_code == 422
        assert "morningdeck user claim" in told.text
        assert f'value="{ADA}"' in told.text
        assert GOOD not in told.text
        assert not is_in(eve)


# ---- login and logout


def test_whoever_logs_in_comes_where_they_wanted(claimed: Website) -> None:
    with claimed.browser() as ada:
        wanted = ada.get("/?a=b").headers["location"]
        assert ada.get(wanted).status_code == 200
        assert ada.send("/login", then="/?a=b", **LOGIN).headers["location"] == "/?a=b"
        assert ada.get("/login?then=/feed").headers["location"] == "/feed"
        assert ada.get("/login?then=//evil.example").headers["location"] == "/"


def test_a_login_brings_a_new_token(claimed: Website) -> None:
    with claimed.browser() as ada:
        ada.get("/login")
        before = ada.token
        ada.send("/login", **LOGIN)
        first = ada.token
        ada.send("/login", **LOGIN)

        assert len({before, first, ada.token}) == 3
    with claimed.browser() as thief:
        thief.client.cookies.set("morningdeck", before)
        assert not is_in(thief)


def test_a_logout_ends_the_session_for_whoever_has_its_token(claimed: Website) -> None:
    with claimed.browser(ADA) as ada, claimed.browser() as thief:
        thief.client.cookies.set("morningdeck", ada.token)
        assert is_in(thief)

        led = ada.send("/logout")

        assert led.headers["location"] == "/login"
        assert not is_in(thief)
        assert not is_in(ada)
    assert rows_of(claimed.app.store.database, session_rows) == []


@pytest.mark.parametrize("wrong", [{"email": "eve@example.org"}, {"password": "other words"}])
def test_unknown_and_wrong_logins_are_answered_in_the_same_words(
    claimed: Website, wrong: dict[str, str]
) -> None:
    with claimed.browser() as eve:
        eve.get("/login")
        told = eve.send("/login", **{**LOGIN, **wrong})

        assert told.status_code == 422
        assert "This address and this password do not belong together." in told.text
        assert not is_in(eve)


def test_unknown_logins_take_as_much_work_as_wrong_ones(claimed: Website) -> None:
    """How long that is depends on the machine: the statements and the hashes are the same."""
    asked: list[str] = []
    with claimed.browser() as eve, hearing(asked):
        guess(eve, email="first@example.org")  # what is made once is made
        told = []
        for email in (ADA, "eve@example.org", "me@localhost"):
            eve.get("/login")
            asked.clear()
            began = time.process_time()
            eve.send("/login", email=email, password="other words")
            told.append((list(asked), time.process_time() - began))

    (statements, seconds), *others = told
    assert all(one == statements for one, _ in others)
    assert min(took for _, took in others) > seconds / 3


@contextmanager
def hearing(asked: list[str]) -> Iterator[None]:
    """Each statement that is sent to a database."""

    def note(_connection: object, _cursor: object, statement: str, *_: object) -> None:
        asked.append(statement)

    event.listen(Engine, "before_cursor_execute", note)
    yield
    event.remove(Engine, "before_cursor_execute", note)


# ---- forms


@pytest.mark.parametrize(
    ("headers", "code"),
    [
        ({}, 303),
        ({"Origin": "http://{host}"}, 303),
        ({"Sec-Fetch-Site": "same-origin", "Origin": "http://{host}"}, 303),
        ({"Sec-Fetch-Site": "none"}, 303),
        ({"Sec-Fetch-Site": "same-site"}, 403),
        ({"Sec-Fetch-Site": "cross-site"}, 403),
        ({"Origin": "https://evil.example"}, 403),
        ({"Origin": "null"}, 403),
        ({"Origin": "http://{host}.evil.example"}, 403),
    ],
)
def test_a_form_is_taken_from_our_own_pages_alone(
    claimed: Website, headers: dict[str, str], code: int
) -> None:
    host = httpx2.URL(claimed.url).netloc.decode()
    told = {name: text.format(host=host) for name, text in headers.items()}
    with claimed.browser(ADA, **told) as ada:
        assert ada.send("/logout").status_code == code
        assert is_in(ada) == (code == 403)


def test_a_form_needs_its_token(claimed: Website) -> None:
    with claimed.browser(ADA) as ada, claimed.browser() as eve:
        eve.get("/login")
        for token in ("", "0" * 64, Browser(eve.client).form_token, "é"):
            told = ada.client.post("/logout", data={"form_token": token})
            assert told.status_code == 403
            assert "out of date" in told.text
        assert is_in(ada)


def test_nobody_is_logged_in_by_a_form_from_elsewhere(claimed: Website) -> None:
    with claimed.browser() as victim:
        told = victim.client.post("/login", data={"form_token": "", **LOGIN})

        assert told.status_code == 403
        assert not is_in(victim)


def test_what_is_no_form_of_ours_is_not_read(claimed: Website) -> None:
    with claimed.browser(ADA) as ada:
        post = ada.client.post
        assert post("/logout", json={"form_token": ada.form_token}).status_code == 415
        assert post("/logout", content=b"a=1&" * 2000).status_code == 400
        sent = post("/logout", data={"form_token": ada.form_token}, files={"x": b"\xff"})
        assert sent.status_code == 303


# ---- attempts


def guess(browser: Browser, times: int = 1, **login: str) -> list[int]:
    browser.get("/login")
    return [
        browser.send("/login", **{**LOGIN, "password": f"guess {n}", **login}).status_code
        for n in range(times)
    ]


def test_whoever_guesses_has_to_wait(claimed: Website) -> None:
    with claimed.browser() as eve:
        assert guess(eve, 11) == [422] * 10 + [429]
        told = eve.send("/login", **LOGIN)

        assert told.status_code == 429
        assert 50 <= int(told.headers["retry-after"]) <= 60
        assert "try again in" in told.text


def test_nobody_can_lock_the_owner_out(claimed: Website) -> None:
    with claimed.browser() as ada, claimed.browser() as eve:
        ada.get("/login")
        ada.send("/login", **LOGIN)
        ada.send("/logout")
        guess(eve, 11)

        ada.get("/login")
        assert ada.send("/login", **LOGIN).status_code == 303
        assert eve.send("/login", **LOGIN).status_code == 429


def test_a_known_browser_is_known_for_its_own_account_alone(claimed: Website) -> None:
    claimed.user("eve@example.org", GOOD)
    with claimed.browser() as eve:
        eve.get("/login")
        eve.send("/login", email="eve@example.org", password=GOOD)

        assert guess(eve, 11) == [422] * 10 + [429]


def test_logins_that_fit_use_up_nothing(claimed: Website) -> None:
    with claimed.browser() as ada:
        assert guess(ada, 12, password=GOOD) == [303] * 12


def test_codes_are_not_guessed_either(fresh: Website) -> None:
    with fresh.browser() as eve:
        eve.get("/claim")
        code = {"code": "ABCD-EFGH-JKLM"}
        codes = [eve.send("/claim", **code, **LOGIN).status_code for _ in range(11)]

    assert codes == [422] * 10 + [429]


# ---- what is kept


def test_the_database_has_neither_password_nor_token_in_it(claimed: Website) -> None:
    with claimed.browser(ADA) as ada:
        (row,) = rows_of(claimed.app.store.database, session_rows)
        assert row.token_hash == digest(ada.token)
        assert ada.token not in str(row)


def test_no_script_can_read_the_cookie(claimed: Website) -> None:
    with claimed.browser() as ada:
        ada.get("/login")
        for told in ada.send("/login", **LOGIN).headers.get_list("set-cookie"):
            assert re.search(r"; HttpOnly; .*SameSite=lax$", told)
