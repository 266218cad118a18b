"""What the calls of models have cost, and which endpoints are held."""

from __future__ import annotations

from datetime import date, datetime

from sqlalchemy import and_, case, func, or_, select, tuple_

from morningdeck.model.asking import NANODOLLARS, Tally
from morningdeck.model.sending import MAIL_ENDPOINT
from morningdeck.model.spending import HeldEndpoint, ModelState, UsageOfDay
from morningdeck.store.expressions.days import installation_day
from morningdeck.store.expressions.repository import Repository, made_of
from morningdeck.store.tables.running import endpoints, tallies, usage, usage_days

CALL_FAILED = and_(~usage.c.ok, usage.c.settled_at.is_not(None))


class Spending(Repository):
    def state(self, now: datetime, budget_usd: float | None) -> ModelState:
        day, _ = installation_day(self._database, now)
        today = select(usage_days).where(usage_days.c.day == day)
        held = (
            select(endpoints.c.name, endpoints.c.held_until, endpoints.c.held_for)
            .where(endpoints.c.held_until > now, endpoints.c.name != MAIL_ENDPOINT)
            .order_by(endpoints.c.name)
        )
        counted = select(tallies.c.what, tallies.c.number).where(
            tallies.c.day == day,
            tallies.c.what.in_(list(Tally)),  # other things are counted too
        )
        row = self._row(today)
        return ModelState(
            calls_today=row.calls if row else 0,
            cost_today_usd=_dollars(row.nanodollars if row else 0),
            budget_usd=budget_usd,
            held=tuple(HeldEndpoint(*one) for one in self._rows(held)),
            tallies={one.what: one.number for one in self._rows(counted)},
        )

    def days(
        self, since: datetime, limit: int, *, before: tuple[str, str, str] | None = None
    ) -> tuple[UsageOfDay, ...]:
        """By day, purpose and model, the newest day first, beyond the last that was seen."""
        of = (usage.c.day, usage.c.purpose, usage.c.model)
        query = (
            select(
                *of,
                func.count().label("calls"),
                func.count(case((CALL_FAILED, 1))).label("failed"),
                func.coalesce(func.sum(usage.c.tokens_in), 0).label("tokens_in"),
                func.coalesce(func.sum(usage.c.tokens_out), 0).label("tokens_out"),
                func.sum(usage.c.nanodollars).label("nanodollars"),
                func.count(case((~usage.c.price_known, 1))).label("unpriced"),
            )
            .where(usage.c.created_at >= since)
            .group_by(*of)
            .order_by(usage.c.day.desc(), usage.c.purpose, usage.c.model)
            .limit(limit)
        )
        if before is not None:
            day, *names = date.fromisoformat(before[0]), *before[1:]
            later = and_(usage.c.day == day, tuple_(*of[1:]) > tuple_(*names))
            query = query.where(or_(usage.c.day < day, later))
        return tuple(
            made_of(
                row,
                UsageOfDay,
                day=row.day.isoformat(),
                tokens_in=int(row.tokens_in),  # PostgreSQL adds up to a Decimal
                tokens_out=int(row.tokens_out),
                cost_usd=None if row.unpriced else _dollars(int(row.nanodollars)),
            )
            for row in self._rows(query)
        )


def _dollars(nanodollars: int) -> float:
    return nanodollars / NANODOLLARS
