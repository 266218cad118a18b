"""What is known of one model at its endpoint: its dialect, how it counts, how much it takes."""

from __future__ import annotations

import threading
from collections.abc import Callable

from morningdeck.endpoint.dialect import Dialect, Manner

SURE_AFTER = 3
"""So many misfits in a row that a looser manner mended are no accident."""
FEW_TOKENS = 1_500
"""Of a shorter prompt nobody can tell by its count whether it was cut."""
CUT_BELOW = 0.6
LIKELY = 0.5
"""Our estimate is about twice what the sparest tokenizers count."""
MOST, LEAST = 3.0, 0.5
MARGIN = 1.1
SMALLEST_WINDOW = 2_048
WORDY = 4
"""So many times the tokens of an answer does one need who thinks aloud before."""


class Acquaintance:
    """Grows with every call of this process; the dialect is kept for the others, too."""

    def __init__(
        self, model: str, dialect: Dialect, window: int, learn: Callable[[Dialect, Dialect], None]
    ) -> None:
        self.model = model
        self.window = window
        self._dialect = dialect
        self._learn = learn
        self.wordiness = 1
        self._ratio: float | None = None
        self._misfits = 0
        self._lock = threading.Lock()

    @property
    def dialect(self) -> Dialect:
        return self._dialect

    def speaks(self, dialect: Dialect) -> None:
        """It has answered to this one."""
        with self._lock:
            known, self._dialect = self._dialect, dialect
        if known != dialect:
            self._learn(known, dialect)

    def fitted(self, manner: Manner) -> None:
        """An answer asked for in this manner had the form that was wanted."""
        with self._lock:
            looser = manner.is_looser_than(self._dialect.manner)
            self._misfits = self._misfits + 1 if looser else 0
            sure = self._misfits >= SURE_AFTER
        if sure:
            self.speaks(self.in_manner(manner))

    def in_manner(self, manner: Manner) -> Dialect:
        known = self._dialect
        return Dialect(manner, known.limit_name, known.temperature, known.num_ctx)

    @property
    def ratio(self) -> float:
        """Its tokens for each of ours, rather too many than too few."""
        counted = self._ratio
        return 1.0 if counted is None else min(max(counted * MARGIN, LEAST), MOST)

    def counted(self, estimated: int, tokens_in: int) -> bool:
        """False if it has counted too few to have read all: its window is smaller than it is said.

        Ollama, for one, leaves out what its window does not hold, and answers all the same.
        """
        with self._lock:
            expected = estimated * (LIKELY if self._ratio is None else self._ratio)
            if estimated >= FEW_TOKENS and tokens_in < expected * CUT_BELOW:
                self.window = max(min(self.window, tokens_in), SMALLEST_WINDOW)
                return False
            here = tokens_in / estimated
            self._ratio = here if self._ratio is None else max(here, 0.9 * self._ratio + 0.1 * here)
            return True

    def tokens_out(self, wanted: int, *, more: bool) -> int:
        """For an answer that should need so many; never more than half of the window."""
        times = WORDY if more else self.wordiness
        return min(wanted * times, max(wanted, self.window // 2))

    def overflowed(self, estimated: int) -> None:
        """It has refused a prompt of so many of our tokens."""
        with self._lock:
            self.window = max(min(self.window, int(estimated * 0.6)), SMALLEST_WINDOW)
