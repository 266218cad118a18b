"""A type of source, an enricher, a channel and a search backend more: one file and one line each.

This file stands for the four; its lines in the registries are in `extended`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import ClassVar

import pytest

from morningdeck.delivery import CHANNELS, ChannelKind
from morningdeck.enrichers import ENRICHERS, EnricherMeans
from morningdeck.errors import PermanentError
from morningdeck.model.finding import SearchAnswer, SearchDocument, SearchQuery
from morningdeck.model.making import Article, Criteria, Enrichment, Score, Tags
from morningdeck.model.reading import Entry, Reading, Source
from morningdeck.model.sending import Delivery, Receipt
from morningdeck.ports.verbs import SearchIndex
from morningdeck.search import SEARCHERS, SearchMeans
from morningdeck.sources import SOURCE_TYPES, ReaderMeans, SourceKind
from morningdeck.store.database.connect import Database
from morningdeck.store.views.search_index import FulltextIndex
from tests.contracts.channel import Arrived, ChannelContract
from tests.contracts.enricher import EnricherContract
from tests.contracts.search_index import SearchIndexContract
from tests.contracts.source_reader import SourceReaderContract
from tests.journeys.conftest import Deck

# ---- sources/notes.py


class NotesReader:
    """A source whose news is in its address."""

    def read(self, source: Source) -> Reading:
        place = source.url.removeprefix("notes://")
        if place == "nowhere":
            raise PermanentError("notes: there is no such place")
        return Reading((Entry(place, source.url, f"Note of {place}", text="The ferry is late."),))


def open_reader(means: ReaderMeans) -> NotesReader:
    return NotesReader()


# ---- enrichers/first_words.py


class FirstWords:
    name = "first-words"

    def enrich(self, article: Article, criteria: Sequence[Criteria]) -> Enrichment:
        summary = f"In short: {article.text[:9]}."
        scores = self.score(article, criteria)
        return Enrichment(summary, "other", "inform", Tags(), "en", self.name, scores)

    def score(self, article: Article, criteria: Sequence[Criteria]) -> tuple[Score, ...]:
        return tuple(
            Score(one.briefing_id, one.version, 77, "short", self.name) for one in criteria
        )


def open_enricher(means: EnricherMeans) -> FirstWords:
    return FirstWords()


# ---- delivery/shelf.py


class Shelf:
    """Keeps each letter once, however often it is sent."""

    def __init__(self) -> None:
        self.letters: dict[str, bytes] = {}

    def send(self, delivery: Delivery, *, final: Callable[[], bool]) -> Receipt:
        self.letters[delivery.message_id] = delivery.content
        return Receipt("on the shelf")


# ---- search/careful.py


class CarefulIndex:
    """The database's own, which writes down what it is given."""

    name = "careful"
    given: ClassVar[list[str]] = []

    def __init__(self, in_database: SearchIndex) -> None:
        self._index = in_database

    def put(self, documents: Sequence[SearchDocument], gone: Sequence[int]) -> None:
        self.given.extend(document.title for document in documents)
        self._index.put(documents, gone)

    def clear(self) -> None:
        self._index.clear()

    def search(self, query: SearchQuery) -> SearchAnswer:
        return replace(self._index.search(query), backend=self.name)


def open_index(means: SearchMeans) -> CarefulIndex:
    return CarefulIndex(means.in_database)


# ---- each holds its port's contract


class TestNotesReader(SourceReaderContract):
    @pytest.fixture
    def reader(self) -> NotesReader:
        return NotesReader()

    @pytest.fixture
    def source(self) -> Source:
        return Source(1, "NOTES", "notes://harbour")

    @pytest.fixture
    def absent(self) -> Source:
        return Source(2, "NOTES", "notes://nowhere")


class TestFirstWords(EnricherContract):
    @pytest.fixture
    def enricher(self) -> FirstWords:
        return FirstWords()


class TestShelf(ChannelContract):
    @pytest.fixture
    def channel(self) -> Shelf:
        return Shelf()

    @pytest.fixture
    def arrived(self, channel: Shelf) -> Arrived:
        return lambda: len(channel.letters)


class TestCarefulIndex(SearchIndexContract):
    @pytest.fixture
    def index(self, database: Database) -> CarefulIndex:
        return CarefulIndex(FulltextIndex(database))


# ---- and all of them work in the program


@pytest.fixture
def shelf(monkeypatch: pytest.MonkeyPatch) -> Shelf:
    """The four lines; returns what the channel brings letters to."""
    shelf = Shelf()
    monkeypatch.setitem(SOURCE_TYPES, "NOTES", SourceKind(__name__, ("notes",)))
    monkeypatch.setitem(ENRICHERS, "first-words", __name__)
    monkeypatch.setitem(CHANNELS, "shelf", ChannelKind(lambda means: shelf, addressed=False))
    monkeypatch.setitem(SEARCHERS, "careful", __name__)
    return shelf


def test_an_item_goes_through_all_that_was_added(
    deck: Deck, shelf: Shelf, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MORNINGDECK_ENRICHER__KIND", "first-words")
    monkeypatch.setenv("MORNINGDECK_SEARCH__BACKEND", "careful")

    source = deck.ask("source", "add", "notes://harbour")
    planned = ("--criteria", "ferries", "--daily", "08:00", "--timezone", "UTC")
    deck.ask("briefing", "add", "Morning", *planned, "--channel", "shelf")
    assert deck.do("run", "--once")[0] == 0
    (item,) = deck.ask("item", "list")
    run = deck.ask("briefing", "run", 1)
    code, listed, _ = deck.do("opml", "export")
    answer = deck.ask("search", "ferry")

    assert source["type"] == "notes"
    assert (code, 'url="notes://harbour" md:type="notes"' in listed) == (0, True)
    assert (item["title"], item["summary"]) == ("Note of harbour", "In short: The ferry.")
    assert run["deliveries"][0]["state"] == "SENT"
    (letter,) = shelf.letters.values()
    assert b"In short: The ferry." in letter
    assert (answer["backend"], answer["total"]) == ("careful", 1)
    assert "Note of harbour" in CarefulIndex.given


def test_what_is_there_is_no_setting_without_effect(
    deck: Deck, shelf: Shelf, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MORNINGDECK_ENRICHER__KIND", "first-words")

    assert "first-words" not in deck.do("status")[2]


def test_what_nobody_added_is_refused_with_what_there_is(
    deck: Deck, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MORNINGDECK_ENRICHER__KIND", "first-words")
    monkeypatch.setenv("MORNINGDECK_SEARCH__BACKEND", "careful")

    code, said = deck.refused("status")

    assert code == 2
    assert "enricher.kind: must be 'auto', 'openai' or 'offline', got 'first-words'" in said
    assert "search.backend: must be 'auto', 'database' or 'meilisearch', got 'careful'" in said
