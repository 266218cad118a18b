"""The port `Tallies`: what is counted is there once it is asked for."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from morningdeck.model.asking import Tally
from morningdeck.ports.asking import Tallies

Counted = Callable[[], Mapping[str, int]]


class TalliesContract:
    """Give it the fixtures `tallies` and `counted`, which tells what was counted today."""

    def test_numbers_add_up(self, tallies: Tallies, counted: Counted) -> None:
        tallies.add(Tally.SPARED)
        tallies.add(Tally.SPARED, 2)
        tallies.add(Tally.UNSUPPORTED)

        assert counted() == {"spared": 3, "unsupported": 1}

    def test_nothing_is_not_counted(self, tallies: Tallies, counted: Counted) -> None:
        tallies.add(Tally.SPARED, 0)

        assert counted() == {}
