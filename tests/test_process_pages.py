"""The processing verb and the page behind an item: when it is asked for, and what if it fails."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

import pytest

from morningdeck.errors import DatabaseAwayError, HostBusyError, PermanentError, TransientError
from morningdeck.model.making import Article, Enriched, Item, Likeness, StoryRole
from morningdeck.model.reading import THIN_CHARACTERS, ParsedPage
from morningdeck.process import PAGE_PATIENCE, process
from morningdeck.stories.boilerplate import SharedLines
from morningdeck.work import INDEXING, Done, Failed, Job, Outcome, Postponed, Stage
from tests.conftest import NOW
from tests.fakes import CountingModel, OneItem, OnePage, OneStory, TitleSimilarity, notes_of

URL = "https://news.example/harbour"
TEASER = Item(
    id=4711,
    title="Harbour opens",
    url=URL,
    canonical_url=URL,
    author=None,
    published_at=NOW,
    text="Ferries.",
    content_hash="hash",
    language=None,
    source_title="News",
    source_topics=(),
    done_before=False,
)
SAVED = replace(TEASER, title=URL, text="", saved=True)
PAGE = ParsedPage(
    title="Harbour opens to ferries",
    author="Ada",
    canonical_url="https://news.example/2026/harbour",
    text="The harbour opens to ferries on Monday.",
)
WAIT = timedelta(seconds=5)


def of_page(answer: ParsedPage | Exception = PAGE) -> OnePage:
    return OnePage(URL, answer)


class World:
    """The other ports of the verb, around one item."""

    def __init__(self, item: Item, role: StoryRole | None = None, *, known: bool = False) -> None:
        self.items = OneItem(item)
        self.stories = OneStory(role or StoryRole(1, item.id, enriched=False), known=known)
        self.model = CountingModel()
        self.boilerplate = SharedLines()

    @property
    def article(self) -> Article:
        (article,) = self.model.enriched
        return article

    @property
    def assigned(self) -> Likeness:
        (likeness,) = self.stories.assigned
        return likeness


def outcome(world: World, pages: OnePage | None) -> Outcome:
    return process(
        Job(Stage.PROCESSING, TEASER.id, 1),
        items=world.items,
        stories=world.stories,
        similarity=TitleSimilarity(),
        stand_in=CountingModel(),
        notes=notes_of(world.model),
        enricher=world.model,
        boilerplate=world.boilerplate,
        clock=lambda: NOW,
        still_mine=lambda job: True,
        full_text=pages,
    )


def page_of(result: Outcome) -> ParsedPage | None:
    assert isinstance(result, Done)
    assert isinstance(result.result, Enriched)
    return result.result.page


def test_a_teaser_is_enriched_by_its_page() -> None:
    world, pages = World(TEASER), of_page()

    assert page_of(outcome(world, pages)) == PAGE

    assert pages.asked == [URL]
    assert (world.article.text, world.article.author) == (PAGE.text, "Ada")
    assert world.article.title == TEASER.title
    assert world.assigned.canonical_url == TEASER.canonical_url


@pytest.mark.parametrize(
    "item",
    [
        replace(TEASER, text="x" * THIN_CHARACTERS),
        replace(TEASER, url=None),
        replace(TEASER, url="mailto:ada@example.org"),
        replace(TEASER, done_before=True),
        replace(TEASER, page_read=True),
        replace(SAVED, page_read=True),
    ],
)
def test_a_page_is_only_asked_for_where_it_is_needed(item: Item) -> None:
    pages = of_page()

    assert page_of(outcome(World(item), pages)) is None

    assert pages.asked == []


def test_without_full_text_no_page_is_asked_for() -> None:
    assert page_of(outcome(World(TEASER), None)) is None


@pytest.mark.parametrize(
    "answer",
    [
        TransientError("news.example: no complete answer in time"),
        PermanentError("news.example: answered 404", status=404),
        ParsedPage(text="Login"),
    ],
)
def test_the_news_of_a_feed_is_news_without_its_page(answer: ParsedPage | Exception) -> None:
    world = World(TEASER)

    assert page_of(outcome(world, of_page(answer))) is None

    assert world.article.text == TEASER.text


CONSENT = "Before you continue\nWe and our 812 partners store cookies. " * 3


def test_a_page_that_speaks_of_something_else_is_not_the_items() -> None:
    world = World(TEASER)

    assert page_of(outcome(world, of_page(ParsedPage(text=CONSENT)))) is None

    assert world.article.text == TEASER.text


def test_what_several_pages_of_a_host_say_belongs_to_none_of_them() -> None:
    world = World(TEASER)
    world.boilerplate.without("https://news.example/other", "Council votes", CONSENT)

    page = page_of(outcome(world, of_page(replace(PAGE, text=f"{PAGE.text}\n{CONSENT}"))))

    assert page is not None
    assert page.text == world.article.text == PAGE.text


def test_of_a_saved_page_something_is_left_whatever_others_say() -> None:
    world = World(SAVED)
    world.boilerplate.without("https://news.example/other", "Council votes", PAGE.text)

    assert page_of(outcome(world, of_page())) == PAGE


def test_a_saved_page_is_what_it_says() -> None:
    world = World(SAVED)

    assert page_of(outcome(world, of_page())) == PAGE

    assert (world.article.title, world.article.text) == (PAGE.title, PAGE.text)
    assert world.assigned.canonical_url == PAGE.canonical_url


def test_a_saved_page_that_is_not_there_fails_at_once() -> None:
    gone = PermanentError("news.example: answered 404 Not Found, check the address", status=404)

    assert outcome(World(SAVED), of_page(gone)) == Failed(str(gone), permanent=True)


def test_a_saved_page_is_tried_again_when_its_server_asks_for_it() -> None:
    busy = TransientError("news.example: answered 503", after=60)

    expected = Failed(str(busy), not_before=NOW + timedelta(seconds=60))
    assert outcome(World(SAVED), of_page(busy)) == expected


@pytest.mark.parametrize("item", [TEASER, SAVED])
def test_an_item_waits_for_a_busy_server(item: Item) -> None:
    result = outcome(World(item), of_page(HostBusyError(NOW + PAGE_PATIENCE)))

    assert isinstance(result, Postponed)
    assert result.due_at == NOW + PAGE_PATIENCE


def test_only_a_saved_page_waits_for_long() -> None:
    later = NOW + PAGE_PATIENCE + timedelta(seconds=1)
    pages = of_page(HostBusyError(later))

    assert page_of(outcome(World(TEASER), pages)) is None
    result = outcome(World(SAVED), pages)
    assert isinstance(result, Postponed)
    assert result.due_at == later


def test_a_page_is_kept_while_its_item_waits_for_the_first_of_its_story() -> None:
    world = World(TEASER, role=StoryRole(9, 1, enriched=False))

    assert outcome(world, of_page()) == Postponed(NOW + WAIT, result=PAGE, wake=(INDEXING,))


def test_who_waits_for_the_first_of_its_story_asks_for_nothing() -> None:
    pages = of_page()
    world = World(TEASER, StoryRole(9, 1, enriched=False), known=True)

    assert outcome(world, pages) == Postponed(NOW + WAIT)

    assert pages.asked == []


@pytest.mark.parametrize("item", [TEASER, SAVED])
def test_a_database_that_is_away_is_neither_the_pages_fault_nor_the_end_of_it(item: Item) -> None:
    with pytest.raises(DatabaseAwayError):
        outcome(World(item), of_page(DatabaseAwayError("database: away")))
