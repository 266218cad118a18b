"""Retention removes in slices: as many rows as nobody has to wait for."""

from __future__ import annotations

from datetime import timedelta

import pytest

from morningdeck.store.database.connect import Database
from morningdeck.store.tables.news import items, seen_guids
from morningdeck.store.views.retention import AT_FIRST, AT_MOST, Keep, Retention, next_slice
from tests.conftest import NOW
from tests.factories import make_items, make_source, rows_of


@pytest.mark.parametrize(
    ("size", "seconds", "following"),
    [
        (AT_FIRST, 0.001, 2 * AT_FIRST),
        (AT_MOST, 0.001, AT_MOST),
        (AT_FIRST, 0.02, AT_FIRST),
        (AT_FIRST, 0.2, AT_FIRST // 2),
        (1, 9.0, 1),
    ],
)
def test_the_next_slice_is_as_large_as_the_last_one_was_quick(
    size: int, seconds: float, following: int
) -> None:
    assert next_slice(size, seconds) == following


def test_many_slices_remove_all_that_is_old_and_nothing_else(database: Database) -> None:
    source = make_source(database)
    old = {"status": "DONE", "first_seen_at": NOW - timedelta(days=9)}
    make_items(database, source, 3 * AT_FIRST, **old)
    kept = make_items(database, make_source(database), 7)

    removed = Retention(database).apply(Keep(items=timedelta(days=8)), NOW)

    assert removed["items"] == 3 * AT_FIRST
    assert {row.id for row in rows_of(database, items)} == set(kept)
    assert len(rows_of(database, seen_guids)) == 3 * AT_FIRST
