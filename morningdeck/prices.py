"""What models cost: as the settings say, else as is known, else unknown, which is never nothing."""

from __future__ import annotations

import re
from collections.abc import Mapping
from decimal import Decimal

from morningdeck.model.asking import Price

_LISTED = {
    "gpt-4.1": ("2", "8"),
    "gpt-4.1-mini": ("0.4", "1.6"),
    "gpt-4.1-nano": ("0.1", "0.4"),
    "gpt-4o": ("2.5", "10"),
    "gpt-4o-mini": ("0.15", "0.6"),
    "gpt-5": ("1.25", "10"),
    "gpt-5-mini": ("0.25", "2"),
    "gpt-5-nano": ("0.05", "0.4"),
    "o3": ("2", "8"),
    "o3-mini": ("1.1", "4.4"),
    "o4-mini": ("1.1", "4.4"),
}
KNOWN: Mapping[str, Price] = {
    model: Price(Decimal(tokens_in), Decimal(tokens_out))
    for model, (tokens_in, tokens_out) in _LISTED.items()
}
ASSUMED = Price(Decimal(15), Decimal(75))
"""Of a model whose price is not known, where nothing depends on it yet: more than most cost."""
_VENDOR_AND_DATE = re.compile(r"^[\w.-]+/|-\d{4}-\d\d-\d\d$")


class PriceList:
    """The settings' prices are those of `model`; for others they are the least."""

    def __init__(
        self, model: str = "", tokens_in: float | None = None, tokens_out: float | None = None
    ) -> None:
        self._model = model
        self._tokens_in = None if tokens_in is None else Decimal(str(tokens_in))
        self._tokens_out = None if tokens_out is None else Decimal(str(tokens_out))

    def find(self, model: str) -> Price | None:
        known = KNOWN.get(_VENDOR_AND_DATE.sub("", model.lower()))
        mine = model == self._model
        tokens_in = _one(self._tokens_in, None if known is None else known.tokens_in, mine)
        tokens_out = _one(self._tokens_out, None if known is None else known.tokens_out, mine)
        if tokens_in is None or tokens_out is None:
            return None
        return Price(tokens_in, tokens_out)


def _one(given: Decimal | None, known: Decimal | None, mine: bool) -> Decimal | None:
    """A heavy model would be far too cheap at the price of a small one."""
    if given is None or (known is not None and not mine and known > given):
        return known
    return given
