"""Items: a page that somebody saves, and what is like an item."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Protocol

from morningdeck.addresses import page_url
from morningdeck.asked.parse import finished_query
from morningdeck.model.finding import NO_STORY, Comparable
from morningdeck.model.query import Asks
from morningdeck.parsing.urls import canonical_url
from morningdeck.views.reading import ItemView, SimilarView
from morningdeck.work import Stage

if TYPE_CHECKING:
    from morningdeck.ports.verbs import NoteTaker
    from morningdeck.store.views.items import Items
    from morningdeck.store.views.saved_pages import SavedPages
    from morningdeck.store.views.similar import SimilarItems


class Nearest(Protocol):
    """Holds others against one item."""

    def look(self, others: Sequence[Comparable]) -> None: ...
    def best(self, count: int) -> list[tuple[int, float]]:
        """Items with their closeness, one of each other story, the closest first."""


def save_page(
    pages: SavedPages, user_id: int, address: str, *, now: datetime, wake: Callable[[str], None]
) -> ItemView:
    """Have the page behind an address read next, kept for this user."""
    url = page_url(address)
    view = pages.add(user_id, url, canonical_url(url), now)
    wake(Stage.PROCESSING.value)
    return view


def mark(
    items: Items,
    user_id: int,
    item_id: int,
    *,
    read: bool | None = None,
    saved: bool | None = None,
    feedback: int | None = None,
    now: datetime,
) -> ItemView:
    """Set what is not None; the thumb first, as only that may be refused."""
    if feedback is not None:
        items.rate(user_id, item_id, feedback)
    if read is not None:
        items.mark_read(user_id, item_id, now if read else None)
    view = items.show(user_id, item_id)
    if saved is not None:  # an item that its reader sees only as saved is gone afterwards
        view = items.mark_saved(user_id, item_id, now if saved else None)
    return view


def mark_many(
    items: Items,
    user_id: int,
    item_ids: Sequence[int],
    *,
    read: bool | None = None,
    saved: bool | None = None,
    now: datetime,
) -> None:
    """Set what is not None of those of them that the reader sees."""
    if read:
        items.mark_these_read(user_id, item_ids, at=now)
    elif read is not None:
        items.mark_these(user_id, item_ids, read_at=None)
    if saved is not None:
        items.mark_these(user_id, item_ids, saved_at=now if saved else None)


@dataclass(frozen=True, slots=True)
class MoreLikeThis:
    """By what is known of items since they were processed; of one that is not, as it reads now."""

    items: SimilarItems
    notes: Callable[[], NoteTaker]
    nearest: Callable[[Comparable], Nearest]

    def find(self, user_id: int, item_id: int, limit: int = 10) -> tuple[SimilarView, ...]:
        """The stories most like an item among all that its reader may see, its own left out."""
        known = self.items.known(user_id, item_id)
        comparison = self.nearest(self._read(item_id) if known is None else known)
        for others in self.items.slices(user_id):
            comparison.look(others)
        return self.items.shown(user_id, comparison.best(limit))

    def _read(self, item_id: int) -> Comparable:
        article = self.items.article(item_id)
        likeness = self.notes().take(article, None, place=True, tell=False).likeness
        assert likeness is not None  # it was asked for
        return Comparable(item_id, NO_STORY, likeness.vector, likeness.title_words)


def narrowed(topic: str | None, language: str | None) -> Asks:
    """What a list asks for beside its filter, as a search would."""
    fields = (("topic", topic), ("lang", language))
    said = [f'{name}:"{text.replace(chr(34), " ").strip()}"' for name, text in fields if text]
    return finished_query(" ".join(said), now=None, zone=UTC).asks
