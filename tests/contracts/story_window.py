"""The port `StoryWindow`: what was added is found by what is like it, until it is forgotten."""

from __future__ import annotations

from datetime import timedelta

from morningdeck.model.making import Likeness
from morningdeck.ports.verbs import StoryWindow
from tests.conftest import NOW

DAY = timedelta(days=1)


def at(page: str) -> Likeness:
    """Of an article at this address."""
    return Likeness(f"https://news.example/{page}", page, "", 0, b"")


class StoryWindowContract:
    """Give it the fixture `window`, with nothing in it, which tells pages apart."""

    def test_what_nobody_told_belongs_to_no_story(self, window: StoryWindow) -> None:
        assert window.find(at("harbour")) is None

    def test_what_was_added_is_found_by_its_like(self, window: StoryWindow) -> None:
        window.add(1, 11, NOW, at("harbour"))
        window.add(2, 12, NOW, at("budget"))

        assert window.find(at("budget")) == 12
        assert window.find(at("harbour")) == 11
        assert window.find(at("chess")) is None

    def test_several_items_may_tell_one_story(self, window: StoryWindow) -> None:
        window.add(1, 11, NOW, at("harbour"))
        window.add(2, 11, NOW, at("port"))

        assert {window.find(at(page)) for page in ("harbour", "port")} == {11}

    def test_what_is_recent_enough_is_not_forgotten(self, window: StoryWindow) -> None:
        window.add(1, 11, NOW, at("harbour"))

        window.forget(NOW - DAY)

        assert window.find(at("harbour")) == 11
