"""Answers that were paid for once."""

from __future__ import annotations

from datetime import timedelta

import pytest

from morningdeck.store.database.connect import Database
from morningdeck.store.rows.answer_cache import LONGEST_ANSWER, SqlAnswerCache
from morningdeck.store.tables.running import model_answers
from morningdeck.store.views import retention
from morningdeck.store.views.retention import Keep, Retention
from tests.conftest import NOW, ManualClock
from tests.contracts.answer_cache import AnswerCacheContract
from tests.factories import rows_of


@pytest.fixture
def answers(database: Database, clock: ManualClock) -> SqlAnswerCache:
    return SqlAnswerCache(database, clock)


class TestSqlAnswerCache(AnswerCacheContract):
    """Its fixture is everybody's here."""


def test_an_answer_that_is_too_long_is_asked_for_again(answers: SqlAnswerCache) -> None:
    answers.keep("long", "x" * (LONGEST_ANSWER + 1))
    answers.keep("fits", "x" * LONGEST_ANSWER)

    assert answers.find("long") is None
    assert answers.find("fits") is not None


def test_answers_go_when_they_are_old_and_the_oldest_when_they_are_too_many(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    ages = (0, 1, 2, 3, 29, 31)
    rows = [{"key": str(age), "created_at": NOW - timedelta(days=age)} for age in ages]
    with database.write() as connection:
        connection.execute(model_answers.insert(), rows)

    def kept() -> list[str]:
        Retention(database).apply(Keep(), NOW)
        return [row.key for row in rows_of(database, model_answers)]

    assert kept() == ["0", "1", "2", "29", "3"]
    monkeypatch.setattr(retention, "MOST_ANSWERS", 3)
    assert kept() == ["0", "1", "2"]
