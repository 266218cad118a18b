"""What a search elsewhere needs to know of its reader."""

from __future__ import annotations

from morningdeck.asked.parse import parse_query
from morningdeck.model.finding import SearchQuery
from morningdeck.store.database.connect import Database
from morningdeck.store.views.search_reach import SearchReach
from tests.factories import make_source, make_subscription, make_user


def test_the_sources_of_a_reader_are_told_by_the_ends_of_their_runs(database: Database) -> None:
    reader, other = make_user(database), make_user(database)
    ids = [make_source(database) for _ in range(9)]
    for place in (7, 0, 2, 1, 5):
        make_subscription(database, reader, ids[place])
    make_subscription(database, other, ids[3])

    reach = SearchReach(database).reach(SearchQuery(reader, parse_query("x")), own_changes=False)

    first = ids[0]
    assert ids == list(range(first, first + 9))
    assert list(reach.source_runs) == [
        (first, first + 2),
        (first + 5, first + 5),
        (first + 7, first + 7),
    ]


def test_who_reads_nothing_has_no_sources(database: Database) -> None:
    query = SearchQuery(make_user(database), parse_query("x"))

    assert not SearchReach(database).reach(query, own_changes=False).source_runs
