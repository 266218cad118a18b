"""For what a person waits for at this moment: no host is given time to rest."""

from __future__ import annotations

from datetime import timedelta

from morningdeck.model.reading import Visit


class Unpaced:
    """The port `Pace`; who uses it sees to it that there are few requests at a time."""

    def apart(self, host: str) -> timedelta:
        return timedelta(0)

    def enter(self, host: str, who: str, patience: timedelta | None = None) -> Visit:
        return Visit(host)

    def leave(self, visit: Visit, requests: int = 1) -> None:
        """Nobody waits for it."""
