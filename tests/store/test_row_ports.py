"""The rows that verbs read hold the contracts of their ports on both databases."""

from __future__ import annotations

import pytest

from morningdeck.store.database.connect import Database
from morningdeck.store.rows.briefings import SqlBriefingRows
from morningdeck.store.rows.items import SqlItemRows
from morningdeck.store.rows.sources import SqlSourceRows
from morningdeck.store.rows.stories import SqlStoryRows
from tests.contracts.rows import (
    BriefingRowsContract,
    ItemRowsContract,
    SourceRowsContract,
    StoryRowsContract,
)
from tests.factories import make_briefing, make_subscription, make_user
from tests.store.test_stories import a_table


class TestSqlSourceRows(SourceRowsContract):
    @pytest.fixture
    def source_rows(self, database: Database) -> SqlSourceRows:
        return SqlSourceRows(database)

    @pytest.fixture
    def source_id(self, source: int) -> int:
        return source


class TestSqlItemRows(ItemRowsContract):
    @pytest.fixture
    def item_rows(self, database: Database) -> SqlItemRows:
        return SqlItemRows(database)

    @pytest.fixture
    def item_id(self, database: Database, source: int, item: int) -> int:
        make_subscription(database, make_user(database), source)
        return item


class TestSqlStoryRows(StoryRowsContract):
    @pytest.fixture
    def story_rows(self, database: Database) -> SqlStoryRows:
        return a_table(database)

    @pytest.fixture
    def item_id(self, item: int) -> int:
        return item


class TestSqlBriefingRows(BriefingRowsContract):
    @pytest.fixture
    def briefing_rows(self, database: Database) -> SqlBriefingRows:
        return SqlBriefingRows(database)

    @pytest.fixture
    def briefing_id(self, database: Database) -> int:
        return make_briefing(database, make_user(database))
