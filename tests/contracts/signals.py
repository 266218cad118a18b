"""The port `Signals`: what one process brings, another hears of."""

from __future__ import annotations

from collections.abc import Callable

from morningdeck.ports.engine import Signals
from tests.waiting import until

Bring = Callable[[], None]
"""Another process brings work, and ends."""


class SignalsContract:
    """Give it the fixtures `mine`, `theirs`, those of another process, and `bring`."""

    def test_what_another_process_brings_is_heard_of(self, mine: Signals, bring: Bring) -> None:
        heard: list[str] = []
        mine.listen(heard.append)
        before = len(heard)

        bring()

        until(lambda: len(heard) > before)

    def test_sending_to_nobody_fails_nothing(self, mine: Signals, theirs: Signals) -> None:
        theirs.send("fetch")
        mine.listen(lambda loop: None)
        mine.send("fetch")
