"""The mailbox to which mail comes back: read now and then, nothing in it is changed.

Each message is understood in a child process, and what it says of an address is stored together
with the place in the mailbox: one that is read twice counts once.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import datetime

from morningdeck.errors import DatabaseAwayError, MorningDeckError, PermanentError
from morningdeck.logs import log
from morningdeck.model.reading import Bounce
from morningdeck.ports.engine import Clock

Messages = Iterator[tuple[str, bytes | None]]
"""Each with the place in the mailbox behind it; without content where it is too large."""


@dataclass(frozen=True, slots=True)
class BounceBox:
    """`messages` reads on from a place; `save` returns the address that a bounce ends; `unread`
    hears why the mailbox will not be read until somebody puts it right, and None when it is well.
    """

    name: str
    messages: Callable[[str | None], Messages]
    understand: Callable[[bytes], Bounce]
    cursor: Callable[[str], str | None]
    save: Callable[[str, str, Bounce, datetime], str | None]
    unread: Callable[[str | None, datetime], None]
    clock: Clock

    def read(self) -> bool:
        """Whether there was anything, so that more may be there."""
        number = ended = 0
        try:
            for place, content in self.messages(self.cursor(self.name)):
                bounce = Bounce() if content is None else self._understood(content)
                ended += self.save(self.name, place, bounce, self.clock()) is not None
                number += 1
        except DatabaseAwayError:
            raise
        except MorningDeckError as error:
            log.warning("bounces_unread", error=str(error), advice="check the settings bounces.*")
            if isinstance(error, PermanentError):
                self.unread(str(error), self.clock())
            return False
        self.unread(None, self.clock())
        if number:
            log.info("bounces_read", messages=number, addresses_ended=ended)
        return number > 0

    def _understood(self, content: bytes) -> Bounce:
        try:
            return self.understand(content)
        except PermanentError:  # whatever it is, it ends nothing
            return Bounce()
