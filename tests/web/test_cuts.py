"""Two at once, and a database that goes away in the middle of a request."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from functools import partial
from threading import Barrier
from typing import Any

import pytest
from sqlalchemy import Engine, event

from morningdeck.actions import accounts
from morningdeck.store.tables.people import users
from tests.factories import rows_of
from tests.servers.postgresql import PostgresServer
from tests.web.site import Website, website
from tests.web.test_every_route import ROUTES, ask, something_of_somebody

API = [name for name in ROUTES if name[1].startswith("/api/v1/")]


def at_once(*calls: Callable[[], Any]) -> list[Any]:
    together = Barrier(len(calls))

    def called(call: Callable[[], Any]) -> Any:
        together.wait(30)
        return call()

    with ThreadPoolExecutor(len(calls)) as threads:
        return list(threads.map(called, calls))


def test_a_code_that_two_use_at_once_opens_for_one(web: Website) -> None:
    """Each with an address of its own: the account is the one's or the other's, never both's."""
    for number in range(5):
        user = web.user(f"coded{number}@example.org")
        code = accounts.new_code(web.app.store.accounts, user, now=web.app.clock()).code
        emails = [f"{name}{number}@claim.example" for name in ("ada", "eve")]
        with web.browser() as ada, web.browser() as eve:
            for browser in (ada, eve):
                browser.get("/claim")
            said = {"code": code, "password": "a few good words"}
            claims = [
                partial(browser.send, "/claim", email=email, **said)
                for browser, email in zip((ada, eve), emails, strict=True)
            ]
            codes = [answer.status_code for answer in at_once(*claims)]

        assert sorted(codes) == [303, 422]
        (row,) = rows_of(web.app.store.database, users, users.c.id == user.id)
        assert row.email == emails[codes.index(303)]
    web.forget_attempts()


def test_changes_at_once_are_all_there(web: Website) -> None:
    owned = something_of_somebody(web)
    token, path = web.token(owned.email, "write"), f"/api/v1/items/{owned.ids['item']}"
    with web.asked_with(token) as one, web.asked_with(token) as other:
        for wanted in (True, False) * 5:
            changes = {"read": wanted}, {"saved": wanted}
            answers = at_once(
                *(
                    partial(of.patch, path, json=body)
                    for of, body in zip((one, other), changes, strict=True)
                )
            )
            item = one.get(path).json()

            assert [answer.status_code for answer in answers] == [200, 200]
            assert (item["read"], item["saved"]) == (wanted, wanted)


def test_what_goes_while_it_is_looked_at_is_there_or_not(web: Website) -> None:
    owned = something_of_somebody(web)
    user, token = web.user(owned.email).id, web.token(owned.email, "write")
    with web.asked_with(token) as one, web.asked_with(token) as other:
        for number in range(5):
            path = f"/api/v1/sources/{web.stock.source(user, f'https://gone{number}.example/')}"
            there, gone = at_once(partial(one.get, path), partial(other.delete, path))

            assert (there.status_code in (200, 404), gone.status_code) == (True, 204)
            assert one.get(path).status_code == 404


# ---- cut off


@pytest.fixture(scope="module")
def cuttable(
    tmp_path_factory: pytest.TempPathFactory, postgres_server: PostgresServer
) -> Iterator[Website]:
    folder = tmp_path_factory.mktemp("cuttable")
    with postgres_server.database(f"cuttable_{os.getpid()}") as url, website(folder, url) as web:
        yield web


@contextmanager
def cut_at(number: int) -> Iterator[list[str]]:
    """The server ends the connection just before this statement, counted from 0."""
    heard: list[str] = []

    def cut(connection: Any, cursor: Any, statement: str, *_: Any) -> None:
        heard.append(statement)
        if len(heard) == number + 1:
            process = cursor.connection.info.backend_pid
            with connection.engine.raw_connection().cursor() as other:
                other.execute("SELECT pg_terminate_backend(%s)", (process,))

    event.listen(Engine, "before_cursor_execute", cut)
    try:
        yield heard
    finally:
        event.remove(Engine, "before_cursor_execute", cut)


@pytest.mark.parametrize("name", API, ids=" ".join)
def test_a_connection_that_is_cut_is_said_and_the_next_request_works(
    cuttable: Website, name: tuple[str, str]
) -> None:
    """At each of its first statements: the answer is a 503, or that of a second try."""
    codes = []
    owned = something_of_somebody(cuttable)
    token = cuttable.token(owned.email, "write")
    for number in range(4):
        with cut_at(number) as heard:
            answer = ask(cuttable, token, name, owned)
        if len(heard) <= number:
            break
        codes.append(answer.status_code)
        if answer.status_code == 503:
            assert int(answer.headers["retry-after"]) > 0
            assert answer.headers["content-type"] == "application/problem+json"
        with cuttable.asked_with(token) as client:
            assert client.get("/api/v1/me").status_code == 200
    assert 503 in codes
    assert {code for code in codes if code >= 500} == {503}
