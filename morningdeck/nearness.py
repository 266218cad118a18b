"""What is near in meaning: to the words of a query, or to an item."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from morningdeck.actions.items import MoreLikeThis
from morningdeck.actions.search import ByMeaning
from morningdeck.enrichers.embedding import DIMENSIONS
from morningdeck.stories.meaning import Meaning
from morningdeck.stories.neighbours import Neighbours

if TYPE_CHECKING:
    from morningdeck.noting.parts import NoteTakers
    from morningdeck.store.store import Store


def by_meaning(store: Store, takers: NoteTakers) -> ByMeaning:
    return ByMeaning(store.meant_items, store.search_index, lambda: takers.embedder, Meaning)


def more_like_this(store: Store, takers: NoteTakers) -> MoreLikeThis:
    nearest = partial(Neighbours, dimensions=DIMENSIONS)
    return MoreLikeThis(store.similar_items, lambda: takers.notes, nearest)
