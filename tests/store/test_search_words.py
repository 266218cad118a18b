"""The words of a search: they find the same on both databases, and never break one."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from morningdeck.store.database.connect import Database
from tests.store.shelf import Shelf


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


def test_boolean_words_join_in_capitals_and_are_words_in_small_letters(shelf: Shelf) -> None:
    both = shelf.item("To be or not to be and so on")
    one = shelf.item("So on")

    assert shelf.found("or not") == [both]
    assert shelf.found("so AND on") == [both, one]
    assert shelf.found("be OR on") == [both, one]
    assert shelf.found("on NOT be") == [one]
    assert shelf.found("OR") == [both]


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
