"""What somebody sets for themselves."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.web.site import Browser, Website, website

ADA, GOOD, BETTER = "ada@example.org", "a few good words", "a few better words"
FIREFOX = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0"


@pytest.fixture
def deck(tmp_path: Path, database_url: str) -> Iterator[Website]:
    with website(tmp_path, database_url) as web:
        web.user(ADA, GOOD)
        yield web


@pytest.fixture
def ada(deck: Website) -> Iterator[Browser]:
    with deck.browser(ADA) as browser:
        yield browser


def is_in(browser: Browser) -> bool:
    return browser.get("/").status_code == 200


def ids(html: str, noun: str) -> list[str]:
    return re.findall(rf'action="/settings/{noun}/(\d+)/end"', html)


def test_a_profile_is_saved(deck: Website, ada: Browser) -> None:
    led = ada.send("/settings/profile", name=" Ada L. ", timezone="Europe/Berlin")

    assert led.headers["location"] == "/settings?done=profile"
    assert "Your profile is saved." in ada.get(led.headers["location"]).text
    saved = deck.app.store.users.by_email(ADA)
    assert (saved.name, saved.timezone) == ("Ada L.", "Europe/Berlin")


def test_a_time_zone_that_there_is_not_is_told_and_kept_to_be_mended(ada: Browser) -> None:
    told = ada.send("/settings/profile", name="Ada", timezone="Europe/Atlantis")

    assert told.status_code == 422
    assert "there is no timezone" in told.text
    assert 'value="Europe/Atlantis"' in told.text


def test_a_new_password_ends_all_other_logins(deck: Website, ada: Browser) -> None:
    with deck.browser(ADA) as phone:
        led = ada.send("/settings/password", password=GOOD, new=BETTER)

        assert led.headers["location"] == "/settings?done=password"
        assert is_in(ada)
        assert not is_in(phone)
        phone.get("/login")
        assert phone.send("/login", email=ADA, password=GOOD).status_code == 422
        assert phone.send("/login", email=ADA, password=BETTER).status_code == 303


@pytest.mark.parametrize(
    ("form", "told"),
    [
        ({"password": "guessed", "new": BETTER}, "not your password of today"),
        ({"new": BETTER}, "not your password of today"),
        ({"password": GOOD, "new": "short"}, "needs 10 characters"),
    ],
)
def test_a_password_is_not_changed_by_whoever_finds_a_browser_open(
    deck: Website, ada: Browser, form: dict[str, str], told: str
) -> None:
    answer = ada.send("/settings/password", **form)

    assert answer.status_code == 422
    assert told in answer.text
    with deck.browser() as phone:
        phone.get("/login")
        assert phone.send("/login", email=ADA, password=GOOD).status_code == 303


def test_a_password_is_not_guessed_in_an_open_browser(ada: Browser) -> None:
    codes = [
        ada.send("/settings/password", password=f"guess {n}", new=BETTER).status_code
        for n in range(11)
    ]

    assert codes == [422] * 10 + [429]


def test_a_token_is_shown_once_and_ended(deck: Website, ada: Browser) -> None:
    made = ada.send("/settings/tokens", name="phone", scope="write")
    (token,) = re.findall(r"mdk_[\w-]{43}", made.text)

    assert (made.status_code, made.headers["cache-control"]) == (201, "no-store")
    with deck.asked_with(token) as client:
        assert client.get("/api/v1/me").json()["email"] == ADA
        listed = ada.get("/settings").text
        assert token not in listed
        (number,) = ids(listed, "tokens")
        ada.send(f"/settings/tokens/{number}/end")
        assert client.get("/api/v1/me").status_code == 401


@pytest.mark.parametrize(
    "form",
    [{"name": "", "scope": "read"}, {"name": "x", "scope": "all"}, {"name": "x", "scope": "admin"}],
)
def test_no_other_token_can_be_made(ada: Browser, form: dict[str, str]) -> None:
    told = ada.send("/settings/tokens", **form)

    assert told.status_code == 422
    assert "mdk_" not in told.text


def test_logins_are_listed_and_ended_one_by_one(deck: Website, ada: Browser) -> None:
    with deck.browser(**{"User-Agent": FIREFOX}) as phone, deck.browser(ADA) as other:
        phone.get("/login")
        phone.send("/login", email=ADA, password=GOOD)
        listed = ada.get("/settings").text
        assert "Firefox on Linux" in listed
        assert listed.count("this one") == 1
        assert len(ids(listed, "sessions")) == 2

        newest, _ = sorted(ids(listed, "sessions"), key=int, reverse=True)
        ada.send(f"/settings/sessions/{newest}/end")
        assert [is_in(one) for one in (ada, phone, other)] == [True, False, True]

        ada.send("/settings/sessions/end-others")
        assert [is_in(one) for one in (ada, phone, other)] == [True, False, False]


def test_what_is_another_users_is_not_there(deck: Website, ada: Browser) -> None:
    with deck.browser("eve@example.org") as eve:
        eve.send("/settings/tokens", name="hers", scope="read")
        listed = eve.get("/settings").text
        (token,) = ids(listed, "tokens")
        assert ada.send(f"/settings/tokens/{token}/end").status_code == 404
        her, now = deck.user("eve@example.org"), deck.app.clock()
        (session,) = deck.app.store.sessions.list(her.id, now=now)
        assert ada.send(f"/settings/sessions/{session.id}/end").status_code == 404
        assert is_in(eve)
        assert ids(eve.get("/settings").text, "tokens") == [token]
