"""What the calls of models cost: money of a day, credits of a user.

Money and credit are taken before a call, by UPDATEs that say in their WHERE what must still be
left, and put right by what the call did cost. A call whose end nobody knows, because its
process died or its answer broke off, has probably been paid, so it counts in full: that is how
its row begins, and nothing need find it later. A process that dies at every call could
otherwise spend without end.

All calls wait for the row of their day, so each step is two statements that go to the
database together.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import date, datetime
from decimal import Decimal
from functools import partial
from typing import Any
from uuid import uuid4

from sqlalchemy import Connection, bindparam, delete, exists, or_, select, update

from morningdeck import notice_texts
from morningdeck.errors import BudgetSpentError, NoCreditError
from morningdeck.model.asking import NANODOLLARS, CallUsage, ModelCall, Price, Reservation
from morningdeck.ports.engine import Clock
from morningdeck.prices import ASSUMED
from morningdeck.store.database.bulk import change, insert_into, insert_new
from morningdeck.store.database.connect import Database
from morningdeck.store.database.prepared import Prepared
from morningdeck.store.expressions.days import InstallationDays
from morningdeck.store.notices.telling import BUDGET_SPENT, tell_admins, tell_days_end
from morningdeck.store.tables.people import users
from morningdeck.store.tables.running import credit_ledger, usage_days
from morningdeck.store.tables.running import usage as model_calls

NO_LIMIT = 2**62
"""More nanodollars than there are."""
_RESERVED = (
    *("user_id", "briefing_id", "item_id", "purpose", "endpoint", "model"),
    *("day", "nanodollars", "price_known", "created_at"),
)
_SETTLED = ("tokens_in", "tokens_out", "nanodollars", "duration_ms", "ok", "error", "settled_at")

Pair = tuple[Prepared, Prepared]
Credit = Callable[[Connection], bool]
"""Takes one or gives it back; was there any to move?"""


def _given(name: str) -> Any:
    """A value of that column, which is filled in later."""
    return bindparam(f"its_{name}", type_=model_calls.c[name].type)


def _named(values: dict[str, Any]) -> dict[str, Any]:
    return {f"its_{name}": value for name, value in values.items()}


def _reserving(kind: str) -> Pair:
    """Count it where the limit allows it; then write it down if that was counted."""
    row = insert_into(usage_days, kind).values(
        day=_given("day"),
        calls=1,
        nanodollars=_given("nanodollars"),
        reserved_by=bindparam("token"),
    )
    total = usage_days.c.nanodollars + row.excluded.nanodollars
    counted = row.on_conflict_do_update(
        index_elements=("day",),
        set_={
            "calls": usage_days.c.calls + 1,
            "nanodollars": total,
            "reserved_by": row.excluded.reserved_by,
        },
        where=total <= bindparam("limit"),
    )
    mine = usage_days.c.day == _given("day"), usage_days.c.reserved_by == bindparam("token")
    call = select(*(_given(name) for name in _RESERVED)).where(*mine)
    written = model_calls.insert().from_select(_RESERVED, call).returning(model_calls.c.id)
    return Prepared(counted), Prepared(written)


_UNSETTLED = (model_calls.c.id == bindparam("call_id"), model_calls.c.settled_at.is_(None))
# neither waits for the disk: lost with the machine's power, the call keeps its full amount
_CORRECTING = Prepared(
    update(usage_days)
    .where(usage_days.c.day == _given("day"), exists().where(*_UNSETTLED))
    .values(
        nanodollars=usage_days.c.nanodollars + bindparam("more"),
        calls=usage_days.c.calls + bindparam("more_calls"),
    ),
    lasting=False,
)
_SETTLING: Pair = (
    _CORRECTING,
    Prepared(
        update(model_calls)
        .where(*_UNSETTLED)
        .values({name: _given(name) for name in _SETTLED})
        .returning(model_calls.c.id),
        lasting=False,
    ),
)
_RELEASING: Pair = (
    _CORRECTING,
    Prepared(delete(model_calls).where(*_UNSETTLED).returning(model_calls.c.id), lasting=False),
)
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
        self._days = InstallationDays(database)
        self._budget = daily_budget
        self._limit = NO_LIMIT if daily_budget is None else int(daily_budget * NANODOLLARS)
        self._reserving = _reserving(database.kind)
        self._refused: date | None = None
        """The day whose money has not sufficed once, so that little of it is left."""
        self._told: dict[str, date] = {}
        self._begun: date | None = None

    def reserve(self, call: ModelCall) -> Reservation:
        now = self._clock()
        day, until = self._days.at(now)
        price = self._price_of(call.model)
        if price is None and self._budget is not None:
            raise self._refusal(day, until, notice_texts.price_unknown(call.model), call.model)
        cost = (price or ASSUMED).of(call.tokens_in, call.tokens_out)
        row = {"day": day, "nanodollars": cost, "price_known": price is not None}
        values = _named({**_columns(call), **row, "created_at": now})
        values |= {"limit": self._limit, "token": uuid4().hex}
        number, paid = None, False
        if self._has_room(day, cost):
            number, paid = self._run(self._reserving, values, self._charge(call, until))
        if number is None:
            self._refused = day
            raise self._refusal(day, until, notice_texts.budget_spent(_shown(self._budget)))
        self._begin(day, now)
        return Reservation(number, call, day, price or ASSUMED, cost, paid)

    def _charge(self, call: ModelCall, until: datetime) -> Credit | None:
        """Where there is a user with counted credits to pay for an item."""
        if call.user_id is None or call.item_id is None:
            return None
        rows = self._database.run(_CREDITS, {"user_id": call.user_id})
        if not rows or rows[0][0] is None:
            return None
        return lambda connection: _take_credit(connection, call, until)

    def _has_room(self, day: date, cost: int) -> bool:
        """The day is looked at only where it will probably say no: then nothing need be written."""
        if cost > self._limit:
            return False
        if self._refused != day:
            return True
        rows = self._database.run(_DAY, {"day": day})
        return (rows[0][0] if rows else 0) + cost <= self._limit

    def _run(
        self, pair: Pair, values: dict[str, Any], credit: Credit | None
    ) -> tuple[int | None, bool]:
        """The id of the row, None where nothing was done: then a credit neither comes nor goes."""
        if credit is None:
            rows = self._database.run_both(*pair, values)
            return (rows[0][0] if rows else None), False
        try:
            with self._database.write() as connection:
                moved = credit(connection)
                connection.execute(pair[0].core, values)
                number = connection.execute(pair[1].core, values).scalar()
                if number is None:
                    raise _NothingDone
        except _NothingDone:
            return None, False
        return number, moved

    def _begin(self, day: date, now: datetime) -> None:
        """With its first call a day ends what the admins were told of those before."""
        if self._begun != day:
            with self._database.write() as connection:
                tell_days_end(connection, BUDGET_SPENT, day, now)
            self._begun = day

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
        more = {"more": cost - reservation.nanodollars, "more_calls": 0}
        failed = usage.error is not None
        self._end(_SETTLING, reservation, {**_named(values), **more}, failed=failed)

    def release(self, reservation: Reservation) -> None:
        less = {"more": -reservation.nanodollars, "more_calls": -1}
        self._end(_RELEASING, reservation, less, failed=True)

    def _end(self, pair: Pair, of: Reservation, values: dict[str, Any], *, failed: bool) -> None:
        """A call that failed gives back its credit."""
        known = {"call_id": of.id, "its_day": of.day}
        returns = of.took_credit and failed
        back = partial(_give_back_credit, call=of.call) if returns else None
        self._run(pair, {**known, **values}, back)


class _NothingDone(Exception):
    """Takes the whole transaction back."""


def _shown(dollars: Decimal | None) -> str:
    known = dollars or Decimal(0)
    cents = known.quantize(Decimal("0.01"))
    return f"{cents if cents == known else known:f}"


def _columns(call: ModelCall) -> dict[str, Any]:
    return {
        "user_id": call.user_id,
        "briefing_id": call.briefing_id,
        "item_id": call.item_id,
        "purpose": call.purpose.value,
        "endpoint": call.endpoint,
        "model": call.model,
    }


def _take_credit(connection: Connection, call: ModelCall, until: datetime) -> bool:
    """False where the item has been paid already."""
    charge = {"user_id": call.user_id, "item_id": call.item_id, "amount": -1}
    row = {**charge, "reason": call.purpose.value}
    if not insert_new(connection, credit_ledger, [row], ("user_id", "item_id"), ("id",)):
        return False
    left = or_(users.c.credits.is_(None), users.c.credits > 0)
    this = users.c.id == call.user_id
    if not change(connection, users, this, left, credits=users.c.credits - 1):
        raise NoCreditError("the user has no credits left: morningdeck user credits", until)
    return True


def _give_back_credit(connection: Connection, call: ModelCall) -> bool:
    paid = credit_ledger.c.user_id == call.user_id, credit_ledger.c.item_id == call.item_id
    if not connection.execute(delete(credit_ledger).where(*paid)).rowcount:
        return False
    change(connection, users, users.c.id == call.user_id, credits=users.c.credits + 1)
    return True
