"""Where each stage's rows live, which of them are next, and what is special about them.

This is all that the row protocol in `protocol` knows about sources, items, briefings and
deliveries: adding a stage means adding a `StageTable` here.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from sqlalchemy import ColumnElement, Table, and_, case, func, literal, or_, select

from morningdeck.store.expressions.sources import SOURCE_COLUMNS, source_of
from morningdeck.store.tables.briefs import briefing_waits, briefings, deliveries
from morningdeck.store.tables.columns import UtcTime, among
from morningdeck.store.tables.news import in_line, items, source_waits, sources, wants_scores
from morningdeck.work import LIFECYCLES, Lifecycle, Stage

NOBODYS: Mapping[str, Any] = {"claimed_by": None, "lease_until": None}
PARKED = datetime.fromisoformat("9999-01-01T00:00:00+00:00")
"""The due time of items that wait for their source to be resumed."""


@dataclass(frozen=True, slots=True, eq=False)
class ClaimOrder:
    """One order in which rows are claimed.

    RETURNING has no order: `rank` sorts the claimed rows, each its id and `columns`, again.
    """

    waits: ColumnElement[bool]
    due_at: ColumnElement[datetime] | None
    by: tuple[ColumnElement[Any], ...]
    columns: tuple[ColumnElement[Any], ...]
    rank: Callable[[tuple[Any, ...]], tuple[Any, ...]]

    def due(self, now: datetime) -> ColumnElement[bool]:
        return self.due_by(literal(now, UtcTime))

    def due_by(self, now: ColumnElement[datetime]) -> ColumnElement[bool]:
        return self.waits if self.due_at is None else and_(self.waits, self.due_at <= now)


@dataclass(frozen=True, slots=True, eq=False)
class StageTable:
    table: Table
    states: Lifecycle
    orders: tuple[ClaimOrder, ...]
    home: ColumnElement[str]
    """The status of a row that is given back."""
    at_start: Mapping[str, Any] = field(default_factory=dict)
    """The columns that a start sets besides."""
    stamped: tuple[str, ...] = ()
    """The columns that keep when a job of the row last worked."""
    remembers: str | None = None
    """The column that keeps how the last jobs of the row ended."""
    due_in_line: bool = False
    """A due time keeps the row out of its line, so rows due now must have none."""
    brought: tuple[ColumnElement[Any], ...] = ()
    """The columns that a start brings along, of which `subject` is made."""
    subject: Callable[[Sequence[Any]], object] = lambda values: None


def _by_due_time(table: Table, waits: ColumnElement[bool]) -> ClaimOrder:
    return ClaimOrder(
        waits=waits,
        due_at=table.c.due_at,
        by=(table.c.due_at, table.c.id),
        columns=(table.c.due_at,),
        rank=lambda row: (row[1], row[0]),
    )


NEW_ITEMS = ClaimOrder(
    waits=in_line,
    due_at=None,
    by=(items.c.priority.desc(), items.c.turn, items.c.id),
    columns=(items.c.priority, items.c.turn),
    rank=lambda row: (-row[1], row[2], row[0]),
)
RESCORED_ITEMS = ClaimOrder(
    waits=wants_scores,
    due_at=None,
    by=(items.c.first_seen_at.desc(), items.c.id),
    columns=(items.c.first_seen_at,),
    rank=lambda row: (-row[1].timestamp(), row[0]),
)
HAS_BEEN_DONE = items.c.processed_at.is_not(None)

STAGES: Mapping[Stage, StageTable] = {
    Stage.FETCH: StageTable(
        table=sources,
        states=LIFECYCLES[Stage.FETCH],
        orders=(_by_due_time(sources, source_waits),),
        home=literal("IDLE"),
        stamped=("last_fetched_at", "last_success_at"),
        remembers="recent",
        brought=SOURCE_COLUMNS,
        subject=source_of,
    ),
    Stage.PROCESSING: StageTable(
        table=items,
        states=LIFECYCLES[Stage.PROCESSING],
        orders=(NEW_ITEMS, RESCORED_ITEMS),
        home=case((HAS_BEEN_DONE, "DONE"), else_="NEW"),
        at_start={"rescore": False},
        due_in_line=True,
    ),
    Stage.BRIEFING: StageTable(
        table=briefings,
        states=LIFECYCLES[Stage.BRIEFING],
        orders=(_by_due_time(briefings, briefing_waits),),
        home=literal("ACTIVE"),
    ),
    Stage.DELIVERY: StageTable(
        table=deliveries,
        states=LIFECYCLES[Stage.DELIVERY],
        orders=(_by_due_time(deliveries, among(deliveries.c.status, "PENDING", "RETRY")),),
        home=case((deliveries.c.final_at.is_not(None), "UNKNOWN"), else_="PENDING"),
    ),
}


def given_back(stage: StageTable) -> dict[str, Any]:
    """The columns of a row that waits again, with the turn that it had."""
    values = {"status": stage.home, **NOBODYS}
    if stage.table is items:
        values["rescore"] = or_(items.c.rescore, HAS_BEEN_DONE)
    return values


def settled_columns(
    stage: StageTable, status: str, due_at: ColumnElement[datetime | None]
) -> dict[str, Any]:
    """The columns of a settled row: an item that was done never falls back behind `DONE`, and a
    delivery that has taken its last step may have arrived, whatever else is said of it.
    """
    values = {"status": status, "due_at": due_at, **NOBODYS}
    if stage.table is items and status in ("NEW", "ERROR"):
        values["status"] = case((HAS_BEEN_DONE, "DONE"), else_=status)
        if status == "NEW":
            values["rescore"] = or_(items.c.rescore, HAS_BEEN_DONE)
    if stage.table is deliveries and status != stage.states.done:
        values["status"] = case((deliveries.c.final_at.is_not(None), "UNKNOWN"), else_=status)
    return values


def next_turn() -> ColumnElement[int]:
    """The turn after the last that waits in this item's source's line, 0 when none does."""
    others = items.alias("others")
    last = (
        select(func.max(others.c.turn))
        .where(
            others.c.source_id == items.c.source_id,
            among(others.c.status, "NEW"),
            others.c.due_at.is_(None),
        )
        .scalar_subquery()
        .correlate(items)
    )
    return func.coalesce(last + 1, 0)
