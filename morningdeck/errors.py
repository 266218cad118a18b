"""The errors that cross a boundary between parts.

Whoever raises one says what went wrong, where, and what to do about it.
Whatever it quotes, no error holds more of an address than its host.
"""

from __future__ import annotations

from datetime import datetime

from morningdeck.discreet import said


class MorningDeckError(Exception):
    """Something a user or operator can understand; never a bug of ours."""

    def __init__(self, message: str) -> None:
        super().__init__(said(message))


class ConfigError(MorningDeckError):
    """The settings or the command's words are wrong: exit code 2.

    It goes to whoever gave those words, and to nobody else: they are quoted as they are.
    """

    def __init__(self, message: str) -> None:
        Exception.__init__(self, message)


class NotFoundError(MorningDeckError):
    """There is no such thing, or it is not this user's."""


class ConflictError(MorningDeckError):
    """It is there already, or busy with something else."""


class TransientError(MorningDeckError):
    """It may work later; `after` is how many seconds the other side asked us to wait."""

    def __init__(self, message: str, *, after: float | None = None) -> None:
        super().__init__(message)
        self.after = after


class DatabaseAwayError(TransientError):
    """The database cannot be reached or written just now; nobody's work is to blame."""


class DatabaseBusyError(DatabaseAwayError):
    """The database is there, but has not answered this question in time."""


class HostBusyError(TransientError):
    """Its server is not to be asked before `until`, for our own sake; nobody's work is to blame."""

    def __init__(self, until: datetime) -> None:
        super().__init__("its server is busy with another request of ours")
        self.until = until


class EndpointHeldError(TransientError):
    """The model's endpoint is not to be asked before `until`; nobody's work is to blame."""

    def __init__(self, endpoint: str, until: datetime) -> None:
        super().__init__(f"{endpoint}: not to be asked for now")
        self.until = until


class EndpointTroubleError(EndpointHeldError):
    """It was asked, and failed: `until` is when to come back."""

    def __init__(self, endpoint: str, until: datetime, what: str) -> None:
        TransientError.__init__(self, f"{endpoint}: {what}")
        self.until = until


class UnusableAnswerError(MorningDeckError):
    """What a model answers to this question is of no use: do without it."""


class BudgetSpentError(MorningDeckError):
    """There is no money for a call before `until`: do without the model."""

    def __init__(self, message: str, until: datetime) -> None:
        super().__init__(message)
        self.until = until


class NoCreditError(BudgetSpentError):
    """Its user has no credit left; `until` is when to look again."""


class PermanentError(MorningDeckError):
    """Trying again will not help; `status` is the HTTP status that said so, if one did."""

    def __init__(self, message: str, *, status: int | None = None) -> None:
        super().__init__(message)
        self.status = status


class NotSentError(MorningDeckError):
    """A channel's word, even after its last step: what it was to deliver did not arrive.

    Trying again may help, unless that is `permanent`.
    """

    def __init__(
        self, message: str, *, permanent: bool = False, after: float | None = None
    ) -> None:
        super().__init__(message)
        self.permanent = permanent
        self.after = after
