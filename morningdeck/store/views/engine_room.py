"""What the engine room shows beside the status: a day of each stage, and what is wrong."""

from __future__ import annotations

from collections import Counter
from datetime import datetime

from sqlalchemy import func, select

from morningdeck.discreet import said
from morningdeck.model.asking import NANODOLLARS
from morningdeck.model.hours import DepthView, Ending, HourView, took
from morningdeck.store.expressions.repository import Repository, made_of
from morningdeck.store.tables.briefs import deliveries, reports
from morningdeck.store.tables.running import (
    endpoints,
    notices,
    stage_depths,
    stage_hours,
    usage_days,
)
from morningdeck.views.running import (
    DayCost,
    HoldView,
    NoticeView,
    TroubledDelivery,
)

NOT_TIMED = (Ending.PUT_OFF.value, Ending.REFUSED.value)
"""They say nothing of how long the work takes."""


class EngineRoom(Repository):
    # ---- what was written down

    def hours(self, since: datetime) -> tuple[HourView, ...]:
        """Of each stage and hour in which something has ended, the oldest first."""
        endings: dict[tuple[datetime, str], Counter[str]] = {}
        times: dict[tuple[datetime, str], Counter[int]] = {}
        for row in self._rows(select(stage_hours).where(stage_hours.c.hour >= since)):
            key = row.hour, row.stage
            endings.setdefault(key, Counter())[row.ending] += row.number
            timed = 0 if row.ending in NOT_TIMED else row.number
            times.setdefault(key, Counter())[row.within_ms] += timed
        return tuple(
            HourView(stage, hour, endings[hour, stage], took(of, 0.5), took(of, 0.95))
            for (hour, stage), of in sorted(times.items())
        )

    def depths(self, since: datetime) -> tuple[DepthView, ...]:
        """The oldest first."""
        query = select(stage_depths).where(stage_depths.c.at >= since)
        return tuple(
            made_of(row, DepthView, oldest_seconds=row.oldest)
            for row in self._rows(query.order_by(stage_depths.c.at))
        )

    def costs(self, days: int) -> tuple[DayCost, ...]:
        """Of the last days with calls, the newest first, with what is reserved."""
        query = select(usage_days).order_by(usage_days.c.day.desc()).limit(days)
        return tuple(
            DayCost(row.day.isoformat(), row.calls, row.nanodollars / NANODOLLARS)
            for row in self._rows(query)
        )

    # ---- what is there

    def holds(self, now: datetime) -> tuple[HoldView, ...]:
        """Endpoints that nobody asks now: of models, mail and search."""
        query = (
            select(endpoints).where(endpoints.c.held_until > now).order_by(endpoints.c.held_until)
        )
        return tuple(
            HoldView(row.name, row.held_for or "", row.held_until, row.failures)
            for row in self._rows(query)
        )

    def troubled_deliveries(self, limit: int) -> tuple[TroubledDelivery, ...]:
        """Those that wait after a failure, or did not arrive, the newest first."""
        troubled = deliveries.c.status.in_(("RETRY", "REFUSED", "UNKNOWN"))
        query = (
            select(deliveries, reports.c.subject)
            .join(reports, reports.c.id == deliveries.c.report_id)
            .where(troubled)
            .order_by(deliveries.c.id.desc())
            .limit(limit)
        )
        return tuple(
            TroubledDelivery(
                id=row.id,
                subject=row.subject or "",
                channel=row.channel,
                address=said(row.address),
                state=row.status,
                attempts=row.attempts,
                reply=row.last_error,
                due_at=row.due_at,
            )
            for row in self._rows(query)
        )

    def notices(self, user_id: int) -> tuple[NoticeView, ...]:
        """What the reader must know, and since when."""
        mine = (notices.c.user_id == user_id, notices.c.ended_at.is_(None))
        query = select(notices).where(*mine).order_by(notices.c.id)
        return tuple(
            NoticeView(row.kind, row.subject, row.text, row.updated_at) for row in self._rows(query)
        )

    def notices_open(self) -> tuple[int, int]:
        """How many there are, whoever has them, and the last: other numbers when one has come."""
        query = select(func.count(), func.coalesce(func.max(notices.c.id), 0))
        ((count, last),) = self._rows(query.where(notices.c.ended_at.is_(None)))
        return count, last
