"""What a fetch leaves behind: new items in line, changed ones again, known ones alone."""

from __future__ import annotations

from datetime import timedelta

import pytest
from sqlalchemy import func, select, update

from morningdeck.asked.parse import parse_query
from morningdeck.model.finding import SearchQuery
from morningdeck.model.kinds import Health
from morningdeck.model.reading import Fetched, Reading, Validators
from morningdeck.store.database.connect import Database
from morningdeck.store.tables.briefs import item_scores
from morningdeck.store.tables.news import item_texts, items, seen_guids, sources
from morningdeck.store.views.search_index import FulltextIndex
from tests.conftest import NOW
from tests.factories import make_source, make_subscription, make_user, row_of
from tests.store.making import (
    an_entry,
    counted_statements,
    items_of,
    keep,
    keep_fetched,
    keep_trouble,
)

WEEK = timedelta(days=7)


def first_import(*entries_hours: int, limit: int = 10) -> Fetched:
    entries = tuple(an_entry(hours) for hours in entries_hours)
    return Fetched(Reading(entries), import_limit=limit, import_since=NOW - WEEK)


def text_of(database: Database, item_id: int) -> tuple[str, str]:
    with database.read() as connection:
        row = connection.execute(select(item_texts).filter_by(item_id=item_id)).one()
    return row.raw_content, row.clean_content


def set_item(database: Database, item_id: int, **values: object) -> None:
    with database.write() as connection:
        connection.execute(update(items).where(items.c.id == item_id).values(**values))


# ---- a first import


def test_a_first_import_enriches_the_newest_ten_of_a_week(database: Database, source: int) -> None:
    keep_fetched(database, source, first_import(*range(0, 20 * 12, 12)))

    found = items_of(database, source)
    assert [row.status for row in found] == ["NEW"] * 10 + ["DONE"] * 10


def test_a_first_import_of_an_old_feed_enriches_nothing(database: Database, source: int) -> None:
    keep_fetched(database, source, first_import(200, 300, 400))

    assert {row.status for row in items_of(database, source)} == {"DONE"}


def test_the_newest_are_chosen_wherever_they_stand_in_the_feed(
    database: Database, source: int
) -> None:
    keep_fetched(database, source, first_import(9, 1, 7, 3, limit=2))

    waiting = [row.title for row in items_of(database, source) if row.status == "NEW"]
    assert waiting == ["Title 1", "Title 3"]


def test_entries_without_a_date_come_after_those_with_one(database: Database, source: int) -> None:
    undated = [an_entry(number, published_at=None) for number in (1, 2)]
    reading = Reading((*undated, an_entry(100)))
    keep_fetched(database, source, Fetched(reading, import_limit=2, import_since=NOW - WEEK))

    waiting = {row.title for row in items_of(database, source) if row.status == "NEW"}
    assert waiting == {"Title 100", "Title 1"}


def test_what_a_first_import_only_stores_is_found_but_not_scored(database: Database) -> None:
    reader, source = make_user(database), make_source(database)
    make_subscription(database, reader, source)
    keep_fetched(database, source, first_import(500, limit=10))

    answer = FulltextIndex(database).search(SearchQuery(reader, parse_query("Text 500")))

    assert [hit.title for hit in answer.hits] == ["Title 500"]
    with database.read() as connection:
        assert connection.scalar(select(func.count()).select_from(item_scores)) == 0


def test_what_a_first_import_only_stores_is_found_by_other_forms_of_its_words(
    database: Database,
) -> None:
    reader, source = make_user(database), make_source(database)
    make_subscription(database, reader, source)
    old = an_entry(500, title="Neue Fähren", text="Die Häfen öffnen.", language="de")
    keep_fetched(
        database, source, Fetched(Reading((old,)), import_limit=10, import_since=NOW - WEEK)
    )

    asked = [
        FulltextIndex(database).search(SearchQuery(reader, parse_query(text)))
        for text in ("title:Fähre", "Hafen", "lang:de", "lang:en")
    ]

    assert [answer.total for answer in asked] == [1, 1, 1, 0]


# ---- new, known, changed


def test_an_old_date_is_news_if_it_was_never_seen(database: Database, source: int) -> None:
    keep(database, source, an_entry(1), an_entry(5000))

    assert [row.status for row in items_of(database, source)] == ["NEW", "NEW"]


def test_what_is_known_and_unchanged_is_left_alone(database: Database, source: int) -> None:
    keep(database, source, an_entry(1))
    before = items_of(database, source)
    keep(database, source, an_entry(1), now=NOW + timedelta(hours=1))

    assert items_of(database, source) == before


def test_a_changed_text_is_enriched_again(database: Database, source: int) -> None:
    keep(database, source, an_entry(1))
    (item,) = items_of(database, source)
    set_item(database, item.id, status="DONE", enriched_by="offline", processed_at=NOW, failures=2)

    keep(database, source, an_entry(1, title="Corrected", text="New.", content_hash="other"))

    (after,) = items_of(database, source)
    assert (after.status, after.processed_at, after.failures) == ("NEW", None, 0)
    assert (after.title, after.content_hash) == ("Corrected", "other")
    assert after.search_mark == item.search_mark + 1
    assert text_of(database, item.id) == ("<p>Text 1.</p>", "New.")


def test_a_mended_typo_is_kept_but_not_enriched_again(database: Database, source: int) -> None:
    words = " ".join(f"word{number}" for number in range(100))
    keep(database, source, an_entry(1, text=words))
    (item,) = items_of(database, source)
    set_item(database, item.id, status="DONE", enriched_by="offline", processed_at=NOW)

    keep(database, source, an_entry(1, text=f"{words} more", content_hash="other"))

    (after,) = items_of(database, source)
    assert (after.status, after.content_hash) == ("DONE", "other")
    assert text_of(database, item.id)[1].endswith("more")


@pytest.mark.parametrize("status", ["PENDING", "PROCESSING", "ERROR", "CANCELLED"])
def test_a_changed_text_disturbs_nobody_who_works_on_it(
    database: Database, source: int, status: str
) -> None:
    keep(database, source, an_entry(1))
    set_item(database, items_of(database, source)[0].id, status=status, enriched_by="offline")

    keep(database, source, an_entry(1, content_hash="other"))

    (after,) = items_of(database, source)
    assert (after.status, after.content_hash) == (status, "other")


def test_what_was_only_stored_stays_so_when_it_changes(database: Database, source: int) -> None:
    keep_fetched(database, source, first_import(500))
    keep(database, source, an_entry(500, content_hash="other"))

    (after,) = items_of(database, source)
    assert (after.status, after.content_hash) == ("DONE", "other")


def test_changed_items_get_in_line_one_after_the_other(database: Database, source: int) -> None:
    keep(database, source, *(an_entry(number) for number in range(3)))
    for row in items_of(database, source)[1:]:
        set_item(database, row.id, status="DONE", enriched_by="offline", turn=0)

    changed = {"text": "Quite another text.", "content_hash": "other"}
    keep(database, source, *(an_entry(number, **changed) for number in range(3)))

    assert [row.turn for row in items_of(database, source)] == [0, 1, 2]


def test_a_known_address_under_a_new_guid_is_not_new(database: Database, source: int) -> None:
    keep(database, source, an_entry(1))
    keep(database, source, an_entry(1, guid="renamed", content_hash="other"))

    (item,) = items_of(database, source)
    assert (item.guid, item.content_hash) == ("guid-1", "other")


def test_an_address_that_all_entries_share_tells_none_of_them(
    database: Database, source: int
) -> None:
    home = "https://news.example/"
    one, two, three = (an_entry(number, canonical_url=home) for number in (1, 2, 3))
    keep(database, source, one, two)
    keep(database, source, two, three)

    assert [row.title for row in items_of(database, source)] == ["Title 1", "Title 2", "Title 3"]


def test_a_newcomer_at_an_address_that_is_still_told_changes_nothing(
    database: Database, source: int
) -> None:
    keep(database, source, an_entry(1))
    both = (an_entry(1), an_entry(1, guid="live", content_hash="other"))
    keep(database, source, *both)
    before = items_of(database, source)
    keep(database, source, *both)

    assert [row.content_hash for row in before] == ["hash-1", "other"]
    assert items_of(database, source) == before


def test_the_same_guid_in_two_sources_is_two_items(database: Database, source: int) -> None:
    other = make_source(database)
    keep(database, source, an_entry(1))
    keep(database, other, an_entry(1))

    assert len(items_of(database, source)) == len(items_of(database, other)) == 1


def test_what_retention_has_removed_stays_away(database: Database, source: int) -> None:
    with database.write() as connection:
        connection.execute(seen_guids.insert().values(source_id=source, guid="guid-1"))
    keep(database, source, an_entry(1), an_entry(2))

    assert [row.guid for row in items_of(database, source)] == ["guid-2"]


def test_a_guid_that_comes_twice_is_stored_once(database: Database, source: int) -> None:
    keep(database, source, an_entry(1), an_entry(1, url="https://news.example/again"))

    (item,) = items_of(database, source)
    assert item.url == "https://news.example/1"


def test_later_items_stand_behind_those_that_wait(database: Database, source: int) -> None:
    keep(database, source, an_entry(1), an_entry(2))
    keep(database, source, an_entry(3))

    assert [row.turn for row in items_of(database, source)] == [0, 1, 2]


def test_what_was_published_lately_comes_first(database: Database, source: int) -> None:
    keep(database, source, an_entry(24), an_entry(72), an_entry(73), an_entry(0, published_at=None))

    assert [row.priority for row in items_of(database, source)] == [10, 5, 0, 0]


# ---- what feeds may hold


def test_nul_and_half_characters_break_no_database(database: Database, source: int) -> None:
    bad = "a\0b\ud800c"
    nasty = an_entry(
        1, guid=bad, url=bad, canonical_url=bad, title=bad, author=bad, text=bad, html=bad
    )
    keep(database, source, nasty)
    keep(database, source, nasty)

    (item,) = items_of(database, source)
    assert (item.guid, item.title, item.author) == ("ab?c", "ab?c", "ab?c")
    assert text_of(database, item.id) == ("ab?c", "ab?c")


def test_two_guids_that_differ_only_in_nul_are_one(database: Database, source: int) -> None:
    keep(database, source, an_entry(1, guid="a"), an_entry(2, guid="a\0"))

    assert [row.guid for row in items_of(database, source)] == ["a"]


def test_headers_titles_and_warnings_may_be_as_bad(database: Database, source: int) -> None:
    bad = "a\0b\udfff"
    reading = Reading(title=bad, validators=Validators(bad, bad), warnings=(bad,))
    keep_fetched(database, source, Fetched(reading))
    keep_trouble(database, source, Health.DEGRADED, bad)

    row = row_of(database, sources, source)
    assert (row.title, row.etag, row.warnings) == ("ab?", "ab?", ("ab?",))


# ---- set-based


@pytest.mark.parametrize("case", ["new", "known", "changed"])
def test_the_number_of_statements_does_not_grow_with_the_entries(
    database: Database, case: str
) -> None:
    def statements(count: int) -> int:
        source = make_source(database)
        entries = [an_entry(number) for number in range(count)]
        if case != "new":
            keep(database, source, *entries)
        if case == "changed":
            entries = [an_entry(number, content_hash="other") for number in range(count)]
        with counted_statements() as sent:
            keep(database, source, *entries)
        assert len(items_of(database, source)) == count
        return len(sent)

    assert statements(500) == statements(5) <= 12
    assert statements(1500) <= 12 + 2 * 7
