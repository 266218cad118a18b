"""Did a report reach anybody? A command that sends fails when it did not."""

from __future__ import annotations

from morningdeck.errors import PermanentError
from morningdeck.views import DeliveryView, ReportView


def check_arrived(report: ReportView) -> None:
    """One line says why, and what to do."""
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


def where_it_went(delivery: DeliveryView) -> str:
    told = delivery.reply if delivery.state == "SENT" else delivery.error
    return f"{delivery.state} {delivery.address}: {told or 'no reply'}"
