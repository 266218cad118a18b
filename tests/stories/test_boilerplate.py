"""What several pages of a host share."""

from __future__ import annotations

import pytest

from morningdeck.stories import boilerplate
from morningdeck.stories.boilerplate import SharedLines
from tests.contracts.boilerplate import HARBOUR, SITE, WALL, BoilerplateContract


class TestSharedLines(BoilerplateContract):
    @pytest.fixture
    def boilerplate(self) -> SharedLines:
        return SharedLines()


def test_only_the_last_pages_and_hosts_are_kept_in_mind() -> None:
    shared = SharedLines()
    shared.without(f"{SITE}/wall", "Council votes", WALL)
    for number in range(boilerplate.PAGES_KEPT):
        shared.without(f"{SITE}/{number}", f"Title {number}", f"Text {number}")

    assert shared.without(f"{SITE}/x", "Harbour opens", f"{HARBOUR}\n{WALL}").endswith(WALL)


def test_a_host_that_nobody_asked_for_long_is_forgotten() -> None:
    shared = SharedLines()
    shared.without(f"{SITE}/wall", "Council votes", WALL)
    for number in range(boilerplate.MOST_HOSTS):
        shared.without(f"https://{number}.example/", "Title", "Text")

    assert shared.without(f"{SITE}/x", "Harbour opens", WALL) == WALL
