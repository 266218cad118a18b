"""The row ports that verbs read: nothing for what is not there, the same answer twice."""

from __future__ import annotations

from morningdeck.model.making import Likeness
from morningdeck.ports.verbs import BriefingRows, ItemRows, SourceRows, StoryRows
from tests.conftest import NOW

ABSENT = 999_999


class SourceRowsContract:
    """Give it the fixtures `source_rows` and `source_id`."""

    def test_a_source_is_loaded_by_its_id(self, source_rows: SourceRows, source_id: int) -> None:
        source = source_rows.load(source_id)

        assert source is not None
        assert source.id == source_id

    def test_a_source_that_is_gone_is_none(self, source_rows: SourceRows) -> None:
        assert source_rows.load(ABSENT) is None


class ItemRowsContract:
    """Give it the fixtures `item_rows` and `item_id`, an item that somebody reads."""

    def test_an_item_is_loaded_by_its_id(self, item_rows: ItemRows, item_id: int) -> None:
        item = item_rows.load(item_id)

        assert item is not None
        assert (item.id, item.has_readers) == (item_id, True)

    def test_an_item_that_is_gone_is_none(self, item_rows: ItemRows) -> None:
        assert item_rows.load(ABSENT) is None

    def test_what_serves_no_briefing_waits_for_no_slot(
        self, item_rows: ItemRows, item_id: int
    ) -> None:
        assert item_rows.next_slot(item_id) is None
        assert item_rows.next_slot(ABSENT) is None


class StoryRowsContract:
    """Give it the fixtures `story_rows` and `item_id`, an item without a story."""

    def test_an_item_has_a_role_once_it_is_assigned(
        self, story_rows: StoryRows, item_id: int
    ) -> None:
        assert story_rows.role(item_id) is None

        role = story_rows.assign(item_id, Likeness(None, "Harbour opens", "a", 0, b""), NOW)

        assert story_rows.role(item_id) == role

    def test_to_be_assigned_twice_changes_nothing(
        self, story_rows: StoryRows, item_id: int
    ) -> None:
        likeness = Likeness(None, "Harbour opens", "a", 0, b"")

        first = story_rows.assign(item_id, likeness, NOW)

        assert story_rows.assign(item_id, likeness, NOW) == first


class BriefingRowsContract:
    """Give it the fixtures `briefing_rows` and `briefing_id`, a briefing that runs by plan."""

    def test_a_briefing_is_loaded_by_its_id(
        self, briefing_rows: BriefingRows, briefing_id: int
    ) -> None:
        briefing = briefing_rows.load(briefing_id)

        assert briefing is not None
        assert briefing.id == briefing_id

    def test_a_briefing_that_is_gone_is_none(self, briefing_rows: BriefingRows) -> None:
        assert briefing_rows.load(ABSENT) is None

    def test_a_slot_has_one_report_until_it_is_written(
        self, briefing_rows: BriefingRows, briefing_id: int
    ) -> None:
        report = briefing_rows.open_report(briefing_id, "2026-11-18")

        assert report is not None
        assert briefing_rows.open_report(briefing_id, "2026-11-18") == report

    def test_a_report_that_is_not_written_is_none(
        self, briefing_rows: BriefingRows, briefing_id: int
    ) -> None:
        briefing_rows.open_report(briefing_id, "2026-11-18")

        assert not briefing_rows.has_reports(briefing_id)

    def test_who_is_not_there_has_nothing_to_know(self, briefing_rows: BriefingRows) -> None:
        assert briefing_rows.untold(ABSENT) == ()

    def test_no_stories_are_told_by_nobody(
        self, briefing_rows: BriefingRows, briefing_id: int
    ) -> None:
        assert briefing_rows.tellers(1, ()) == {}
