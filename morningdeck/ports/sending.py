"""What sending needs: a channel."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from morningdeck.model import Delivery, Receipt


class Channel(Protocol):
    """One way to deliver. `final` is called before the point of no return; False forbids it.

    A channel that may do the same twice without harm has no such point.
    """

    def send(self, delivery: Delivery, *, final: Callable[[], bool]) -> Receipt:
        """Deliver, or raise: whatever comes before the point of no return means that nothing
        arrived, after it only NotSentError does. Anything else says that it may have arrived.
        """
