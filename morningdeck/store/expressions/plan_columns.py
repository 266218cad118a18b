"""When a briefing comes, as its columns hold it."""

from __future__ import annotations

from typing import Any

from morningdeck.model import Plan
from morningdeck.schedule import zone


def plan_columns(plan: Plan) -> dict[str, Any]:
    return {
        "frequency": "DAILY" if plan.weekday is None else "WEEKLY",
        "weekday": plan.weekday,
        "local_time": f"{plan.hour:02d}:{plan.minute:02d}",
        "timezone": zone(plan.timezone).key,
    }


def plan_of(row: Any) -> Plan:
    hour, minute = row.local_time.split(":")
    return Plan(int(hour), int(minute), row.timezone, row.weekday)
