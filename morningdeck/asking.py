"""The model of one process, and all that asking it needs: money, an endpoint that may be asked,
answers given before, prompts. Each part is made at first use.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import timedelta
from decimal import Decimal
from functools import cached_property
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from morningdeck.endpoint.openai_model import OpenAIModel
    from morningdeck.ports.asking import AnswerCache, Breaker, Ledger, Model
    from morningdeck.ports.engine import Clock
    from morningdeck.prompts import PromptText
    from morningdeck.settings.sections import Settings
    from morningdeck.store.rows.tallies import SqlTallies
    from morningdeck.store.store import Store

TIMEOUTS_PER_PROBE = 2
"""A probe that takes longer is not coming back."""


class Asking:
    """As the settings say."""

    def __init__(self, settings: Settings, store: Store, clock: Clock) -> None:
        self._settings = settings
        self._store = store
        self._clock = clock

    @cached_property
    def model(self) -> OpenAIModel | None:
        """None where the settings want none."""
        settings = self._settings.enricher
        if not settings.asks_a_model:
            return None
        from morningdeck.endpoint.openai_model import Endpoint, OpenAIModel

        key = settings.api_key
        endpoint = Endpoint(
            settings.base_url,
            None if key is None else key.get_secret_value(),
            settings.model,
            settings.heavy_model,
            settings.timeout_seconds,
            settings.max_concurrency,
            settings.context_tokens,
        )
        return OpenAIModel(
            endpoint,
            ledger=self.ledger,
            breaker=self.breaker,
            answers=self.answers,
            clock=self._clock,
        )

    def in_time(self, seconds: float) -> Model | None:
        """The model for those who cannot wait longer."""
        if self.model is None:
            return None
        from morningdeck.endpoint.in_time import ModelInTime

        return ModelInTime(self.model, self._clock, seconds=seconds)

    @cached_property
    def prompts(self) -> Mapping[str, PromptText]:
        from morningdeck.prompts import read_prompts

        return read_prompts(self._settings.enricher.prompts)

    @cached_property
    def tallies(self) -> SqlTallies:
        from morningdeck.store.rows.tallies import SqlTallies

        return SqlTallies(self._store.database, self._clock)

    @cached_property
    def ledger(self) -> Ledger:
        from morningdeck.prices import PriceList
        from morningdeck.store.rows.ledger import SqlLedger

        enricher, database = self._settings.enricher, self._store.database
        prices = PriceList(enricher.model, enricher.price_in, enricher.price_out)
        budget = enricher.daily_budget_usd
        daily = None if budget is None else Decimal(str(budget))
        return SqlLedger(database, self._clock, prices.find, daily)

    @cached_property
    def breaker(self) -> Breaker:
        from morningdeck.model.asking import answer_key
        from morningdeck.store.rows.breaker import SqlBreaker

        enricher = self._settings.enricher
        key = "" if enricher.api_key is None else enricher.api_key.get_secret_value()
        reached_by = (key, enricher.base_url, enricher.model, enricher.heavy_model)
        lease = timedelta(seconds=TIMEOUTS_PER_PROBE * enricher.timeout_seconds)
        return SqlBreaker(
            self._store.database, self._clock, settings=answer_key(*reached_by), lease=lease
        )

    @cached_property
    def answers(self) -> AnswerCache:
        from morningdeck.store.rows.answer_cache import SqlAnswerCache

        return SqlAnswerCache(self._store.database, self._clock)

    def close(self) -> None:
        """Nothing that runs is waited for."""
        for name in ("model", "tallies"):
            if self.__dict__.get(name) is not None:  # a cached property that was used
                getattr(self, name).close()
