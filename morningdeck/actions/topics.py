"""Topics: found when somebody asks, not by night alone."""

from __future__ import annotations

from typing import TYPE_CHECKING

from morningdeck.views.reading import TopicView

if TYPE_CHECKING:
    from morningdeck.store.views.themes import TopicTable
    from morningdeck.theming import Theming


def find(theming: Theming, topics: TopicTable, user_id: int) -> tuple[TopicView, ...]:
    """Find this reader's anew; those of the night before stay their past."""
    theming.find(user_id)
    return topics.list(user_id)
