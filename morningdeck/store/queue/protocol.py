"""The row protocol: claim, start, settle, release, renew, recover, on both databases.

Every method is one short transaction, and every change of a status is one UPDATE that
says in its WHERE what must still be true. A settlement stores what the worker found in
the same transaction, so a result exists if and only if its status says so.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import (
    BindParameter,
    ColumnElement,
    Connection,
    Select,
    and_,
    bindparam,
    case,
    func,
    literal,
    or_,
    select,
    true,
    update,
)

from morningdeck.errors import TransientError
from morningdeck.logs import log
from morningdeck.ports.engine import LossRule
from morningdeck.store.database.bulk import change, in_chunks
from morningdeck.store.database.connect import Database
from morningdeck.store.database.prepared import Prepared
from morningdeck.store.expressions.repository import Repository, count_up_to
from morningdeck.store.notices.troubles import concerns, follow_up
from morningdeck.store.queue.line import line_up
from morningdeck.store.queue.stages import STAGES, StageTable, given_back
from morningdeck.store.queue.statements import claiming, ending, ending_values, settling, starting
from morningdeck.store.tables.columns import UtcTime, among
from morningdeck.store.tables.news import items
from morningdeck.work import Job, Settlement, Stage

Saver = Callable[[Connection, Job, Any, datetime], None]


class SqlJobStore(Repository):
    """`savers` store each kind of result, inside the transaction that settles; a delivery that
    may have arrived is sent again after the waits in `resend`.
    """

    def __init__(
        self,
        database: Database,
        savers: Mapping[type, Saver],
        *,
        lease: timedelta,
        resend: tuple[timedelta, ...] = (),
    ) -> None:
        super().__init__(database)
        self._savers = savers
        self._lease = lease
        self._resend = resend

    # ---- taking

    def claim(
        self, stage: Stage, limit: int, owner: str, now: datetime, lease: timedelta | None = None
    ) -> tuple[int, ...]:
        """Take up to `limit` due rows, fairest first; no two callers ever get the same one.

        They are kept for the store's own lease unless another is given.
        """
        of = STAGES[stage]
        if of.states.queued is None:
            raise ValueError(f"{stage} has no queue, see what is due")
        if of.due_in_line:
            self._promote(now)
        values = {"owner": owner, "now": now, "until": now + (lease or self._lease)}
        taken: tuple[int, ...] = ()
        for order in of.orders:
            if len(taken) < limit:
                room = {"limit": limit - len(taken)}
                rows = self._database.run(claiming(of, order), values | room)
                taken += tuple(row_id for row_id, *_ in sorted(rows, key=order.rank))
        return taken

    def claim_one(self, stage: Stage, job_id: int, owner: str, now: datetime) -> bool:
        """Take this very row if it waits, due or not."""
        of = STAGES[stage]
        taken = self._change(
            of.table,
            of.table.c.id == job_id,
            of.table.c.status == of.home,
            status=of.states.queued,
            claimed_by=owner,
            queued_at=now,
            lease_until=now + self._lease,
        )
        return taken == 1

    def due(self, stage: Stage, limit: int, now: datetime) -> tuple[int, ...]:
        """Up to `limit` due rows of a stage without a queue, fairest first; none is taken."""
        of = STAGES[stage]
        (order,) = of.orders
        query = select(of.table.c.id).where(order.due(now)).order_by(*order.by).limit(limit)
        return self._column(query)

    def _promote(self, now: datetime) -> None:
        """Items whose time has come get in line, one after the other at their source's end."""
        if not self._database.run(_ANY_LATE, {"now": now}):
            return
        late = _late(now)
        with self._database.write() as connection:
            line_up(connection, and_(late, among(items.c.status, "NEW")))
            change(connection, items, late, due_at=None)

    def start(self, stage: Stage, job_id: int, owner: str, now: datetime) -> Job | None:
        """Begin a queued row and grow its fence; None when the claim is no longer there."""
        values = {"job_id": job_id, "owner": owner, "now": now, "until": now + self._lease}
        rows = self._database.run(starting(STAGES[stage]), values)
        if not rows:
            return None
        attempt, failures, losses, *brought = rows[0]
        return Job(stage, job_id, attempt, failures, losses, STAGES[stage].subject(brought))

    # ---- ending

    def settle(self, job: Job, owner: str, settlement: Settlement, now: datetime) -> bool:
        """Store the result and the new status together; False when the fence has moved on."""
        failed = settlement.failures > job.failures
        statement = settling(
            STAGES[job.stage], settlement.status, worked=settlement.worked, failed=failed
        )
        values = {"job_id": job.id, "fence": job.attempt, "owner": owner, "now": now}
        values |= ending_values(STAGES[job.stage], settlement, now)
        if settlement.result is None and not concerns(job.stage, settlement):
            return bool(self._database.run(statement, values))
        with self._database.write() as connection:
            settled = len(statement.within(connection, values)) == 1
            if settled:
                self._save(connection, job, settlement, now)
        return settled

    def _save(
        self, connection: Connection, job: Job, settlement: Settlement, now: datetime
    ) -> None:
        if settlement.result is not None:
            self._savers[type(settlement.result)](connection, job, settlement.result, now)
        if concerns(job.stage, settlement):
            follow_up(connection, job.stage, job.id, now, self._resend)

    def release(self, stage: Stage, ids: Collection[int], owner: str, now: datetime) -> int:
        """Give queued claims back, as if never taken."""
        of = STAGES[stage]
        table = of.table
        released = 0
        for chunk in in_chunks(sorted(ids)):
            released += self._change(
                table,
                table.c.id.in_(chunk),
                table.c.status == of.states.queued,
                table.c.claimed_by == owner,
                **given_back(of),
            )
        return released

    def let_go(self, stage: Stage, owner: str, now: datetime) -> int:
        """Give everything back, running too, without blame: its process is about to end."""
        of = STAGES[stage]
        mine = of.table.c.claimed_by == owner
        statement = update(of.table).where(_is_held(of), mine).values(**given_back(of))
        with self._database.write() as connection:
            ids = connection.scalars(statement.returning(of.table.c.id)).all()
            for row_id in ids if stage is Stage.DELIVERY else ():  # it may have arrived
                follow_up(connection, stage, row_id, now, self._resend)
        return len(ids)

    # ---- holding

    def renew(
        self, stage: Stage, fences: Mapping[int, int | None], owner: str, now: datetime
    ) -> frozenset[int]:
        """Prolong the leases of these rows, each under its fence; returns those still held.

        A heartbeat that was frozen after `now` shortens nothing. A fence is proved only by
        a running row: queued again, the row still has the number of the job that lost it.
        """
        of = STAGES[stage]
        table, until = of.table, literal(now + self._lease, UtcTime)
        longest = case((table.c.lease_until > until, table.c.lease_until), else_=until)
        held: set[int] = set()
        for chunk in in_chunks(sorted(fences)):
            statement = (
                update(table)
                .where(
                    table.c.id.in_(chunk),
                    table.c.claimed_by == owner,
                    table.c.status.in_(of.states.held),
                )
                .values(lease_until=longest)
                .returning(table.c.id, table.c.status, table.c.attempts)
            )
            with self._database.heartbeat() as connection:
                rows = connection.execute(statement).all()
            for row in rows:
                proved = row.attempts if row.status == of.states.running else None
                if fences[row.id] in (None, proved):
                    held.add(row.id)
        return frozenset(held)

    def recover(
        self,
        stage: Stage,
        now: datetime,
        settle: LossRule,
        *,
        node: str | None = None,
        owner: str = "",
    ) -> int:
        """Give back the rows whose leases have run out, or at once those that incarnations of this
        node before `owner` held; returns how many wait again.
        """
        of = STAGES[stage]
        table, states = of.table, of.states
        gone = table.c.lease_until < now
        if node is not None:
            earlier = table.c.claimed_by.startswith(f"{node}:", autoescape=True)
            gone = and_(earlier, table.c.claimed_by != owner)
        lost = and_(_is_held(of), gone)
        recovered = 0
        if states.queued is not None:
            recovered += self._change(
                table, table.c.status == states.queued, lost, **given_back(of)
            )
        running = select(table.c.id, table.c.attempts, table.c.failures, table.c.losses).where(
            table.c.status == states.running, lost
        )
        for row in self._rows(running):
            job = Job(stage, *row)
            try:
                recovered += self._lose(job, lost, now, settle)
            except TransientError:
                raise
            except Exception:  # it waits for the next time, and the others wait for nobody
                log.exception("row_not_recovered", stage=stage.value, id=job.id)
        return recovered

    def _lose(self, job: Job, lost: ColumnElement[bool], now: datetime, settle: LossRule) -> int:
        """One UPDATE that repeats the whole condition: a worker that just finished wins."""
        of = STAGES[job.stage]
        settlement = settle(job)
        statement = (
            update(of.table)
            .where(
                of.table.c.id == job.id,
                of.table.c.status == of.states.running,
                of.table.c.attempts == job.attempt,
                lost,
            )
            .values(**ending(of, settlement.status))
        )
        with self._database.write() as connection:
            changed = connection.execute(statement, ending_values(of, settlement, now)).rowcount
            if changed:
                self._save(connection, job, settlement, now)
        return changed

    # ---- looking

    def waiting(self, stage: Stage, now: datetime, cap: int) -> int:
        """How many rows are due and wait, counted up to `cap`."""
        queries = _waiting(STAGES[stage], now)
        with self._database.read() as connection:
            return min(cap, sum(count_up_to(cap, connection, query) for query in queries))

    def queued(self, stage: Stage, cap: int) -> int:
        """How many claims, of all processes, no worker has begun, counted up to `cap`."""
        of = STAGES[stage]
        return self._held(of, of.table.c.status == of.states.queued, cap)

    def in_work(self, stage: Stage, cap: int) -> int:
        """How many rows any process holds, queued or running, counted up to `cap`."""
        return self._held(STAGES[stage], true(), cap)

    def _held(self, of: StageTable, which: ColumnElement[bool], cap: int) -> int:
        query = select(of.table.c.id).where(_is_held(of), which)
        with self._database.read() as connection:
            return count_up_to(cap, connection, query)

    def next_due_at(self, stage: Stage, now: datetime) -> datetime | None:
        """When the next row that waits becomes due (`now` if one already is)."""
        of = STAGES[stage]
        due_at = of.table.c.due_at
        waits = of.table.c.status == of.home if of.due_in_line else of.orders[0].waits
        with self._database.read() as connection:
            for query in _waiting(of, now):
                if connection.execute(query.limit(1)).first() is not None:
                    return now
            later = select(func.min(due_at)).where(waits, due_at.is_not(None))
            first: datetime | None = connection.scalar(later)
            return first


def _late(now: datetime | BindParameter[datetime]) -> ColumnElement[bool]:
    return and_(items.c.due_at <= now, among(items.c.status, "NEW", "DONE"))


_ANY_LATE = Prepared(select(items.c.id).where(_late(bindparam("now", type_=UtcTime))).limit(1))
"""Asked before every claim."""


def _is_held(of: StageTable) -> ColumnElement[bool]:
    return among(of.table.c.status, *of.states.held)


def _waiting(of: StageTable, now: datetime) -> list[Select[int]]:
    """One query an order, and one for the items whose time has come since the last claim."""
    table = of.table
    queries = [select(table.c.id).where(order.due(now)) for order in of.orders]
    if of.due_in_line:
        late = and_(table.c.due_at <= now, table.c.status == of.home)
        queries.append(
            select(table.c.id).where(late, or_(among(table.c.status, "NEW"), table.c.rescore))
        )
    return queries
