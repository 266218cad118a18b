"""Which endpoints may be asked now, of models, mail and search: a row for each that has failed.

    may be asked --failures in a row, or a word of its own--> held --its time is over--> one probe
         ^                                                     ^                          |    |
         |                                                     +---- fails, or dies ------+    |
         +-------------------------------- succeeds -------------------------------------------+

The probe is fenced like a job: it has a number, and a lease that ends by itself. What calls
bring home that were under way when the hold began may prolong it, and never end it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import (
    BindParameter,
    ColumnElement,
    Connection,
    Row,
    and_,
    bindparam,
    or_,
    select,
    update,
)

from morningdeck import notice_texts
from morningdeck.errors import EndpointHeldError
from morningdeck.holds import LONGEST_ASKED, LONGEST_HOLD, asked_for, hold_length, opens
from morningdeck.model.asking import Admission, FailureKind
from morningdeck.ports.engine import Clock
from morningdeck.store.database.bulk import change, insert
from morningdeck.store.database.connect import Database
from morningdeck.store.database.prepared import Prepared
from morningdeck.store.notices.telling import (
    MAIL_HELD,
    MODEL_HELD,
    SEARCH_HELD,
    tell_admins,
    tell_end,
)
from morningdeck.store.tables.running import endpoints

NEXT_LOOK = timedelta(seconds=5)
"""Those who meet a probe come back then: nobody knows how long it takes."""
_STATE = Prepared(
    select(endpoints.c.failures, endpoints.c.held_until, endpoints.c.settings).where(
        endpoints.c.name == bindparam("name")
    )
)
_UNFAIL = Prepared(
    update(endpoints)
    .where(endpoints.c.name == bindparam("which"), endpoints.c.held_until.is_(None))
    .values(failures=0)
)


@dataclass(frozen=True, slots=True)
class HeldNotice:
    """What admins are told of a hold that takes long: a kind, and a text made of the endpoint,
    whether it has denied us, and why.
    """

    kind: str
    text: Callable[[str, bool, str], str]


OF_MODELS = HeldNotice(MODEL_HELD, notice_texts.model_held)
OF_MAIL = HeldNotice(MAIL_HELD, notice_texts.mail_held)
OF_SEARCH = HeldNotice(SEARCH_HELD, notice_texts.search_held)


class SqlBreaker:
    """The port `Breaker`."""

    def __init__(
        self,
        database: Database,
        clock: Clock,
        *,
        settings: str = "",
        lease: timedelta,
        notice: HeldNotice = OF_MODELS,
        denied_for: timedelta = LONGEST_ASKED,
        longest: timedelta = LONGEST_HOLD,
    ) -> None:
        """`settings` stands for those that reach the endpoint: who was denied by others may ask
        again. A probe that takes longer than its `lease` belongs to a process that is gone.
        """
        self._notice = notice
        self._denied_for = denied_for
        self._longest = longest
        self._database = database
        self._clock = clock
        self._settings = settings
        self._lease = lease
        self._probing = Prepared(
            update(endpoints)
            .where(
                endpoints.c.name == bindparam("which"),
                self._is_over(bindparam("now")),
                or_(
                    endpoints.c.probe_until.is_(None),
                    endpoints.c.probe_until <= bindparam("now"),
                ),
            )
            .values(probes=endpoints.c.probes + 1, probe_until=bindparam("until"))
            .returning(endpoints.c.probes)
        )

    def _is_over(self, now: datetime | BindParameter[datetime]) -> ColumnElement[bool]:
        """Of a hold: but for the probe, its end."""
        return or_(endpoints.c.held_until <= now, endpoints.c.settings != self._settings)

    def admit(self, endpoint: str) -> Admission:
        rows = self._database.run(_STATE, {"name": endpoint})
        failures, held_until, settings = rows[0] if rows else (0, None, None)
        if held_until is None:
            return Admission(endpoint, failures=failures)
        now = self._clock()
        if held_until > now and settings in (None, self._settings):
            raise EndpointHeldError(endpoint, held_until)
        asked = {"which": endpoint, "now": now, "until": now + self._lease}
        if won := self._database.run(self._probing, asked):
            return Admission(endpoint, probe=won[0][0])
        raise EndpointHeldError(endpoint, now + NEXT_LOOK)

    def look_again(self, endpoint: str) -> None:
        with self._database.write() as connection:
            end_wait(connection, endpoint, self._clock())

    def succeeded(self, admission: Admission) -> None:
        if admission.probe is not None:
            self._end_hold(admission)
        elif admission.failures:
            self._database.run(_UNFAIL, {"which": admission.endpoint})

    def _end_hold(self, probe: Admission) -> None:
        now = self._clock()
        this = update(endpoints).where(_is_current(probe)).values(probe_until=None)
        over = this.where(self._is_over(now)).values(
            failures=0, holds=0, held_until=None, held_for=None, settings=None
        )
        with self._database.write() as connection:
            if connection.execute(over).rowcount:
                tell_end(connection, self._notice.kind, probe.endpoint, now)
            else:
                connection.execute(this)  # a call that was under way has prolonged it

    def failed(
        self, admission: Admission, retry_after: str | None, kind: FailureKind, why: str = ""
    ) -> datetime | None:
        now = self._clock()
        asked = asked_for(retry_after, kind, now, self._denied_for)
        with self._database.write() as connection:
            row = _one_more_failure(connection, admission.endpoint)
            held: datetime | None = row.held_until
            probed = admission.probe == row.probes and row.probe_until is not None
            begins = probed or (held is None and opens(kind, asked, row.failures))
            until = now + hold_length(asked, row.holds, self._longest)
            if held is not None and row.settings in (None, self._settings):
                until = max(until, held)
            if not begins and (held is None or asked is None or until == held):
                return held
            values = {
                "held_until": until,
                "held_for": kind.value,
                "settings": self._settings if kind is FailureKind.DENIED else None,
                "holds": row.holds + begins,
                "probe_until": None if begins else row.probe_until,
            }
            this = update(endpoints).where(endpoints.c.name == admission.endpoint)
            connection.execute(this.values(values))
            if until - now >= self._longest:
                denied = kind is FailureKind.DENIED
                text = self._notice.text(admission.endpoint, denied, why)
                tell_admins(connection, self._notice.kind, admission.endpoint, text)
        return until


def end_wait(connection: Connection, endpoint: str, now: datetime) -> None:
    """The next call finds out whether the hold is over."""
    change(
        connection,
        endpoints,
        endpoints.c.name == endpoint,
        endpoints.c.held_until > now,
        held_until=now,
    )


def _one_more_failure(connection: Connection, endpoint: str) -> Row[Any]:
    """Its row, which nobody else can change until the transaction ends."""
    row = insert(connection, endpoints).values(name=endpoint, failures=1)
    counted = row.on_conflict_do_update(
        index_elements=("name",), set_={"failures": endpoints.c.failures + 1}
    )
    return connection.execute(counted.returning(*endpoints.c)).one()


def _is_current(probe: Admission) -> ColumnElement[bool]:
    return and_(
        endpoints.c.name == probe.endpoint,
        endpoints.c.probes == probe.probe,
        endpoints.c.probe_until.is_not(None),
    )
