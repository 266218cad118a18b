"""What the tests of reader apps share: a user and her app."""

from __future__ import annotations

import itertools
from collections.abc import Iterator

import pytest

from tests.web.greader.app import ReaderApp, logged_in
from tests.web.site import Website

_numbers = itertools.count(1)


@pytest.fixture
def email(web: Website) -> str:
    """Of a new user."""
    address = f"reader{next(_numbers)}@example.org"
    web.stock.user(address)
    return address


@pytest.fixture
def user(web: Website, email: str) -> int:
    return web.app.store.users.by_email(email).id


@pytest.fixture
def reader(web: Website, email: str) -> Iterator[ReaderApp]:
    with logged_in(web, email) as app:
        yield app
