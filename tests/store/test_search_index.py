"""Search in the database: only what is one's own, filtered, in order, and shown safely."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from typing import Any

import pytest
from sqlalchemy import event

from morningdeck.asked.parse import parse_query
from morningdeck.errors import NotFoundError
from morningdeck.model.finding import SearchQuery
from morningdeck.store.database.connect import Database, open_database
from morningdeck.store.rows.search_outbox import SearchOutbox
from morningdeck.store.views import search_index
from morningdeck.store.views.search_index import FACET_SAMPLE, FulltextIndex
from tests.conftest import NOW
from tests.contracts.search_index import SearchIndexContract
from tests.contracts.search_language import SearchLanguage
from tests.contracts.search_signs import SearchSigns
from tests.factories import make_briefing, make_items, make_source, make_subscription
from tests.store.shelf import Shelf


@pytest.fixture
def shelf(database: Database) -> Shelf:
    return Shelf(database)


class TestFulltextIndex(SearchIndexContract, SearchLanguage, SearchSigns):
    @pytest.fixture
    def index(self, database: Database) -> FulltextIndex:
        return FulltextIndex(database)


# ---- whose it is


def test_nobody_finds_what_he_does_not_read(database: Database, shelf: Shelf) -> None:
    bob = Shelf(database)
    bob.item("Harbour")

    assert shelf.search("harbour").total == 0
    assert shelf.search("").total == 0
    assert bob.search("harbour").total == 1


def test_what_he_saved_is_found_after_he_left_its_source(database: Database, shelf: Shelf) -> None:
    item = shelf.item("Harbour", source_id=make_source(database))
    assert shelf.found("harbour") == []

    shelf.mark(item, saved_at=NOW)
    assert shelf.found("harbour") == [item]


def test_what_is_found_in_a_mailbox_without_a_name_is_of_its_host(
    database: Database, shelf: Shelf
) -> None:
    letters = make_source(
        database, type="EMAIL", url="imap://me@mail.example/INBOX?from=a@b.example"
    )
    make_subscription(database, shelf.reader, letters)
    shelf.item("Harbour", source_id=letters)

    assert [hit.source for hit in shelf.search("harbour").hits] == ["mail.example"]


def test_a_source_or_briefing_of_another_is_not_there(database: Database, shelf: Shelf) -> None:
    bob = Shelf(database)
    briefing = make_briefing(database, bob.reader)

    with pytest.raises(NotFoundError, match="there is no source"):
        shelf.search("x", source_id=bob.source)
    with pytest.raises(NotFoundError, match="there is no briefing"):
        shelf.search("x", briefing_id=briefing)


def test_scores_and_marks_of_another_count_for_nothing(database: Database, shelf: Shelf) -> None:
    bob = Shelf(database)
    make_subscription(database, bob.reader, shelf.source)
    item = shelf.item("Harbour")
    bob.score(item, make_briefing(database, bob.reader), 90)
    bob.mark(item, read_at=NOW, saved_at=NOW)

    assert shelf.found("harbour", min_score=50) == []
    assert shelf.found("harbour", saved=True) == []
    assert shelf.found("harbour", unread=True) == [item]


# ---- filters, order, pages


def test_filters_compose(database: Database, shelf: Shelf) -> None:
    briefing, second = make_briefing(database, shelf.reader), make_source(database)
    make_subscription(database, shelf.reader, second)
    wanted = shelf.item("Harbour", published_at=NOW)
    others = [
        shelf.item("Harbour", published_at=NOW - timedelta(days=9)),
        shelf.item("Harbour", published_at=NOW, source_id=second),
        shelf.item("Harbour", published_at=NOW),
        shelf.item("Train", published_at=NOW),
    ]
    for item in (wanted, *others):
        shelf.score(item, briefing, 20 if item == others[2] else 80)
    read = shelf.item("Harbour", published_at=NOW)
    shelf.score(read, briefing, 80)
    shelf.mark(read, read_at=NOW)

    filters: dict[str, Any] = {
        "source_id": shelf.source,
        "briefing_id": briefing,
        "min_score": 50,
        "since": NOW - timedelta(days=1),
        "unread": True,
    }
    assert shelf.found("harbour", **filters) == [wanted]
    assert shelf.found("harbour", **{**filters, "unread": False}) == [wanted, read]
    assert shelf.found("harbour") == [wanted, *others[:3], read]


def test_h15_after_reading_all_nothing_is_unread(shelf: Shelf) -> None:
    for number in range(3):
        shelf.mark(shelf.item(f"Harbour {number}"), read_at=NOW)

    assert shelf.search("harbour", unread=True).hits == ()
    assert shelf.search("harbour", unread=True).total == 0


def test_only_what_was_saved_on_demand(shelf: Shelf) -> None:
    saved, marked = shelf.item("Harbour"), shelf.item("Harbour")
    shelf.mark(saved, saved_at=NOW)
    shelf.mark(marked, read_at=NOW)

    assert shelf.found("harbour", saved=True) == [saved]


def test_without_words_the_filters_alone_decide_newest_first(shelf: Shelf) -> None:
    old = shelf.item("Old", published_at=NOW - timedelta(days=1))
    new = shelf.item("New", published_at=NOW)

    assert [hit.id for hit in shelf.search("").hits] == [new, old]


def test_the_order_is_by_date_or_score_on_demand(database: Database, shelf: Shelf) -> None:
    briefing = make_briefing(database, shelf.reader)
    old = shelf.item("Harbour", published_at=NOW - timedelta(days=1))
    new = shelf.item("Harbour harbour harbour", published_at=NOW)
    unscored = shelf.item("Harbour", published_at=NOW + timedelta(days=1))
    shelf.score(old, briefing, 90)
    shelf.score(new, briefing, 10)

    by_date = [hit.id for hit in shelf.search("harbour", sort="date").hits]
    by_score = [hit.id for hit in shelf.search("harbour", sort="score").hits]
    assert by_date == [unscored, new, old]
    assert by_score == [old, new, unscored]


def test_pages_follow_each_other_and_the_total_stays(shelf: Shelf) -> None:
    made = [shelf.item("Harbour", published_at=NOW - timedelta(hours=n)) for n in range(5)]
    pages = [shelf.search("harbour", sort="date", limit=2, offset=at) for at in (0, 2, 4)]

    assert [hit.id for page in pages for hit in page.hits] == made
    assert {page.total for page in pages} == {5}


def test_more_than_are_counted_by_name_are_all_in_the_total(shelf: Shelf) -> None:
    made = make_items(shelf.database, shelf.source, FACET_SAMPLE + 100, status="DONE")
    shelf.mark(made[-1], read_at=NOW)

    assert shelf.search("").total == shelf.search("", sort="score").total == len(made)
    assert shelf.search("is:unread").total == len(made) - 1
    assert [hit.id for hit in shelf.search("is:unread").hits] == sorted(made[-21:-1], reverse=True)
    (last,) = shelf.search("is:unread", limit=1, offset=len(made) - 2).hits
    assert last.id == made[0]


def test_sqlite_goes_from_the_newest_and_sorts_nothing(sqlite_url: str) -> None:
    database = open_database(sqlite_url)
    shelf = Shelf(database)
    shelf.item("Harbour")
    sent: list[tuple[str, Any]] = []
    with database.read() as connection:
        event.listen(connection.engine, "before_cursor_execute", lambda *to: sent.append(to[2:4]))
    shelf.search("is:unread")
    statement, values = next(one for one in sent if "LIMIT" in one[0])

    with database.read() as connection:
        plan = connection.exec_driver_sql(f"EXPLAIN QUERY PLAN {statement}", values).all()
    database.close()

    assert plan[0].detail == "SCAN items USING INDEX ix_items_date"
    assert not [step for step in plan if "TEMP B-TREE" in step.detail]


def test_postgresql_looks_only_at_the_items_that_are_asked_about(postgres_url: str) -> None:
    database = open_database(postgres_url)
    shelf = Shelf(database)
    made = [shelf.item("Harbour") for _ in range(20)]
    sent: list[tuple[str, Any]] = []
    with database.read() as connection:
        event.listen(connection.engine, "before_cursor_execute", lambda *to: sent.append(to[2:4]))
    query = SearchQuery(shelf.reader, parse_query("harbour"))
    assert shelf.index.matching(query, made[:3]) == set(made[:3])
    statement, values = next(one for one in sent if "@@" in one[0])

    with database.read() as connection:
        explained = f"EXPLAIN (ANALYZE, FORMAT JSON) {statement}"
        (plan,) = connection.exec_driver_sql(explained, values).scalars().one()
    database.close()

    steps = plan["Plan"]["Plans"]
    (matching,) = (step for step in steps if step.get("Subplan Name") == "CTE matching")
    assert matching["Actual Rows"] == 3


def test_it_is_told_how_many_the_facets_count(
    shelf: Shelf, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(search_index, "FACET_SAMPLE", 2)
    for _ in range(3):
        shelf.item("Harbour opens", language="en")

    for text in ("harbour", "lang:en"):
        answer = shelf.search(text)
        assert (answer.total, answer.facets_of, answer.facets["language"]) == (3, 2, {"en": 2})


def test_facets_count_what_was_found(shelf: Shelf) -> None:
    shelf.item("Harbour", tags={"topics": ["energy", "sea"], "people": ["Ada"]})
    shelf.item("Harbour", tags={"topics": ["energy"]})
    shelf.item("Train", tags={"topics": ["rail"]})

    facets = shelf.search("harbour").facets
    assert facets == {
        "source": {"news.example": 2},
        "topics": {"energy": 2, "sea": 1},
        "people": {"Ada": 1},
    }


# ---- what is shown


def test_a_highlight_marks_the_match_and_escapes_all_else(shelf: Shelf) -> None:
    shelf.item("Plain", "<b>Über</b> the <script>harbour</script> & on")
    (hit,) = shelf.search("uber harb").hits

    assert hit.highlight == (
        "&lt;b&gt;<mark>Über</mark>&lt;/b&gt; the"
        " &lt;script&gt;<mark>harbour</mark>&lt;/script&gt; &amp; on"
    )


def test_a_highlight_without_a_match_is_escaped_too(shelf: Shelf) -> None:
    shelf.item("<i>Harbour</i>")

    assert shelf.search("").hits[0].highlight == "&lt;i&gt;Harbour&lt;/i&gt;"


def test_a_long_text_is_cut_around_the_match(shelf: Shelf) -> None:
    shelf.item("Plain", f"{'before ' * 50}harbour {'after ' * 50}")
    shown = shelf.search("harbour").hits[0].highlight

    assert shown.startswith("… before")
    assert "before <mark>harbour</mark> after" in shown
    assert shown.endswith("…")
    assert len(shown) < 250


def test_a_hit_has_what_a_list_shows(shelf: Shelf) -> None:
    item = shelf.item("Harbour", url="https://x", summary="Short.", published_at=NOW)
    answer = shelf.search("harbour")

    (hit,) = answer.hits
    assert (answer.backend, answer.degraded, answer.total) == ("database", False, 1)
    assert (hit.id, hit.title, hit.url) == (item, "Harbour", "https://x")
    assert (hit.summary, hit.published_at) == ("Short.", NOW)


# ---- keeping


def test_an_index_that_is_cleared_finds_nothing(shelf: Shelf) -> None:
    shelf.item("Harbour")
    shelf.index.clear()

    assert shelf.found("harbour") == []


def test_two_processes_may_index_the_same_items_at_once(
    database: Database, database_url: str, shelf: Shelf
) -> None:
    items = sorted(shelf.item("Harbour") for _ in range(20))
    with database.write() as connection:
        connection.exec_driver_sql("UPDATE items SET search_mark = 1")
    documents = SearchOutbox(database).documents(20)
    other = open_database(database_url)
    both = (FulltextIndex(database), FulltextIndex(other))
    with ThreadPoolExecutor(2) as pool:
        for _ in range(20):
            list(pool.map(lambda index: index.put(documents, gone=()), both))
    other.close()

    assert shelf.found("harbour") == items
