"""Items: a page that somebody saves."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from typing import TYPE_CHECKING

from morningdeck.addresses import page_url
from morningdeck.parsing.urls import canonical_url
from morningdeck.views.reading import ItemView
from morningdeck.work import Stage

if TYPE_CHECKING:
    from morningdeck.store.views.saved_pages import SavedPages


def save_page(
    pages: SavedPages, user_id: int, address: str, *, now: datetime, wake: Callable[[str], None]
) -> ItemView:
    """Have the page behind an address read next, kept for this user."""
    url = page_url(address)
    view = pages.add(user_id, url, canonical_url(url), now)
    wake(Stage.PROCESSING.value)
    return view
