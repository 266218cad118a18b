"""Search in the database: the same words find the same items on both, and only one's own."""

from __future__ import annotations

import json
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import update

from morningdeck.errors import NotFoundError
from morningdeck.model import SearchAnswer, SearchQuery
from morningdeck.store.connect import Database
from morningdeck.store.fulltext import FulltextIndex
from morningdeck.store.outbox import SearchOutbox
from morningdeck.store.tables import item_scores, item_states, item_texts
from tests.conftest import NOW
from tests.factories import (
    make_briefing,
    make_item,
    make_source,
    make_subscription,
    make_user,
)


class Shelf:
    """What one reader can search."""

    def __init__(self, database: Database) -> None:
        self.database = database
        self.index = FulltextIndex(database)
        self.reader = make_user(database)
        self.source = make_source(database)
        make_subscription(database, self.reader, self.source)

    def item(self, title: str, text: str = "", **values: Any) -> int:
        row = {"title": title, "status": "DONE", "search_mark": 1, **values}
        item = make_item(self.database, row.pop("source_id", self.source), **row)
        with self.database.write() as connection:
            this = update(item_texts).where(item_texts.c.item_id == item)
            connection.execute(this.values(clean_content=text))
        outbox = SearchOutbox(self.database)
        documents = outbox.documents(10)
        self.index.put(documents, gone=())
        outbox.clear(documents)
        return item

    def mark(self, item: int, **values: Any) -> None:
        with self.database.write() as connection:
            row = {"user_id": self.reader, "item_id": item, **values}
            connection.execute(item_states.insert().values(row))

    def score(self, item: int, briefing: int, score: int) -> None:
        with self.database.write() as connection:
            row = {"item_id": item, "briefing_id": briefing, "score": score}
            connection.execute(item_scores.insert().values(row))

    def search(self, text: str, **filters: Any) -> SearchAnswer:
        return self.index.search(SearchQuery(user_id=self.reader, text=text, **filters))

    def found(self, text: str, **filters: Any) -> list[int]:
        return sorted(hit.id for hit in self.search(text, **filters).hits)


@pytest.fixture
def shelf(database: Database) -> Shelf:
    return Shelf(database)


# ---- words


def test_all_words_must_be_there_wherever_they_stand(shelf: Shelf) -> None:
    item = shelf.item("Harbour opens", "A new ferry line.")
    shelf.item("Harbour closes")

    assert shelf.found("ferry harbour") == [item]
    assert shelf.found("harbour train") == []


def test_every_part_of_an_item_is_searched(shelf: Shelf) -> None:
    tags = {"topics": ["energy"], "people": ["Lovelace"], "companies": ["Acme"]}
    item = shelf.item(
        "Title",
        "Content.",
        summary="Abstract",
        author="Somebody",
        tags={**tags, "technologies": ["Wasm"]},
    )
    words = ("title", "content", "abstract", "somebody", "energy", "lovelace", "acme", "wasm")

    assert [shelf.found(f'"{word}"') for word in words] == [[item]] * len(words)


def test_a_phrase_is_found_only_as_it_stands(shelf: Shelf) -> None:
    item = shelf.item("The new harbour master resigns")
    shelf.item("The master of the new harbour")

    assert shelf.found('"harbour master"') == [item]
    assert shelf.found('"new harbour master" resigns') == [item]


def test_the_last_word_may_be_unfinished_others_with_a_star(shelf: Shelf) -> None:
    item = shelf.item("Harbour opens")

    assert shelf.found("harb") == [item]
    assert shelf.found("harb* opens") == [item]
    assert shelf.found("harb opens") == []
    assert shelf.found('"harb"') == []


@pytest.mark.parametrize(
    ("title", "query"),
    [
        ("Café à Orléans", "cafe orleans"),
        ("Cafe a Orleans", "CAFÉ À ORLÉANS"),
        ("Straßenbahn", "strassenbahn"),
        ("İstanbul", "istanbul"),
        ("Müller ﬁndet", "muller findet"),
        ("Ελλάδα", "ελλαδα"),
    ],
)
def test_accents_and_case_make_no_difference(shelf: Shelf, title: str, query: str) -> None:
    item = shelf.item(title)

    assert shelf.found(query) == [item]


@pytest.mark.parametrize(
    ("text", "query"),
    [
        ("train/ferry", "ferry"),
        ("ada@mail.example.org", "mail"),
        ("see https://news.example/a/harbour.html", "harbour"),
        ("harbour-master", "master"),
        ("harbour-master", '"harbour master"'),
        ("<b>harbour</b>", "harbour"),
        ("version 1.25.3", '"1.25"'),
        ("snake_case", "case"),
        ("AT&T", '"at t"'),
    ],
)
def test_what_stands_between_words_only_parts_them(shelf: Shelf, text: str, query: str) -> None:
    item = shelf.item("Title", text)

    assert shelf.found(query) == [item]


def test_a_title_counts_more_than_a_text(shelf: Shelf) -> None:
    text = shelf.item("Something else", "About the harbour and much more than that.")
    title = shelf.item("Harbour")

    assert [hit.id for hit in shelf.search("harbour").hits] == [title, text]


# ---- plain text


@pytest.mark.parametrize(
    "query",
    [
        "harbour AND",
        "NOT harbour",
        "harbour OR",
        "harbour NEAR(opens)",
        "title:harbour",
        '"harbour',
        'harbour"',
        "harbour*opens*",
        "harbour & !opens | ()",
        "harbour:*",
        "'harbour'",
        "har'bour",
        "harbour\\",
        "^harbour",
        "{harbour} - opens + -opens",
        "harbour; DROP TABLE items",
        "harbour\0opens",
        "harbour \ud800",
        "_",
        "___ harbour",
        "😀",
        "*",
        '""',
    ],
)
def test_operators_quotes_and_stars_are_plain_text(shelf: Shelf, query: str) -> None:
    shelf.item("Harbour opens")

    assert shelf.search(query).total in (0, 1)


def test_boolean_words_are_words(shelf: Shelf) -> None:
    item = shelf.item("To be or not to be and so on")
    shelf.item("So on")

    assert shelf.found("or not") == [item]
    assert shelf.found("so AND on") == [item]


def test_no_naughty_string_is_an_error_nor_finds_what_it_does_not_say(
    shelf: Shelf, corpora: Path
) -> None:
    strings = json.loads((corpora / "naughty-strings" / "blns.json").read_text(encoding="utf-8"))
    item = shelf.item("Harbour", "opens")

    for query in strings:
        answer = shelf.search(query)
        assert answer.total <= 1, query
        assert [hit.id for hit in answer.hits] in ([], [item]), query


def test_naughty_titles_can_be_stored_and_found(shelf: Shelf, corpora: Path) -> None:
    strings = json.loads((corpora / "naughty-strings" / "blns.json").read_text(encoding="utf-8"))
    for number, title in enumerate(strings[::10]):
        assert shelf.found(f"needle{number}x") == []
        item = shelf.item(title, f"needle{number}x")
        assert shelf.found(f"needle{number}x") == [item]


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


def test_facets_count_what_was_found(shelf: Shelf) -> None:
    shelf.item("Harbour", tags={"topics": ["energy", "sea"], "people": ["Ada"]})
    shelf.item("Harbour", tags={"topics": ["energy"]})
    shelf.item("Train", tags={"topics": ["rail"]})

    facets = shelf.search("harbour").facets
    assert facets == {"topics": {"energy": 2, "sea": 1}, "people": {"Ada": 1}}


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


def test_a_new_document_replaces_the_old_one(database: Database, shelf: Shelf) -> None:
    item = shelf.item("Harbour")
    with database.write() as connection:
        connection.exec_driver_sql("UPDATE items SET title = 'Train', search_mark = 1")
    shelf.index.put(SearchOutbox(database).documents(10), gone=())

    assert shelf.found("harbour") == []
    assert shelf.found("train") == [item]


def test_what_is_gone_is_not_found(shelf: Shelf) -> None:
    gone, stays = shelf.item("Harbour"), shelf.item("Harbour")
    shelf.index.put((), gone=[gone])
    assert shelf.found("harbour") == [stays]

    shelf.index.clear()
    assert shelf.found("harbour") == []
