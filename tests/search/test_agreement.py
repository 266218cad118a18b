"""Random queries: the server finds all that the database finds, and more by what it forgives."""

from __future__ import annotations

from random import Random

import pytest

from morningdeck.asked.parse import parse_query
from morningdeck.model.finding import SearchQuery
from morningdeck.search.meilisearch import MeilisearchIndex
from morningdeck.store.database.connect import Database
from morningdeck.store.views.search_index import FulltextIndex
from tests.search.desk import Desk

WORDS = (
    *("sun", "moon", "sky", "fox", "owl", "bee", "port", "ports", "ferry", "ferries", "Häuser"),
    *("C++", "AT&T", ".NET", "#3", "$5", "e-mail", "node.js", "U.S.", "1.25", "don't", "l'été"),
    *(
        "café",
        "Łódź",
        "straße",
        "Москва",
        "東京都",
        "京都",
        "서울특별시",
        "🚀",
        "rocket🚀",
        "🎉fox",
    ),
)
PARTS = ("", "", "", ".", ",", "!", ":", " -")
ITEMS, QUERIES = 50, 120


class Speaker:
    def __init__(self, seed: int) -> None:
        self._random = Random(seed)

    def text(self, most: int) -> str:
        said = (self._any(WORDS) + self._any(PARTS) for _ in range(self._random.randint(1, most)))
        return " ".join(said)

    def query(self) -> str:
        parts = [self._part() for _ in range(self._random.randint(1, 3))]
        return self._any((" ", " ", " OR ")).join(parts) + self._any(("", " "))

    def _part(self) -> str:
        word, other = self._any(WORDS), self._any(WORDS)
        forms = (word, word, word, f'"{word} {other}"', f"{word}*", f"title:{word}")
        return self._any((*forms, f"topic:{word}", f"({word} OR {other})"))

    def _any(self, those: tuple[str, ...]) -> str:
        return self._random.choice(those)


@pytest.mark.parametrize("seed", [1, 2])
def test_the_server_finds_all_that_the_database_finds(
    database: Database, index: MeilisearchIndex, seed: int
) -> None:
    desk, speaker = Desk(database, index), Speaker(seed)
    for number in range(ITEMS):
        tags = {"topics": [speaker.text(2)]}
        desk.item(
            speaker.text(4), speaker.text(8), language=("en", "de", None)[number % 3], tags=tags
        )
    desk.push()
    found_any = 0
    for text in (speaker.query() for _ in range(QUERIES)):
        query = SearchQuery(desk.reader, parse_query(text), limit=ITEMS)
        here = {hit.id for hit in FulltextIndex(database).search(query).hits}
        there = {hit.id for hit in index.search(query).hits}
        assert here <= there, text
        found_any += bool(here)
    assert found_any > QUERIES / 3
