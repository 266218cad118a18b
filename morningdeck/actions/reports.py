"""Reports: read as they were sent, delivered again, and whether one has reached anybody."""

from __future__ import annotations

import time
from dataclasses import replace
from typing import TYPE_CHECKING

from morningdeck.discreet import said
from morningdeck.errors import NotFoundError, PermanentError
from morningdeck.schedule import zone_or_utc
from morningdeck.work import Stage

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import datetime

    from morningdeck.engine.on_demand import OnDemand
    from morningdeck.model.sending import Rendered, Report
    from morningdeck.store.store import Store
    from morningdeck.views.sent import ReportView

SENDING_SECONDS = 60.0


def as_sent(store: Store, user_id: int, report_id: int) -> Rendered:
    """Exactly the texts that the report's mails were made from, as long as they are kept."""
    rendered = store.reports.rendered(user_id, report_id)
    if rendered is None:
        raise NotFoundError(f"the mail of report {report_id} is not kept (any more)")
    return rendered


def as_written(
    store: Store, user_id: int, report_id: int, render: Callable[[Report], Rendered]
) -> Rendered:
    """The report as it was sent, else rendered again from its snapshots, which are kept longer."""
    rendered = store.reports.rendered(user_id, report_id)
    if rendered is None:
        rendered = render(loaded(store, user_id, report_id))
    return rendered


def loaded(store: Store, user_id: int, report_id: int) -> Report:
    """The report from its snapshots, in a zone that this machine knows."""
    report = store.reports.load(user_id, report_id)
    return replace(report, timezone=zone_or_utc(report.timezone).key)


def send(
    store: Store, work: OnDemand, user_id: int, report_id: int, to: str | None = None
) -> ReportView:
    """Send the deliveries that are not `SENT` again, all or only the one to this address."""
    _check_goes(store, user_id, report_id, to)
    with work.at_work():
        store.delivery_rows.send_again(report_id, work.clock(), to)
        deliver_report(store, work, report_id)
    return store.reports.show(user_id, report_id)


def ask_to_send(
    store: Store,
    user_id: int,
    report_id: int,
    to: str | None = None,
    *,
    wake: Callable[[str], None],
    now: datetime,
) -> ReportView:
    """As `send`, by the daemon."""
    _check_goes(store, user_id, report_id, to)
    store.delivery_rows.send_again(report_id, now, to)
    wake(Stage.DELIVERY.value)
    return store.reports.show(user_id, report_id)


def _check_goes(store: Store, user_id: int, report_id: int, to: str | None) -> None:
    report = store.reports.show(user_id, report_id)
    if to is not None and said(to) not in {delivery.address for delivery in report.deliveries}:
        raise NotFoundError(f"report {report_id} does not go to {said(to)!r}")


def deliver_report(store: Store, work: OnDemand, report_id: int) -> None:
    """Work on each delivery here; wait for those that a daemon has taken already."""
    deliveries = store.delivery_rows
    for delivery_id in deliveries.of_report(report_id):
        work.run(Stage.DELIVERY, delivery_id)
    patience = time.monotonic() + SENDING_SECONDS
    while deliveries.in_work(report_id) and time.monotonic() < patience:
        time.sleep(0.05)


def check_arrived(report: ReportView) -> None:
    """Raise an error that says what to do if the report, sent by a command, reached nobody."""
    states = {delivery.state for delivery in report.deliveries}
    if not states or "SENT" in states:
        return
    errors = dict.fromkeys(one.error for one in report.deliveries if one.error)
    why = "; ".join(errors) or "no answer yet"
    raise PermanentError(f"report {report.id} {_what(report, states)}: {why}")


def _what(report: ReportView, states: set[str]) -> str:
    if report.closed_at is not None:
        return "reached nobody and is closed, the next one has its news again"
    if "UNKNOWN" in states:
        return f"may have arrived or not, look there before report send {report.id} sends it again"
    return f"has reached nobody yet, morningdeck run or report send {report.id} tries again"
