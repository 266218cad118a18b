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
        assert window.match(at("harbour")).stories == ()

    def test_what_was_added_is_found_by_its_like(self, window: StoryWindow) -> None:
        window.add(11, 11, NOW, at("harbour"))
        window.add(12, 12, NOW, at("budget"))

        assert window.match(at("budget")).stories == (12,)
        assert window.match(at("harbour")).stories == (11,)
        assert window.match(at("chess")).stories == ()

    def test_several_items_may_tell_one_story(self, window: StoryWindow) -> None:
        window.add(11, 11, NOW, at("harbour"))
        window.add(11, 11, NOW, at("port"))

        assert {window.match(at(page)).stories for page in ("harbour", "port")} == {(11,)}

    def test_of_two_stories_that_became_one_the_other_is_found(self, window: StoryWindow) -> None:
        window.add(11, 11, NOW, at("harbour"))
        window.add(12, 12, NOW, at("port"))

        window.merge(12, 11)

        assert {window.match(at(page)).stories for page in ("harbour", "port")} == {(11,)}

    def test_what_is_recent_enough_is_not_forgotten(self, window: StoryWindow) -> None:
        window.add(11, 11, NOW, at("harbour"))

        window.forget(NOW - DAY)

        assert window.match(at("harbour")).stories == (11,)

    def test_nothing_is_left_of_what_is_cleared(self, window: StoryWindow) -> None:
        window.add(11, 11, NOW, at("harbour"))

        window.clear()

        assert window.match(at("harbour")).stories == ()
