"""What a model is asked for, what that may cost, and whether its endpoint may be asked."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, timedelta
from decimal import ROUND_CEILING, Decimal
from enum import StrEnum
from hashlib import sha256
from typing import Any

NANODOLLARS = 10**9
"""Of one dollar: money is counted in whole ones, so that no sum is ever rounded."""
_PER_MILLION = NANODOLLARS // 10**6


class Purpose(StrEnum):
    ENRICH = "enrich"
    OVERVIEW = "overview"
    TRANSLATE = "translate"
    WEB = "web"
    NEWSLETTER = "newsletter"


@dataclass(frozen=True, slots=True)
class ModelCall:
    """A call that is about to be made. Its tokens are the most that it can come to, as that is
    what is reserved: an upper bound of what is sent, and the limit that the answer is given.

    With a user and an item, the user pays a credit for the item, once.
    """

    endpoint: str
    """The same in all processes, with nothing secret in it: host and path of its address."""
    model: str
    purpose: Purpose
    tokens_in: int
    tokens_out: int
    user_id: int | None = None
    briefing_id: int | None = None
    item_id: int | None = None


@dataclass(frozen=True, slots=True)
class Price:
    """Dollars for a million tokens sent and for a million answered."""

    tokens_in: Decimal
    tokens_out: Decimal

    def of(self, tokens_in: int, tokens_out: int) -> int:
        """In nanodollars, a part of one counted as a whole."""
        cost = (tokens_in * self.tokens_in + tokens_out * self.tokens_out) * _PER_MILLION
        return int(cost.to_integral_value(ROUND_CEILING))


@dataclass(frozen=True, slots=True)
class Reservation:
    """Money set aside for one call, out of the day on which it was reserved."""

    id: int
    call: ModelCall
    day: date
    price: Price
    nanodollars: int
    took_credit: bool = False


@dataclass(frozen=True, slots=True)
class CallUsage:
    """What came of a call. Without its tokens it counts with all that was reserved for it."""

    tokens_in: int | None = None
    tokens_out: int | None = None
    duration: timedelta = timedelta(0)
    error: str | None = None


class FailureKind(StrEnum):
    """What an endpoint did instead of answering."""

    LIMITED = "limited"
    """429: too many calls."""
    DENIED = "denied"
    """401, 403 or 404: it does not know the key, or what it is asked for. A person must help."""
    SERVER = "server"
    """5xx, or no answer that could be read."""
    TIMEOUT = "timeout"
    CONNECTION = "connection"


@dataclass(frozen=True, slots=True)
class Admission:
    """One call to an endpoint that may be made now."""

    endpoint: str
    failures: int = 0
    """In a row, before this call."""
    probe: int | None = None
    """Its number, where it is the one call that finds out whether a hold is over."""


@dataclass(frozen=True, slots=True)
class Question:
    """What a model is asked: instructions, and what they speak of, answered in the schema's form.

    Of the `text`, which stands between the two parts of `around`, the model is given as much as it
    can take: its head, and what is nearest to the `focus`.
    """

    purpose: Purpose
    instructions: str
    around: tuple[str, str]
    text: str
    schema: Mapping[str, Any]
    tokens_out: int
    focus: str = ""
    heavy: bool = False
    user_id: int | None = None
    briefing_id: int | None = None
    item_id: int | None = None


@dataclass(frozen=True, slots=True)
class ModelAnswer:
    """A value in the form that was asked for; `by` is the name of the model."""

    value: Any
    by: str


class Tally(StrEnum):
    """What is counted of a day, beside what the calls have cost."""

    SPARED = "spared"
    """Items that were off the subject of all their briefings, and for which no model was asked."""
    UNSUPPORTED = "unsupported"
    """Sentences of models that their articles do not support."""
    UNUSABLE = "unusable"
    """Questions to which no answer was of use, so that the offline enricher's had to do."""
    NO_ENDPOINT = "no_endpoint"
    """The same where the endpoint did not answer, or not in time for a briefing."""
    NO_MONEY = "no_money"
    NO_CREDIT = "no_credit"


def answer_key(*parts: str) -> str:
    """Under which an answer is kept: model, prompt, text, each wish with its version, language."""
    digest = sha256()
    for part in parts:
        told = part.encode("utf-8", "replace")
        digest.update(b"%d:%b" % (len(told), told))  # "a", "bc" is not "ab", "c"
    return digest.hexdigest()
