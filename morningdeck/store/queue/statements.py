"""The statements that every job goes through, claim, start and settle, made once for all.

They differ only by stage and by status: everything else is a value that is filled in.
"""

from __future__ import annotations

from datetime import datetime
from functools import cache
from typing import Any

from sqlalchemy import bindparam, case, func, or_, select, update

from morningdeck.store.database.prepared import Prepared
from morningdeck.store.expressions.recent import BROUGHT_NOTHING, FETCH_FAILED, noted_fetch
from morningdeck.store.queue.stages import ClaimOrder, StageTable, settled_columns
from morningdeck.store.tables.columns import AnyText, BigInt, UtcTime
from morningdeck.work import Settlement


@cache
def claiming(of: StageTable, order: ClaimOrder) -> Prepared:
    """Asks for limit, owner, now and until; returns the ids, with what they are ordered by."""
    table, due = of.table, order.due_by(bindparam("now", type_=UtcTime))
    pick = (
        select(table.c.id)
        .where(due)
        .order_by(*order.by)
        .limit(bindparam("limit"))
        .with_for_update(skip_locked=True)
        .cte("pick")
    )
    # what locks rows is run once, and has them as it found them: with the condition again,
    # PostgreSQL may look for the picked ones among all that wait
    return Prepared(
        update(table)
        .where(table.c.id.in_(select(pick.c.id)))
        .values(
            status=of.states.queued,
            claimed_by=bindparam("owner"),
            queued_at=bindparam("now"),
            lease_until=bindparam("until"),
        )
        .returning(table.c.id, *order.columns),
        lasting=False,
        repeatable=True,
    )


@cache
def starting(of: StageTable) -> Prepared:
    """Asks for job_id, owner, now and until; returns the fence, the failures, the losses,
    and what its stage wants to have brought.
    """
    table, states = of.table, of.states
    statement = (
        update(table)
        .where(
            table.c.id == bindparam("job_id"),
            or_(*(table.c.status == status for status in states.startable)),
        )
        .values(
            status=states.running,
            attempts=table.c.attempts + 1,
            claimed_by=bindparam("owner"),
            started_at=bindparam("now"),
            lease_until=bindparam("until"),
            **of.at_start,
        )
    )
    if states.queued is None:
        statement = statement.where(table.c.due_at <= bindparam("now"))
    counts = table.c.attempts, table.c.failures, table.c.losses
    # a start that is forgotten comes again with the same number, and the first to settle wins;
    # but who takes the last step of a delivery must have a number that is nobody else's
    repeatable = of.states.queued is not None
    started = statement.returning(*counts, *of.brought)
    return Prepared(started, lasting=False, repeatable=repeatable, kept=True)


@cache
def settling(
    of: StageTable, status: str, *, worked: bool = False, failed: bool = False
) -> Prepared:
    """Asks for job_id, fence, owner, now and `ending_values`; changes a row if the fence held."""
    table = of.table
    stamps: dict[str, Any] = {name: bindparam("now") for name in of.stamped if worked}
    if of.remembers and (worked or failed):
        sign = FETCH_FAILED if failed else BROUGHT_NOTHING
        stamps[of.remembers] = noted_fetch(table.c[of.remembers], sign)
    return Prepared(
        update(table)
        .where(
            table.c.id == bindparam("job_id"),
            table.c.status == of.states.running,
            table.c.attempts == bindparam("fence"),
            table.c.claimed_by == bindparam("owner"),
        )
        .values(**ending(of, status), **stamps),
        kept=True,
    )


def ending(of: StageTable, status: str) -> dict[str, Any]:
    """The columns of a settled row; asks for `ending_values`.

    A postponed row keeps the error of its last failure.
    """
    failures, error = bindparam("new_failures", type_=BigInt), bindparam("new_error", type_=AnyText)
    still = func.coalesce(error, of.table.c.last_error)
    return {
        **settled_columns(of, status, bindparam("new_due_at")),
        "failures": failures,
        "losses": bindparam("new_losses"),
        "last_error": case((failures > 0, still), else_=error),
    }


def ending_values(of: StageTable, settlement: Settlement, now: datetime) -> dict[str, Any]:
    due_at = settlement.due_at
    if of.due_in_line and due_at is not None and due_at <= now:
        due_at = None
    return {
        "new_due_at": due_at,
        "new_failures": settlement.failures,
        "new_losses": settlement.losses,
        "new_error": settlement.error,
    }
