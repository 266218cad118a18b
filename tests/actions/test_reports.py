"""Has a report reached anybody?"""

from __future__ import annotations

import pytest

from morningdeck.actions.reports import check_arrived
from morningdeck.errors import PermanentError
from morningdeck.views.sent import DeliveryView, ReportView
from tests.conftest import NOW


def report(*states: str, closed: bool = False) -> ReportView:
    deliveries = tuple(
        DeliveryView(number, "smtp", "ada@example.org", state, 1, "<1@x>", None, "550 no such user")
        for number, state in enumerate(states)
    )
    closed_at = NOW if closed else None
    return ReportView(
        7, 1, "2026-11-18", "GENERATED", "News", "", NOW, closed_at, 3, (), deliveries
    )


@pytest.mark.parametrize("states", [(), ("SENT",), ("REFUSED", "SENT"), ("UNKNOWN", "SENT")])
def test_one_copy_that_arrived_is_enough_and_a_quiet_day_has_none(states: tuple[str, ...]) -> None:
    check_arrived(report(*states))


@pytest.mark.parametrize(
    ("view", "says"),
    [
        (report("REFUSED", closed=True), "is closed, the next one has its news again"),
        (report("RETRY", "UNKNOWN"), "may have arrived or not"),
        (report("RETRY"), "has reached nobody yet"),
    ],
)
def test_one_that_reached_nobody_says_why_and_what_to_do(view: ReportView, says: str) -> None:
    with pytest.raises(PermanentError, match=f"report 7 .*{says}.*: 550 no such user$"):
        check_arrived(view)
