"""What the calls of models cost: money of a day, credits of a user.

Money and credit are taken before a call, by UPDATEs that say in their WHERE what must still be
left, and put right by what the call did cost. A call whose end nobody knows, because its
process died or its answer broke off, has probably been paid, so it counts in full: that is how
its row begins, and nothing need find it later. A process that dies at every call could
otherwise spend without end.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import date, datetime
from decimal import Decimal
from typing import Any

from sqlalchemy import Connection, Update, bindparam, delete, or_, select, update

from morningdeck import notice_texts
from morningdeck.errors import BudgetSpentError, NoCreditError
from morningdeck.model import NANODOLLARS, CallUsage, ModelCall, Price, Reservation
from morningdeck.ports import Clock
from morningdeck.prices import ASSUMED
from morningdeck.store.database.connect import Database
from morningdeck.store.database.prepared import Prepared
from morningdeck.store.database.upsert import insert, insert_new
from morningdeck.store.expressions.days import installation_day
from morningdeck.store.notices.telling import BUDGET_SPENT, tell_admins, tell_all_ended
from morningdeck.store.tables import credit_ledger, usage_days, users
from morningdeck.store.tables import usage as model_calls

_CREDITS = Prepared(select(users.c.credits).where(users.c.id == bindparam("user_id")))
_DAY = Prepared(select(usage_days.c.nanodollars).where(usage_days.c.day == bindparam("day")))


class SqlLedger:
    """The port `Ledger`. Days are those of the first user's time zone."""

    def __init__(
        self,
        database: Database,
        clock: Clock,
        price_of: Callable[[str], Price | None],
        daily_budget: Decimal | None = None,
    ) -> None:
        """`daily_budget` is in dollars; without one all is counted and nothing refused."""
        self._database = database
        self._clock = clock
        self._price_of = price_of
        self._budget = _shown(daily_budget or Decimal(0))
        self._limit = None if daily_budget is None else int(daily_budget * NANODOLLARS)
        self._refused: date | None = None
        """The day whose money has not sufficed once, so that little of it is left."""
        self._told: dict[str, date] = {}

    def reserve(self, call: ModelCall) -> Reservation:
        now = self._clock()
        day, until = installation_day(self._database, now)
        price = self._price_of(call.model)
        if price is None and self._limit is not None:
            raise self._refusal(day, until, notice_texts.price_unknown(call.model), call.model)
        cost = (price or ASSUMED).of(call.tokens_in, call.tokens_out)
        row = {**_columns(call), "day": day, "nanodollars": cost, "created_at": now}
        row["price_known"] = price is not None
        made = model_calls.insert().values(row).returning(model_calls.c.id)
        wants_credit = self._wants_credit(call)
        try:
            if not self._has_room(day, cost):
                raise _Spent
            with self._database.write() as connection:
                took = wants_credit and _take_credit(connection, call, until)
                number = connection.execute(made).scalar_one()
                self._count(connection, day, cost, now)
        except _Spent:
            self._refused = day
            raise self._refusal(day, until, notice_texts.budget_spent(self._budget)) from None
        return Reservation(number, call, day, price or ASSUMED, cost, took)

    def _has_room(self, day: date, cost: int) -> bool:
        """Asked only where it will probably say no: then nothing need be written."""
        if self._limit is None or self._refused != day:
            return True
        rows = self._database.run(_DAY, {"day": day})
        return (rows[0][0] if rows else 0) + cost <= self._limit

    def _wants_credit(self, call: ModelCall) -> bool:
        """Is there a user with counted credits to pay for an item?"""
        if call.user_id is None or call.item_id is None:
            return False
        rows = self._database.run(_CREDITS, {"user_id": call.user_id})
        return bool(rows) and rows[0][0] is not None

    def _count(self, connection: Connection, day: date, cost: int, now: datetime) -> None:
        """Last, as whoever comes next waits for this row until the transaction ends."""
        if self._limit is not None and cost > self._limit:
            raise _Spent
        row = insert(connection, usage_days).values(day=day, calls=1, nanodollars=cost)
        total = usage_days.c.nanodollars + row.excluded.nanodollars
        counted = row.on_conflict_do_update(
            index_elements=("day",),
            set_={"calls": usage_days.c.calls + 1, "nanodollars": total},
            where=None if self._limit is None else total <= self._limit,
        )
        calls = connection.scalar(counted.returning(usage_days.c.calls))
        if calls is None:
            raise _Spent
        if calls == 1:
            tell_all_ended(connection, BUDGET_SPENT, now)

    def _refusal(self, day: date, until: datetime, why: str, model: str = "") -> BudgetSpentError:
        """The admins are told once a day."""
        if self._told.get(model) != day:
            with self._database.write() as connection:
                tell_admins(connection, BUDGET_SPENT, f"{day} {model}", f"{day}: {why}")
            self._told[model] = day
        return BudgetSpentError(why, until)

    def settle(self, reservation: Reservation, usage: CallUsage) -> None:
        cost = reservation.nanodollars
        if usage.tokens_in is not None and usage.tokens_out is not None:
            cost = reservation.price.of(usage.tokens_in, usage.tokens_out)
        values = {
            "tokens_in": usage.tokens_in,
            "tokens_out": usage.tokens_out,
            "nanodollars": cost,
            "duration_ms": round(usage.duration.total_seconds() * 1000),
            "ok": usage.error is None,
            "error": usage.error,
            "settled_at": self._clock(),
        }
        with self._database.write() as connection:
            if connection.execute(_unsettled(reservation).values(values)).rowcount:
                if usage.error is not None:
                    _give_back_credit(connection, reservation)
                _correct(connection, reservation, cost - reservation.nanodollars)

    def release(self, reservation: Reservation) -> None:
        unsettled = model_calls.c.id == reservation.id, model_calls.c.settled_at.is_(None)
        with self._database.write() as connection:
            if connection.execute(delete(model_calls).where(*unsettled)).rowcount:
                _give_back_credit(connection, reservation)
                _correct(connection, reservation, -reservation.nanodollars, calls=-1)


class _Spent(Exception):
    """Takes the whole transaction back."""


def _shown(dollars: Decimal) -> str:
    cents = dollars.quantize(Decimal("0.01"))
    return f"{cents if cents == dollars else dollars:f}"


def _columns(call: ModelCall) -> dict[str, Any]:
    return {
        "user_id": call.user_id,
        "briefing_id": call.briefing_id,
        "item_id": call.item_id,
        "purpose": call.purpose.value,
        "endpoint": call.endpoint,
        "model": call.model,
    }


def _unsettled(reservation: Reservation) -> Update:
    return update(model_calls).where(
        model_calls.c.id == reservation.id, model_calls.c.settled_at.is_(None)
    )


def _correct(connection: Connection, of: Reservation, more: int, *, calls: int = 0) -> None:
    connection.execute(
        update(usage_days)
        .where(usage_days.c.day == of.day)
        .values(nanodollars=usage_days.c.nanodollars + more, calls=usage_days.c.calls + calls)
    )


def _take_credit(connection: Connection, call: ModelCall, until: datetime) -> bool:
    """False where the item has been paid already."""
    charge = {"user_id": call.user_id, "item_id": call.item_id, "amount": -1}
    row = {**charge, "reason": call.purpose.value}
    if not insert_new(connection, credit_ledger, [row], ("user_id", "item_id"), ("id",)):
        return False
    left = or_(users.c.credits.is_(None), users.c.credits > 0)
    this = update(users).where(users.c.id == call.user_id, left)
    if not connection.execute(this.values(credits=users.c.credits - 1)).rowcount:
        raise NoCreditError("the user has no credits left: morningdeck user credits", until)
    return True


def _give_back_credit(connection: Connection, reservation: Reservation) -> None:
    if not reservation.took_credit:
        return
    call = reservation.call
    paid = credit_ledger.c.user_id == call.user_id, credit_ledger.c.item_id == call.item_id
    if connection.execute(delete(credit_ledger).where(*paid)).rowcount:
        this = update(users).where(users.c.id == call.user_id)
        connection.execute(this.values(credits=users.c.credits + 1))
