"""What was sent."""

from __future__ import annotations

from typing import Literal

from fastapi import APIRouter, Request
from starlette.responses import Response

from morningdeck.actions import reports
from morningdeck.views.sent import ListedDelivery, ReportView
from morningdeck.web.answers import (
    CursorText,
    ListOf,
    PageSize,
    RowId,
    a_number,
    answer,
    page,
    read_cursor,
)
from morningdeck.web.api.bodies import WhereToSend
from morningdeck.web.login import By, TokenRoute

DeliveryState = Literal["PENDING", "RETRY", "SENDING", "SENT", "REFUSED", "UNKNOWN"]

router = APIRouter(prefix="/api/v1", tags=["reports"], route_class=TokenRoute)


@router.get("/reports", response_model=ListOf[ReportView])
def list_reports(
    request: Request,
    by: By,
    briefing: RowId | None = None,
    limit: PageSize = 50,
    cursor: CursorText = None,
) -> Response:
    """Your reports, the newest first."""
    before = read_cursor(cursor, a_number)
    of, user, last = by.store.reports, by.user.id, before and before[0]
    return page(
        request,
        limit,
        lambda most: of.list(user, briefing_id=briefing, limit=most, before=last),
        lambda view: view.id,
    )


@router.get("/deliveries", response_model=ListOf[ListedDelivery])
def list_deliveries(
    request: Request,
    by: By,
    state: DeliveryState | None = None,
    limit: PageSize = 50,
    cursor: CursorText = None,
) -> Response:
    """Where your reports went, the newest first, each by its address and channel."""
    before = read_cursor(cursor, a_number)
    of, user, last = by.store.reports, by.user.id, before and before[0]
    return page(
        request,
        limit,
        lambda most: of.deliveries(user, most, state=state, before=last),
        lambda view: view.id,
    )


@router.get("/reports/{id}", response_model=ReportView)
def show_report(request: Request, by: By, id: RowId) -> Response:
    """What it says and where it went."""
    return answer(request, by.store.reports.show(by.user.id, id))


@router.post("/reports/{id}/send", response_model=ReportView, status_code=202)
def send_report(request: Request, by: By, id: RowId, body: WhereToSend | None = None) -> Response:
    """Have the daemon send again what did not arrive; what did is never sent twice."""
    to, wake = body.to if body else None, by.app.wake
    view = reports.ask_to_send(by.store, by.user.id, id, to, wake=wake, now=by.now)
    return answer(request, view, 202)
